"""Fitting: the whole line from text to model, beside SciPy's linkage and re-estimation in plain Python."""

import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from driftline import Corpus, Settings, fit, sample_corpus
from driftline.model.clustering import Clustering, bigram_features, cluster
from driftline.model.content_model import encode_corpus
from driftline.text.encoding import EncodedCorpus
from measure import SYNTHETIC, Result, Row, read_splits, side_by_side
from peers import cut, scipy_linkage
from plain import Documents, PlainModel

BUDGET = 1.0
"""Seconds for about 1,000 sentences on two cores."""
REPETITIONS = 5
MOST_UNLIKE = 0.01
"""Rounding may move a sentence between states that tie, but not more than this share of all."""

Paths = list[list[int]]

# What a script has to wait for once it has imported driftline: imports that were put off, reading, fitting.
FIRST_FIT = """
import sys, time, driftline
start = time.perf_counter()
documents = [d for path in sys.argv[1:] for d in driftline.Corpus.read(path)]
driftline.fit(driftline.Corpus(tuple(documents)) if documents else driftline.sample_corpus("earthquakes"))
print(time.perf_counter() - start)
"""


def run(corpora: Path | None) -> Result:
    """Fit about 1,000 sentences, warm and in a fresh process."""
    results = [_measured(f"earthquakes, {SYNTHETIC}", sample_corpus("earthquakes"), [])]
    if corpora:
        folder = corpora / "earthquakes"
        paths = [folder / "train.jsonl", folder / "dev.jsonl"]
        results.append(_measured("earthquakes, real", read_splits(folder, "train", "dev"), paths))
    return Result(tuple(r for x in results for r in x.rows), tuple(n for x in results for n in x.notes))


def _measured(what: str, corpus: Corpus, files: list[Path]) -> Result:
    kept: dict[str, Any] = {}
    (plain,) = side_by_side([lambda: kept.update(plain=_plain_fit(corpus))], 1)  # seconds: once is enough
    command = [sys.executable, "-c", FIRST_FIT, *files]
    firsts = []
    ours, _ = side_by_side(
        [
            lambda: kept.update(model=fit(corpus)),
            lambda: firsts.append(float(subprocess.run(command, check=True, capture_output=True).stdout)),
        ],
        REPETITIONS,
    )
    model = kept["model"]
    pairs = zip(corpus, kept["plain"], strict=True)
    alike = np.concatenate([model.v_topics(document) == path for document, path in pairs]).mean()
    if alike < 1 - MOST_UNLIKE:
        raise AssertionError(f"{what}: only {alike:.1%} of the states are those of the plain version")
    return Result(
        (
            Row(f"{what}: fit", ours, "scipy and plain Python", plain, target=1),
            Row(f"{what}: fit", ours, "the budget", BUDGET, target=1),
            Row(f"{what}: first fit and imports", min(firsts), "the budget", BUDGET, target=1),
        ),
        (
            f"{what}: {corpus.n_sentences:,} sentences; {alike:.1%} of the states are those of the plain version",
            model.signature,
        ),
    )


def _plain_fit(corpus: Corpus) -> Paths:
    """Do what `driftline.fit` does, but for masking, for which driftline's own is taken.

    SciPy's clusters are made and timed, but re-estimation goes on from driftline's: SciPy breaks ties by
    the order of the sentences, and only from one beginning can both be held to one end.
    """
    masker, encoded = encode_corpus(corpus, Settings())
    begun = cluster(encoded, Settings())
    cut(scipy_linkage(bigram_features(encoded)), begun.n_clusters)
    words = [masker.words(document.sentences) for document in corpus]
    return _reestimate(words, _paths(encoded, begun), begun.n_states, Settings())


def _paths(encoded: EncodedCorpus, begun: Clustering) -> Paths:
    return [begun.states[a:b].tolist() for a, b in itertools.pairwise(encoded.document_offsets)]


def _reestimate(words: Documents, paths: Paths, n_states: int, settings: Settings) -> Paths:
    for _ in range(settings.max_iterations):
        kept = sorted({state for path in paths for state in path} | {n_states - 1})
        paths, n_states = [[kept.index(state) for state in path] for path in paths], len(kept)
        model = PlainModel(words, paths, n_states, settings.emission_smoothing, settings.transition_smoothing)
        moved = [model.v_topics(document) for document in words]
        if moved == paths:
            break
        paths = moved
    return paths
