"""Summaries: boosting beside scikit-learn's, and the extraction accuracy of the content model and its rivals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from driftline import ContentModel, Corpus, Document, fit, learn_summaries, sample_corpus
from driftline.baselines.lead import Chance, Lead
from driftline.baselines.sentence_classifier import N_ROUNDS, SentenceClassifier, boost, sentence_features
from driftline.evaluation.folds import folds
from driftline.evaluation.metrics import summary_figures
from driftline.evaluation.outcomes import SummaryOutcome
from driftline.evaluation.summary_comparison import CurvePoint, learning_curve
from driftline.evaluation.summary_exam import examine_summary, with_summaries
from driftline.evaluation.tables import figure_text
from driftline.model.content_model import AnyDocument
from driftline.model.summary_counts import FEWEST_ARTICLES, SummaryCounts
from driftline.tasks.alignment import summary_marks
from driftline.tasks.summarization import Summarizer
from measure import SYNTHETIC, Result, Row, read_splits, side_by_side

CORPORA = ("bbc-summ-business", "bbc-summ-politics")
N_HALVES = 10
N_FOLDS = 5
CURVE_SIZES = (5, 10, 20, 30)
REPETITIONS = 3
WITHIN = 0.02
"""How far the accuracy of boosting may be from scikit-learn's."""

Floats = NDArray[np.float64]
Outcomes = dict[str, list[SummaryOutcome]]


@dataclass(frozen=True)
class GoldTopics:
    """The method of section 4.2 with the grammar's own topics in the place of states: an upper row, no rival."""

    place: dict[str, int]
    counts: SummaryCounts

    @classmethod
    def learn(cls, pairs: Sequence[Document]) -> "GoldTopics":
        """Count the topics of articles, and those of the sentences that their summaries took over."""
        place = {topic: i for i, topic in enumerate(sorted({t for d in pairs for t in d.labels or ()}))}
        articles, both = np.zeros(len(place), dtype=np.int64), np.zeros(len(place), dtype=np.int64)
        for document in pairs:
            topics, marks = document.labels or (), summary_marks(document) or ()
            articles[[place[topic] for topic in set(topics)]] += 1
            both[[place[topic] for topic in {t for t, mark in zip(topics, marks, strict=True) if mark}]] += 1
        return cls(place, SummaryCounts(articles, both, len(pairs)))

    def summary_scores(self, document: AnyDocument) -> Floats:
        """Score sentences by the share of articles whose summary has their topic."""
        labels = (document.labels if isinstance(document, Document) else None) or ()
        shares = self.counts.probability
        return np.array([shares[self.place[topic]] if topic in self.place else 0.0 for topic in labels])


def run(corpora: Path | None) -> Result:
    """Time boosting, and compare summarizers on the bundled pairs and, where they are given, on real ones."""
    pairs = sample_corpus("earthquakes", "pairs")
    rows, notes = _boosting(pairs)
    notes += _bundled(pairs)
    for name in CORPORA if corpora else ():
        notes += _cross_validated(name, read_splits(corpora / name, "train", "dev"))
    return Result(tuple(rows), tuple(notes))


def halves(corpus: Corpus) -> Iterator[tuple[Corpus, Corpus]]:
    """Cut the pairs into halves to learn from and to examine, as the paper did once."""
    for seed in range(N_HALVES):
        order = np.random.default_rng(seed).permutation(len(corpus)).tolist()
        middle = len(order) // 2
        yield corpus.select(sorted(order[:middle])), corpus.select(sorted(order[middle:]))


# Boosting


def _features(train: Corpus, test: Corpus) -> tuple[sparse.csr_array, Floats, sparse.csr_array, Floats]:
    """Return the binary features and the classes of the sentences of both."""
    rows = {0: [r for d in train for r in sentence_features(d)], 1: [r for d in test for r in sentence_features(d)]}
    index = {feature: i for i, feature in enumerate(sorted({f for row in rows[0] for f in row}))}
    made = []
    for part in rows.values():
        places = [(i, index[f]) for i, row in enumerate(part) for f in row if f in index]
        i, j = np.array(places).T
        made.append(sparse.csr_array((np.ones(len(i)), (i, j)), shape=(len(part), len(index))))
    wanted = [np.array([m for d in corpus for m in summary_marks(d) or ()], dtype=bool) for corpus in (train, test)]
    return made[0], wanted[0], made[1], wanted[1]


def _peer() -> AdaBoostClassifier:
    return AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=N_ROUNDS, random_state=0)


def _boosting(pairs: Corpus) -> tuple[list[Row], list[str]]:
    """Compare time on all pairs, and accuracy on sentences that were not learned from."""
    features, target, _, _ = _features(pairs, pairs)
    columns = features.tocsc()
    columns.indices, columns.indptr = columns.indices.astype(np.int32), columns.indptr.astype(np.int32)
    dense = features.toarray().astype(np.float32)
    ours, on_sparse, on_dense = side_by_side(
        [
            lambda: boost(features, target),
            lambda: _peer().fit(columns, target),
            lambda: _peer().fit(dense, target),
        ],
        REPETITIONS,
    )
    ours_right, peers_right = [], []
    for train, test in halves(pairs):
        x, y, unseen, wanted = _features(train, test)
        ours_right.append(float(((boost(x, y).scores(unseen) > 0) == wanted).mean()))
        peer = _peer().fit(x.toarray(), y)
        peers_right.append(float((peer.predict(unseen.toarray()) == wanted).mean()))
    mine, theirs = float(np.mean(ours_right)), float(np.mean(peers_right))
    size = f"{features.shape[0]} sentences, {features.shape[1]:,} features, {N_ROUNDS} rounds"
    rows = [
        Row(f"boosting, {size}, {SYNTHETIC}", ours, "AdaBoost, the faster of sparse and dense",
            min(on_sparse, on_dense), target=1),
        Row(f"accuracy on unseen sentences, {SYNTHETIC}", mine, "AdaBoost on depth-1 trees", theirs, "share",
            target=(theirs - WITHIN) / theirs, higher_is_better=True),
    ]  # fmt: skip
    note = (
        f"scikit-learn: {on_sparse:.3f} s on sparse and {on_dense:.3f} s on dense features; its boosting is discrete "
        f"(SAMME), ours real-valued. Accuracy is the mean of {N_HALVES} halves; the target is {WITHIN:.0%} below its."
    )
    return rows, [note]


# Extraction accuracy


def _systems(model: ContentModel, pairs: Corpus) -> dict[str, Summarizer]:
    return {
        "content model": learn_summaries(model, pairs),
        "  topics as in the article": learn_summaries(model, pairs, topics_of="article"),
        "  no pairs (centrality)": model,
        "sentence classifier": SentenceClassifier.learn(pairs),
        "lead": Lead(),
        "random": Chance(),
    }


def _examine(systems: Mapping[str, Summarizer], documents: Sequence[Document], outcomes: Outcomes) -> None:
    for name, system in systems.items():
        outcomes.setdefault(name, []).extend(examine_summary(system, document) for document in documents)


def _accuracy(outcomes: Sequence[SummaryOutcome]) -> float:
    return float(np.mean([outcome.n_agreed / outcome.n_chosen for outcome in outcomes]))


def _bundled(pairs: Corpus) -> list[str]:
    """Examine all systems on ten seeded halves of the bundled pairs; the model never sees a pair."""
    model = fit(sample_corpus("earthquakes"))
    found: dict[str, list[float]] = {}
    unknown, points = [], []
    for train, test in halves(pairs):
        systems = {**_systems(model, train), "(gold topics)": GoldTopics.learn(train.documents)}
        outcomes: Outcomes = {}
        _examine(systems, with_summaries(test), outcomes)
        for name, of_system in outcomes.items():
            found.setdefault(name, []).append(_accuracy(of_system))
        unknown.append(_share_unknown(learn_summaries(model, train), test))
        points += learning_curve(model, train, test, CURVE_SIZES, n_draws=3)
    return [
        f"\nearthquakes pairs, {SYNTHETIC}: 30 to learn from, 30 examined; {N_HALVES} halves, mean (lowest-highest).",
        *(f"  {name:<28}{_spread(values)}" for name, values in found.items()),
        f"  test sentences whose state fewer than {FEWEST_ARTICLES} training articles hold: {np.mean(unknown):.0%}",
        f"  learning curve, 3 draws in each half, mean (lowest-highest): {_curve(points)}",
        f"  {model.signature}",
    ]


def _spread(values: Sequence[float]) -> str:
    return f"{np.mean(values):.1%} ({min(values):.0%}-{max(values):.0%})"


def _share_unknown(model: ContentModel, test: Corpus) -> float:
    """Return the share of sentences about whose topic the pairs say nothing."""
    if model.summaries is None:
        return 1.0
    states = np.concatenate([model.v_topics(document) for document in test])
    return float(1 - model.summaries.known[states].mean())


def _curve(points: Sequence[CurvePoint]) -> str:
    lines = []
    for name in ("content", "classifier"):
        for size in CURVE_SIZES:
            here = [p for p in points if (p.system, p.n_pairs) == (name, size)]
            mean = np.mean([p.accuracy for p in here])
            lines.append(
                f"\n    {name}, {size} pairs: {mean:.1%} "
                f"({min(p.lowest for p in here):.0%}-{max(p.highest for p in here):.0%})"
            )
    return "".join(lines)


def _cross_validated(name: str, corpus: Corpus) -> list[str]:
    """Learn model and pairs on all folds but one, and examine that one."""
    outcomes: Outcomes = {}
    unknown, signature = [], ""
    for train, test in folds(corpus, N_FOLDS, 0):
        model = fit(train)
        systems = _systems(model, train)
        _examine(systems, with_summaries(Corpus(tuple(test))), outcomes)
        unknown.append(_share_unknown(learn_summaries(model, train), Corpus(tuple(test))))
        signature = model.signature
    n = len(next(iter(outcomes.values())))
    return [
        f"\n{name}, real, summaries look machine-made: {N_FOLDS} folds, {n} documents, 95 % intervals in brackets.",
        *(f"  {system:<28}{figure_text(summary_figures(found)[0])}" for system, found in outcomes.items()),
        f"  test sentences whose state fewer than {FEWEST_ARTICLES} training articles hold: {np.mean(unknown):.0%}",
        f"  corpus {corpus.data_hash}, folds seed 0; the last fold's model: {signature}",
    ]
