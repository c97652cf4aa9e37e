"""The rank of an order by all kinds of evidence: orders are counted as in `order_count`, under the sum of bounds.

Beginnings are opened many at once. One is dropped when even the upper bound of what follows is too low, and
counted with all its endings when the lower bound settles them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from driftline.kernels.hmm import Floats
from driftline.kernels.mixed_problem import MixedProblem, Openings
from driftline.kernels.order_count import Tally
from driftline.kernels.pair_terms import RestTable
from driftline.kernels.subset_bounds import SubsetBounds, subset_bounds

_ROWS_AT_ONCE = 4_000


@dataclass(frozen=True)
class _Bounds:
    """What every ending of a beginning comes to: at most, or at least."""

    rest: RestTable
    chains: tuple[SubsetBounds, ...]

    @classmethod
    def of(cls, problem: MixedProblem, *, lowest: bool, check_time: Callable[[], None]) -> Self:
        chains = (subset_bounds(c, lowest=lowest, double=True, check_time=check_time) for c in problem.chains)
        return cls(RestTable.of(problem.pairs, lowest=lowest, check_time=check_time), tuple(chains))

    def scores(self, openings: Openings, share: float) -> Floats:
        """Bound the whole score of every order that begins so."""
        scores = openings.gained + self.rest.values[openings.sets_left, openings.orders[:, -1]]
        n_left = np.full(len(scores), openings.n_left)
        for bounds, alpha in zip(self.chains, openings.alphas, strict=True):
            scores += share * bounds.reach(alpha, openings.left, n_left)
        return scores


@dataclass(frozen=True)
class MixedCounter:
    """Counts the orders whose score lies above two thresholds, or between them."""

    problem: MixedProblem
    bounds: tuple[_Bounds, _Bounds] | None
    """Of what can follow: from above and from below."""
    above: float
    """An order with a higher score than this is better ..."""
    from_: float
    """... and one from here on is equal. Both without the problem's offset."""

    @classmethod
    def of(
        cls,
        problem: MixedProblem,
        log_score: float,
        tolerance: float,
        *,
        bounded: bool = True,
        check_time: Callable[[], None] = lambda: None,
    ) -> Self:
        """Prepare to count the orders better than a score by more than the tolerance, and within it.

        Without bounds orders can be sampled but not counted.
        """
        bounds = None
        if bounded:
            highest = _Bounds.of(problem, lowest=False, check_time=check_time)
            bounds = highest, _Bounds.of(problem, lowest=True, check_time=check_time)
        score = log_score - problem.log_offset
        return cls(problem, bounds, score + tolerance, score - tolerance)

    def count(self, *, may_go_on: Callable[[], bool]) -> Tally[Openings]:
        """Count all orders, or as many as can be settled while `may_go_on`."""
        stack, tally = [Openings.all_of(self.problem)], Tally[Openings]()
        while stack:
            if self.bounds is None or not may_go_on():
                tally.open = stack
                break
            openings = self._settle(stack.pop(), tally)
            if not len(openings.orders):
                continue
            # The last part is opened next, so the stack stays as low as the documents are long.
            cuts = range(0, len(openings.orders), _ROWS_AT_ONCE)
            stack.extend(openings.rows(slice(cut, cut + cuts.step)).extended(self.problem) for cut in cuts)
        return tally

    def sample(self, beginnings: Sequence[Openings], n_samples: int, rng: np.random.Generator) -> tuple[int, int]:
        """Draw orders at random from those that begin so; returns how many were better, how many equal."""
        n_orders = sum(part.n_orders for part in beginnings)
        shares = rng.multinomial(n_samples, [part.n_orders / n_orders for part in beginnings])
        better = equal = 0
        for part, share in zip(beginnings, shares.tolist(), strict=True):
            for start in range(0, share, _ROWS_AT_ONCE):
                rows = rng.integers(len(part.orders), size=min(_ROWS_AT_ONCE, share - start))
                endings = np.argsort(rng.random((len(rows), part.left.shape[1])) + 2.0 * ~part.left[rows], axis=1)
                orders = np.column_stack([part.orders[rows], endings[:, : part.n_left]])
                scores = self.problem.log_scores(orders) - self.problem.log_offset
                better += int((scores > self.above).sum())
                equal += int(((scores >= self.from_) & (scores <= self.above)).sum())
        return better, equal

    def _settle(self, openings: Openings, tally: Tally[Openings]) -> Openings:
        """Count what the bounds settle; returns the beginnings that stay open."""
        if not openings.n_left:
            most = least = openings.scores(self.problem)
        else:
            assert self.bounds is not None
            most, least = (bounds.scores(openings, self.problem.share) for bounds in self.bounds)
        endings = openings.n_orders // len(openings.orders)
        better = least > self.above
        equal = (least >= self.from_) & (most <= self.above)
        tally.better += int(better.sum()) * endings
        tally.equal += int(equal.sum()) * endings
        return openings.rows(np.flatnonzero(~better & ~equal & (most >= self.from_)))
