"""Summaries: the boosting of the sentence classifier beside scikit-learn's. Accuracies: summary_results.py."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from driftline import Corpus, sample_corpus
from driftline.baselines.sentence_classifier import N_ROUNDS, boost, sentence_features
from driftline.tasks.alignment import summary_marks
from measure import SYNTHETIC, Result, Row, read_splits, side_by_side
from summarizers import N_HALVES, halves, matrix

CORPORA = ("bbc-summ-business", "bbc-summ-politics")
N_REAL = 80
"""Documents of a real corpus: dense features of all of them would take minutes."""
REPETITIONS = 3
WITHIN = 0.02
"""How far the accuracy of boosting may be from scikit-learn's."""

Floats = NDArray[np.float64]


def run(corpora: Path | None) -> Result:
    """Time boosting and compare what it learned, on the bundled pairs and, where they are given, on real ones."""
    rows, notes = _boosting(sample_corpus("earthquakes", "pairs"), SYNTHETIC)
    for name in CORPORA if corpora else ():
        more, notes_of_it = _boosting(read_splits(corpora / name, "train", "dev").select(range(N_REAL)), name)
        rows += more
        notes += notes_of_it
    return Result(tuple(rows), tuple(notes))


def _features(train: Corpus, test: Corpus) -> tuple[sparse.csr_array, Floats, sparse.csr_array, Floats]:
    """Return the binary features and the classes of the sentences of both."""
    rows = [[row for document in corpus for row in sentence_features(document)] for corpus in (train, test)]
    index = {feature: i for i, feature in enumerate(sorted({f for row in rows[0] for f in row}))}
    wanted = [np.array([m for d in corpus for m in summary_marks(d) or ()], dtype=bool) for corpus in (train, test)]
    return matrix(rows[0], index), wanted[0], matrix(rows[1], index), wanted[1]


def _peer() -> AdaBoostClassifier:
    return AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=N_ROUNDS, random_state=0)


def _columns(features: sparse.csr_array) -> sparse.csc_array:
    """Return what the peer's trees take: sparse columns with indices of 32 bits."""
    columns = features.tocsc()
    columns.indices, columns.indptr = columns.indices.astype(np.int32), columns.indptr.astype(np.int32)
    return columns


def _boosting(pairs: Corpus, name: str) -> tuple[list[Row], list[str]]:
    """Compare time on all pairs, and accuracy on sentences that were not learned from."""
    features, target, _, _ = _features(pairs, pairs)
    columns = _columns(features)
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
        peer = _peer().fit(_columns(x), y)
        peers_right.append(float((peer.predict(unseen.toarray()) == wanted).mean()))
    mine, theirs = float(np.mean(ours_right)), float(np.mean(peers_right))
    size = f"{features.shape[0]} sentences, {features.shape[1]:,} features, {N_ROUNDS} rounds"
    rows = [
        Row(f"boosting, {size}, {name}", ours, "AdaBoost, the faster of sparse and dense",
            min(on_sparse, on_dense), target=1),
        Row(f"accuracy on unseen sentences, {name}", mine, "AdaBoost on depth-1 trees", theirs, "share",
            target=(theirs - WITHIN) / theirs, higher_is_better=True),
    ]  # fmt: skip
    note = (
        f"{name}: scikit-learn takes {on_sparse:.3f} s on sparse and {on_dense:.3f} s on dense features; its "
        f"boosting is discrete (SAMME), ours real-valued. Accuracy is the mean of {N_HALVES} halves."
    )
    return rows, [note]
