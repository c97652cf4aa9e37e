"""Cutting a corpus for cross-validation, so that documents about one event never stand on both sides."""

from collections.abc import Iterator, Sequence

import numpy as np

from driftline.errors import InputError
from driftline.evaluation.outcomes import group_of
from driftline.settings import Settings
from driftline.text.corpus import Corpus, Document

N_FOLDS = 5


def folds(corpus: Corpus, n_folds: int, seed: int) -> Iterator[tuple[Corpus, Sequence[Document]]]:
    """Cut a corpus into folds by story: (training corpus, test documents) for each."""
    groups = sorted({group_of(document) for document in corpus})
    if len(groups) < 2:
        raise InputError("folds: the corpus holds only one story, and cross-validation learns from others")
    if not isinstance(n_folds, int) or not 2 <= n_folds <= len(groups):
        raise InputError(f"folds: expected a number from 2 to the {len(groups)} stories there are, got {n_folds!r}")
    shuffled = np.random.default_rng(seed).permutation(len(groups))
    fold = {groups[int(group)]: place % n_folds for place, group in enumerate(shuffled)}
    for number in range(n_folds):
        inside = [fold[group_of(document)] == number for document in corpus]
        train = corpus.select(i for i, is_test in enumerate(inside) if not is_test)
        yield train, [document for document, is_test in zip(corpus, inside, strict=True) if is_test]


def fold_parts(n_folds: int, settings: Settings) -> dict[str, object]:
    """Say for a signature how systems are trained in cross-validation."""
    return {"folds": n_folds, **settings.signature_parts}
