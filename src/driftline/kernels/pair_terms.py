"""What an order gains by pairs of its sentences: by what comes first, what follows what, what comes before what.

Given the set of sentences left and the sentence that stands last, nothing else of the beginning matters for
what these terms can still gain. So a table over sets and last sentences holds the best rest exactly:

    rest[S, last] = max over j in S of following[last, j] + sum over i not in S of before[i, j] + rest[S - j, j]

and, with `min` for `max`, the worst. Sets are bit masks, worked through by size.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.subset_bounds import members, sets_by_size

MAX_TABLED = 20
"""Up to so many sentences the table is made: 2^20 sets of 20 sentences are 170 MB."""

_VALUES_AT_ONCE = 1 << 21


@dataclass(frozen=True)
class PairTerms:
    """Terms of the score of an order, in the same unit as log-probabilities."""

    first: Floats
    """[sentence] What it is worth that a sentence comes first."""
    following: Floats
    """[sentence, sentence] ... that the second directly follows the first."""
    before: Floats
    """[sentence, sentence] ... that the first comes somewhere before the second."""

    @classmethod
    def none(cls, n_sentences: int) -> Self:
        """Return terms that are worth nothing."""
        square = np.zeros((n_sentences, n_sentences))
        return cls(np.zeros(n_sentences), square, square)

    @property
    def n_sentences(self) -> int:
        """The number of sentences."""
        return len(self.first)

    def scores(self, orders: Integers) -> Floats:
        """Return what each order gains: [order, place] -> [order]."""
        gained = self.first[orders[:, 0]].astype(np.float64)
        for place in range(1, orders.shape[1]):
            here = orders[:, place]
            gained += self.following[orders[:, place - 1], here]
            gained += self.before[orders[:, :place], here[:, None]].sum(axis=1)
        return gained


@dataclass(frozen=True)
class RestTable:
    """The most (or the least) that can still be gained, for every set of sentences left."""

    values: Floats
    """[set of sentences left, last sentence]"""

    @classmethod
    def of(cls, terms: PairTerms, *, lowest: bool = False, check_time: Callable[[], None] = lambda: None) -> Self:
        """Work the table out; `check_time` is called between blocks and may raise."""
        n = terms.n_sentences
        values = np.zeros((1 << n, n))
        for size, sets in enumerate(sets_by_size(n)[1:], 1):
            rows = max(1, _VALUES_AT_ONCE // (size * n))
            for start in range(0, len(sets), rows):
                check_time()
                block = sets[start : start + rows]
                values[block] = _best_next(terms, values, members(block, size, n), block, lowest=lowest)
        return cls(values)


def _best_next(terms: PairTerms, values: Floats, inside: Integers, sets: Integers, *, lowest: bool) -> Floats:
    """Try each sentence of each set as the next one: [set, last sentence]."""
    outside = ((sets[:, None] >> np.arange(terms.n_sentences)) & 1) == 0
    gained = np.take_along_axis(outside @ terms.before, inside, axis=1)
    gained += values[sets[:, None] ^ (1 << inside), inside]
    choose = np.minimum if lowest else np.maximum
    result: Floats = terms.following.T[inside[:, 0]] + gained[:, :1]
    for place in range(1, inside.shape[1]):
        choose(result, terms.following.T[inside[:, place]] + gained[:, place, None], out=result)
    return result
