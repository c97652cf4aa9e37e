"""How alike sentences are: the cosine of what they are made of, seen in several ways."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np
from scipy import sparse

from driftline.kernels.hmm import Floats
from driftline.kernels.pair_regression import Values

Words = Sequence[str]
Counts = tuple[tuple[tuple[str, int], ...], ...]

_PIECE = 4  # letters of a piece of a word
_HALF = 0.5  # so that a feature that was never seen has a weight too


@dataclass(frozen=True)
class Sentence:
    """A sentence as evidence sees it."""

    words: tuple[str, ...]
    """Masked, as the content model reads it."""
    tokens: tuple[str, ...]
    """As written, punctuation and capitals included."""


def _pieces(sentence: Sentence) -> Iterator[str]:
    for word in sentence.words:
        padded = f"_{word}_"
        yield from (padded[i : i + _PIECE] for i in range(max(1, len(padded) - _PIECE + 1)))


def _word_pairs(sentence: Sentence) -> Iterator[str]:
    yield from (f"{a} {b}" for a, b in pairwise(["^", *sentence.words, "$"]))


def _written_words(sentence: Sentence) -> Iterator[str]:
    yield from (token.lower() for token in sentence.tokens if any(map(str.isalnum, token)))


def _opening(sentence: Sentence) -> Iterator[str]:
    yield from sentence.words[:1]
    yield " ".join(["^", *sentence.words[:2]])


VIEWS: dict[str, tuple[float, Callable[[Sentence], Iterable[str]]]] = {
    "words": (0.25, lambda sentence: sentence.words),
    "word pairs": (0.25, _word_pairs),
    "pieces": (0.25, _pieces),
    "written words": (0.15, _written_words),
    "opening": (0.10, _opening),
}
"""What a sentence is made of, and how much of the similarity each view decides."""


@dataclass(frozen=True)
class View:
    """The known sentences in one view: how often each has which feature."""

    names: tuple[str, ...]
    counts: sparse.csr_array
    """[known sentence, feature]"""

    @classmethod
    def of(cls, features: Sequence[Iterable[str]]) -> Self:
        """Collect the features of known sentences."""
        counted = [Counter(names) for names in features]
        names = tuple(sorted({name for counts in counted for name in counts}))
        return cls(names, _count_rows(counted, {name: i for i, name in enumerate(names)}))

    def rows(self, features: Sequence[Iterable[str]]) -> sparse.csr_array:
        """Return rows of length 1; what no known sentence has still makes the rest of a row shorter."""
        counted = [Counter(names) for names in features]
        unseen = [sum((1 + math.log(k)) ** 2 for name, k in c.items() if name not in self._index) for c in counted]
        return self._scaled(_count_rows(counted, self._index), np.array(unseen))

    @cached_property
    def known(self) -> sparse.csr_array:
        """The rows of the known sentences."""
        return self._scaled(self.counts, np.zeros(self.counts.shape[0]))

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def _rarity(self) -> Floats:
        holding = np.bincount(self.counts.indices, minlength=len(self.names))
        rarity: Floats = np.log((self.counts.shape[0] + 1) / (holding + _HALF))
        return rarity

    def _scaled(self, counts: sparse.csr_array, unseen: Floats) -> sparse.csr_array:
        n = self.counts.shape[0]
        rows = counts.astype(np.float64)
        rows.data = (1 + np.log(rows.data)) * self._rarity[rows.indices]
        squares = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
        squares += unseen * math.log((n + 1) / _HALF) ** 2
        scale = 1 / np.sqrt(np.where(squares > 0, squares, 1.0))
        return sparse.csr_array(sparse.diags_array(scale) @ rows)


@dataclass(frozen=True)
class SentenceSpace:
    """The known sentences in all views."""

    views: tuple[View, ...]
    """In the order of `VIEWS`."""

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> Self:
        """Make a space of known sentences."""
        return cls(tuple(View.of([features(s) for s in sentences]) for _, features in VIEWS.values()))

    def own_similarity(self) -> Values:
        """Return how alike the known sentences are to each other."""
        return _similarity([(known, known) for known in (view.known for view in self.views)])

    def similarity(self, sentences: Sequence[Sentence]) -> Values:
        """Return how alike new sentences are to the known ones: [sentence, known sentence]."""
        parts = zip(self.views, VIEWS.values(), strict=True)
        return _similarity([(view.rows([make(s) for s in sentences]), view.known) for view, (_, make) in parts])

    def inner_similarities(self, sentences: Sequence[Sentence]) -> Values:
        """Return how alike new sentences are to each other in each view: [sentence, sentence, view]."""
        parts = zip(self.views, VIEWS.values(), strict=True)
        rows = [view.rows([make(s) for s in sentences]) for view, (_, make) in parts]
        return np.stack([(r @ r.T).toarray() for r in rows], axis=-1).astype(np.float32)


def _similarity(pairs: Sequence[tuple[sparse.csr_array, sparse.csr_array]]) -> Values:
    total = np.zeros((pairs[0][0].shape[0], pairs[0][1].shape[0]), dtype=np.float32)
    for (rows, known), (weight, _) in zip(pairs, VIEWS.values(), strict=True):
        total += np.float32(weight) * (rows @ known.T).toarray()
    return total


def _count_rows(counted: Sequence[Counter[str]], index: Mapping[str, int]) -> sparse.csr_array:
    entries = [
        (row, index[name], k) for row, counts in enumerate(counted) for name, k in counts.items() if name in index
    ]
    rows, columns, values = np.array(entries, dtype=np.int64).reshape(-1, 3).T
    made = sparse.csr_array((values, (rows, columns)), shape=(len(counted), len(index)))
    made.sort_indices()
    return made
