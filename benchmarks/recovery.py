"""Recovery: V-measure of V-topics against the gold topics, beside k-means and plain complete link."""

import itertools
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.metrics import v_measure_score

from driftline import Corpus, Settings, fit, sample_corpus
from driftline.model.clustering import bigram_features
from driftline.samples.corpora import DOMAINS
from measure import SYNTHETIC, Result, Row
from peers import cut, scipy_linkage, unit_rows

CORPORA = {"csabstruct": 400, "bioleaflets": 50}
"""The real corpora with gold labels, and how many of their training documents are taken."""
STARTS_OF_K_MEANS = 3
CHANCE_SEED = 0

Labels = NDArray[np.int64]


def run(corpora: Path | None) -> Result:
    """Compare on the five bundled corpora, and on the real ones with gold labels where they are given."""
    named = [(f"{domain}, {SYNTHETIC}", sample_corpus(domain)) for domain in DOMAINS]
    for name, n_documents in CORPORA.items() if corpora else ():
        corpus = Corpus.read(corpora / name / "train.jsonl")
        named.append((f"{name}, real", corpus.select(range(n_documents))))
    results = [_compared(what, corpus) for what, corpus in named]
    rows = tuple(itertools.chain.from_iterable(result.rows for result in results))
    reading = (
        "V-measure is the harmonic mean of homogeneity and completeness; it grows with the number of clusters even "
        "by chance, so the peers make as many clusters as the model has states, of the same bigrams."
    )
    return Result(rows, (reading, *itertools.chain.from_iterable(result.notes for result in results)))


def v_measure(gold: Labels, found: Labels) -> float:
    """Return 2 I(gold; found) / (H(gold) + H(found)): how well each tells the other."""
    together = np.zeros((gold.max() + 1, found.max() + 1))
    np.add.at(together, (gold, found), 1 / len(gold))
    entropies = _entropy(together.sum(axis=1)) + _entropy(together.sum(axis=0))
    return 2 * (entropies - _entropy(together)) / entropies if entropies else 1.0


def _entropy(shares: NDArray[np.float64]) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log(positive)).sum())


def _compared(what: str, corpus: Corpus) -> Result:
    """Score all three on the documents that they learned from: none of them sees a label."""
    model = fit(corpus, Settings(n_examples=0))
    encoded = model.encode(corpus.documents)
    features, n_clusters = bigram_features(encoded), model.n_states
    found = {
        "V-topics": np.concatenate([model.v_topics(document) for document in corpus]),
        "k-means": KMeans(n_clusters, n_init=STARTS_OF_K_MEANS, random_state=0).fit_predict(unit_rows(features)),
        "complete link": cut(scipy_linkage(features), n_clusters),
    }
    found["chance"] = np.random.default_rng(CHANCE_SEED).permutation(found["V-topics"])
    gold = np.unique([label for document in corpus for label in document.labels], return_inverse=True)[1]
    scores = {name: v_measure(gold, labels) for name, labels in found.items()}
    judged = [v_measure_score(gold, labels) for labels in found.values()]
    np.testing.assert_allclose(list(scores.values()), judged, rtol=1e-9, atol=1e-12)
    used = len(np.unique(found["V-topics"]))
    note = (
        f"{what}: {encoded.n_sentences:,} sentences, {gold.max() + 1} gold topics, {used} of {n_clusters} states "
        f"used, chance {scores['chance']:.3f}; {model.signature}"
    )
    return Result(
        tuple(
            Row(what, scores["V-topics"], peer, scores[peer], "V", target=1, higher_is_better=True)
            for peer in ("k-means", "complete link")
        ),
        (note,),
    )
