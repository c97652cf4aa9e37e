"""The exact rank of an order among all N!, without visiting them: how many are better, how many equal.

Beginnings of orders are opened one sentence at a time, many at once. A beginning is dropped when even the
upper bound of what follows is too low, and counted with all its factorial of endings when the lower bound
settles them. What is left when few sentences remain is settled by one matrix product a set: every
beginning against every ending of the set.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.order_problem import OrderProblem
from driftline.kernels.subset_bounds import SubsetBounds, subset_bounds

# With so many sentences left all endings of a set are tried, if it has at least so many beginnings.
_WORTH_TRYING = {6: 64, 5: 8, 4: 0, 3: 0, 2: 0, 1: 0}
_ROWS_AT_ONCE = 60_000
_ROWS_EXTENDED, _ROWS_IN_CACHE = 2_000, 128  # so that what is computed with them stays in the cache
_ENDINGS_KEPT = 2_000


@dataclass(frozen=True)
class Beginnings:
    """Beginnings of one length."""

    used: NDArray[np.bool_]
    """[beginning, sentence]"""
    into: Floats
    """[beginning, state] What the chain brings into each state at the next sentence."""

    @property
    def n_left(self) -> int:
        """How many sentences are left."""
        return int((~self.used[0]).sum())

    @property
    def n_orders(self) -> int:
        """How many orders begin so."""
        orders_each: int = math.factorial(self.n_left)
        return len(self.used) * orders_each

    def rows(self, chosen: slice | Integers) -> "Beginnings":
        """Return some of them."""
        return Beginnings(self.used[chosen], self.into[chosen])


Part = TypeVar("Part")


@dataclass
class Tally(Generic[Part]):
    """What is settled, and what is still open."""

    better: int = 0
    equal: int = 0
    open: list[Part] | None = None
    """Beginnings that were not settled when the counting stopped; None if all were."""


@dataclass(frozen=True)
class Counter:
    """Counts the orders whose score lies above two thresholds, or between them.

    Scores are plain probabilities without the problem's offset, times `exp(log_step)` a sentence.
    """

    problem: OrderProblem
    bounds: tuple[SubsetBounds, SubsetBounds] | None
    """Of what can follow: from above and from below."""
    log_step: float
    above: float
    """An order with a higher score than this is better ..."""
    from_: float
    """... and one from here on is equal."""
    endings: dict[int, Floats] = field(default_factory=dict, repr=False)
    """What all orders of a set come to, kept for the next beginnings with the same set left."""

    @classmethod
    def of(
        cls,
        problem: OrderProblem,
        log_score: float,
        tolerance: float,
        *,
        bounded: bool = True,
        check_time: Callable[[], None] | None = None,
    ) -> "Counter":
        """Prepare to count the orders better than a log score by more than the tolerance, and within it.

        Without bounds, for documents too long for them, orders can be sampled but not counted.
        """
        bounds = None
        if bounded:
            highest = subset_bounds(problem, double=True, check_time=check_time)
            bounds = highest, subset_bounds(problem, double=True, lowest=True, check_time=check_time)
        # On this scale the thresholds are near 1, so that nothing overflows.
        log_step = (problem.log_offset - log_score) / problem.n_sentences
        return cls(problem, bounds, log_step, math.exp(tolerance), math.exp(-tolerance))

    def count(self, *, may_go_on: Callable[[], bool]) -> Tally[Beginnings]:
        """Count all orders, or as many as can be settled while `may_go_on`."""
        n = self.problem.n_sentences
        start = Beginnings(np.zeros((1, n), dtype=bool), self.problem.initial[None] * math.exp(self.log_step))
        stack, tally = [start], Tally[Beginnings]()
        while stack:
            if self.bounds is None or not may_go_on():
                tally.open = stack
                break
            beginnings = self._settle(stack.pop(), tally)
            if not len(beginnings.used):
                continue
            children = self._extend(beginnings, tally)
            # The last part is opened next, so the stack stays as low as the documents are long.
            cuts = range(0, len(children.used), _ROWS_AT_ONCE)
            stack.extend(children.rows(slice(cut, cut + cuts.step)) for cut in cuts)
        return tally

    def sample(self, beginnings: list[Beginnings], n_samples: int, rng: np.random.Generator) -> tuple[int, int]:
        """Draw orders at random from those that begin so; returns how many were better, how many equal."""
        n_orders = sum(part.n_orders for part in beginnings)
        shares = rng.multinomial(n_samples, [part.n_orders / n_orders for part in beginnings])
        log_above, log_from = math.log(self.above), math.log(self.from_)
        better = equal = 0
        for part, share in zip(beginnings, shares.tolist(), strict=True):
            for start in range(0, share, _ROWS_AT_ONCE):
                scores = self._random_endings(part, min(_ROWS_AT_ONCE, share - start), rng)
                better += int((scores > log_above).sum())
                equal += int(((scores >= log_from) & (scores <= log_above)).sum())
        return better, equal

    def _random_endings(self, part: Beginnings, n: int, rng: np.random.Generator) -> Floats:
        """Draw orders; returns the logs of their scores, rescaled at every step: these may be long documents."""
        rows = rng.integers(len(part.used), size=n)
        order = np.argsort(rng.random(part.used[rows].shape) + 2.0 * part.used[rows], axis=1)
        into, logs = part.into[rows], np.full(n, self.log_step * (part.n_left - 1))
        for place in range(part.n_left):
            alpha = into * self.problem.emission[order[:, place]]
            total = alpha.sum(axis=1)
            logs += np.log(total)
            alpha /= total[:, None]
            into = alpha @ self.problem.transition
        result: Floats = logs + np.log(alpha @ self.problem.final)
        return result

    def _extend(self, beginnings: Beginnings, tally: Tally[Beginnings]) -> Beginnings:
        """Add every sentence to every beginning, and keep those that the bounds do not settle."""
        parts = [
            self._extend_block(beginnings.rows(slice(start, start + _ROWS_EXTENDED)), tally)
            for start in range(0, len(beginnings.used), _ROWS_EXTENDED)
        ]
        used = np.concatenate([part.used for part in parts])
        into = np.concatenate([part.into for part in parts])
        # Beginnings of the same sentences stay together, so that their endings can be tried at once.
        ranked = np.argsort(_sets_left(used), kind="stable")
        return Beginnings(used[ranked], into[ranked])

    def _extend_block(self, beginnings: Beginnings, tally: Tally[Beginnings]) -> Beginnings:
        assert self.bounds is not None
        highest, lowest = self.bounds
        parent, sentence = np.nonzero(~beginnings.used)
        alpha = beginnings.into[parent] * self.problem.emission[sentence]
        used = beginnings.used[parent]
        used[np.arange(len(parent)), sentence] = True
        sets = _sets_left(used)
        rescale = math.exp((self.log_step - highest.log_step) * (beginnings.n_left - 1))
        most = np.einsum("ij,ij->i", alpha, highest.values[sets]) * rescale
        open_ = np.flatnonzero(most >= self.from_)
        least = np.einsum("ij,ij->i", alpha[open_], lowest.values[sets[open_]]) * rescale
        endings = math.factorial(beginnings.n_left - 1)
        better = least > self.above
        equal = (least >= self.from_) & (most[open_] <= self.above)
        tally.better += int(np.count_nonzero(better)) * endings
        tally.equal += int(np.count_nonzero(equal)) * endings
        kept = open_[~better & ~equal]
        return Beginnings(used[kept], alpha[kept] @ (self.problem.transition * math.exp(self.log_step)))

    def _settle(self, beginnings: Beginnings, tally: Tally[Beginnings]) -> Beginnings:
        """Try all endings of the sets where that pays; returns the beginnings that remain."""
        if beginnings.n_left not in _WORTH_TRYING:
            return beginnings
        sets = _sets_left(beginnings.used)
        starts = np.flatnonzero(np.diff(sets, prepend=-1))
        remaining = []
        for rows in np.split(np.arange(len(sets)), starts[1:]):
            if len(rows) < _WORTH_TRYING[beginnings.n_left]:
                remaining.append(rows)
                continue
            endings = self._endings(int(sets[rows[0]]))
            for start in range(0, len(rows), _ROWS_IN_CACHE):
                scores = beginnings.into[rows[start : start + _ROWS_IN_CACHE]] @ endings
                better = int(np.count_nonzero(scores > self.above))
                tally.better += better
                tally.equal += int(np.count_nonzero(scores >= self.from_)) - better
        return beginnings.rows(np.concatenate(remaining) if remaining else slice(0, 0))

    def _endings(self, left: int) -> Floats:
        """Return what each order of the sentences left makes of each state before them: [state, order]."""
        if left not in self.endings:
            if len(self.endings) >= _ENDINGS_KEPT:
                self.endings.clear()
            self.endings[left] = self._try_orders(np.flatnonzero(left >> np.arange(self.problem.n_sentences) & 1))
        return self.endings[left]

    def _try_orders(self, left: Integers) -> Floats:
        step = math.exp(self.log_step)
        backwards = self.problem.transition.T * step
        orders = left[_all_orders(len(left))]
        beta = np.broadcast_to(self.problem.final, (len(orders), self.problem.n_states))
        for place in reversed(range(len(left))):
            beta = self.problem.emission[orders[:, place]] * beta
            if place:
                beta = beta @ backwards
        return beta.T


@lru_cache(maxsize=8)
def _all_orders(n: int) -> Integers:
    return np.array(list(permutations(range(n))))


def _sets_left(used: NDArray[np.bool_]) -> Integers:
    """Name the set of sentences left by its bits."""
    sets: Integers = ~used @ (1 << np.arange(used.shape[1]))
    return sets
