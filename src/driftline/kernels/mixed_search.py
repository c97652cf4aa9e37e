"""The best order by all kinds of evidence, with proof: best-first search under the sum of separate bounds.

What the pairs can still gain is known exactly (`pair_terms`), what the chains can still gain from above
(`subset_bounds`, or `relaxation` where those would take long). Their sum is never too low, and close, since the
pairs carry most of the score. Past the longest document with a table, a local search takes its place, with a bound
that needs no table.
"""

import heapq
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

import numpy as np

from driftline.kernels.beam import Guide
from driftline.kernels.hmm import Floats
from driftline.kernels.long_orders import improve, loose_bound
from driftline.kernels.mixed_problem import MixedProblem, Openings
from driftline.kernels.order_search import ROUNDING, BestOrders, Clock, OutOfTime
from driftline.kernels.pair_terms import MAX_TABLED, RestTable
from driftline.kernels.relaxation import Relaxation, relax
from driftline.kernels.subset_bounds import subset_bounds
from driftline.kernels.threads import one_blas_thread

_BEAM_WIDTH = 32
_RELAXATION_ROUNDS = 60
_NODES_AT_ONCE = 64
_MAX_WAITING = 500_000
_MOST_WORK = 3 * 10**10  # multiplications for the strong bounds: a second or two
# By when, in shares of the time limit, the table, the strong bounds and the weak ones must be done.
_TABLE_ENDS, _BOUNDS_END, _RELAXATION_ENDS = 0.4, 0.7, 0.8


@dataclass(frozen=True)
class Reach:
    """What beginnings can still come to, at most."""

    problem: MixedProblem
    rest: RestTable
    guides: tuple[Guide, ...]
    """Of the chains."""

    def of(self, openings: Openings) -> Floats:
        """Return a bound on the score of every order that begins so."""
        reach = openings.gained + self.rest.values[openings.sets_left, openings.orders[:, -1]]
        n_left = np.full(len(openings.orders), openings.n_left)
        for guide, alpha in zip(self.guides, openings.alphas, strict=True):
            reach += self.problem.share * guide.reach(alpha, openings.left, n_left)
        return reach


def best_mixed_orders(problem: MixedProblem, *, n_best: int = 1, time_limit: float = np.inf) -> BestOrders:
    """Find the best `n_best` orders, proved up to 20 sentences."""
    clock = Clock(time_limit)
    with one_blas_thread():
        table = _table(problem, clock)
        if table is None:
            return _unproved(problem, _relaxed(problem, clock), n_best, clock)
        search = _Search(problem, Reach(problem, table, _guides(problem, clock)), n_best)
        search.run(clock)
    return search.result()


def _table(problem: MixedProblem, clock: Clock) -> RestTable | None:
    if problem.n_sentences > MAX_TABLED:
        return None
    try:
        return RestTable.of(problem.pairs, check_time=lambda: clock.check(_TABLE_ENDS))
    except OutOfTime:
        return None


def _guides(problem: MixedProblem, clock: Clock) -> tuple[Guide, ...]:
    """Take the strong bounds of the chains where they can be had in time, and the weak ones elsewhere."""
    n = problem.n_sentences
    if n * sum(chain.n_states**2 for chain in problem.chains) << n <= _MOST_WORK:
        try:
            return tuple(subset_bounds(c, check_time=lambda: clock.check(_BOUNDS_END)) for c in problem.chains)
        except OutOfTime:
            pass
    return _relaxed(problem, clock)


def _relaxed(problem: MixedProblem, clock: Clock) -> tuple[Relaxation, ...]:
    ends = _RELAXATION_ENDS
    return tuple(relax(c, _RELAXATION_ROUNDS, out_of_time=lambda: clock.spent(ends)) for c in problem.chains)


def _unproved(problem: MixedProblem, relaxed: tuple[Relaxation, ...], n_best: int, clock: Clock) -> BestOrders:
    """Search without a table: good orders, and a bound on all others."""
    orders, scores = improve(problem, n_best, out_of_time=clock.spent)
    bound = problem.log_offset + loose_bound(problem.pairs)
    bound += problem.share * sum(one.upper_bound for one in relaxed)
    upper = max(float(scores[0]), bound)
    proved = n_best == 1 and upper <= scores[0] + ROUNDING
    found = tuple(tuple(map(int, order)) for order in orders)
    return BestOrders(found, tuple(map(float, scores)), upper, proved, n_nodes=0)


class _Node(NamedTuple):
    """A beginning that waits to be opened: the least first in the heap is the most promising."""

    minus_reach: float
    n_left: int
    tick: int
    opening: Openings


@dataclass
class _Search:
    problem: MixedProblem
    reach: Reach
    n_best: int
    n_nodes: int = 0
    given_up: float = -np.inf
    """The best reach of a node that was dropped for lack of room."""
    heap: list[_Node] = field(default_factory=list)
    best: list[tuple[float, tuple[int, ...]]] = field(default_factory=list)
    ticks: "count[int]" = field(default_factory=count)

    def run(self, clock: Clock) -> None:
        """Find a good order by a beam, then open beginnings until none is left that could be better."""
        start = Openings.all_of(self.problem)
        self._beam(start)
        self._wait(start)
        while self.heap and self._is_of_interest(self.heap[0].minus_reach) and not clock.spent():
            self._open(self._take())

    def result(self) -> BestOrders:
        """Close the search."""
        waiting = -self.heap[0].minus_reach if self.heap else -np.inf
        limit = max(waiting, self.given_up)
        proved = limit <= self.best[-1][0] + ROUNDING
        top, offset = self.best[0][0], self.problem.log_offset
        return BestOrders(
            orders=tuple(order for _, order in self.best),
            log_scores=tuple(score + offset for score, _ in self.best),
            upper_bound=offset + (top if proved else max(limit, top)),
            proved=proved,
            n_nodes=self.n_nodes,
        )

    def _beam(self, openings: Openings) -> None:
        while openings.n_left:
            openings = openings.extended(self.problem)
            kept = np.argsort(-self.reach.of(openings), kind="stable")[: max(_BEAM_WIDTH, self.n_best)]
            openings = openings.rows(kept)
        self._found(openings)

    def _found(self, openings: Openings) -> None:
        for score, order in zip(openings.scores(self.problem).tolist(), openings.orders.tolist(), strict=True):
            if all(tuple(order) != known for _, known in self.best):
                self.best.append((score, tuple(order)))
        self.best.sort(key=lambda item: -item[0])
        del self.best[self.n_best :]

    def _is_of_interest(self, minus_reach: float) -> bool:
        worst = self.best[-1][0] if len(self.best) == self.n_best else -np.inf
        return -minus_reach > worst + ROUNDING

    def _wait(self, openings: Openings) -> None:
        """Keep those that could still be better, each on its own."""
        if not openings.n_left:
            self._found(openings)
            return
        for i, reach in enumerate(self.reach.of(openings).tolist()):
            if self._is_of_interest(-reach):
                node = _Node(-reach, openings.n_left, next(self.ticks), openings.rows(slice(i, i + 1)))
                heapq.heappush(self.heap, node)
        if len(self.heap) > _MAX_WAITING:
            self.heap.sort()
            self.given_up = max(self.given_up, -self.heap[_MAX_WAITING // 2].minus_reach)
            del self.heap[_MAX_WAITING // 2 :]

    def _take(self) -> list[Openings]:
        """Take the most promising ones, a group for each length."""
        groups: dict[int, list[Openings]] = {}
        for _ in range(_NODES_AT_ONCE):
            if not self.heap or not self._is_of_interest(self.heap[0].minus_reach):
                break
            node = heapq.heappop(self.heap)
            groups.setdefault(node.n_left, []).append(node.opening)
            self.n_nodes += 1
        return [Openings.joined(group) for group in groups.values()]

    def _open(self, groups: list[Openings]) -> None:
        for openings in groups:
            self._wait(openings.extended(self.problem))
