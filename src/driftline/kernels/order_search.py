"""The best order of sentences, with proof: best-first search under bounds that no order can exceed."""

import heapq
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

import numpy as np

from driftline.kernels.beam import beam_search, may_follow
from driftline.kernels.hmm import Floats
from driftline.kernels.order_problem import OrderProblem
from driftline.kernels.relaxation import Relaxation, relax
from driftline.kernels.subset_bounds import SubsetBounds, subset_bounds, subsets_fit
from driftline.kernels.threads import one_blas_thread

ROUNDING = 1e-10
"""Logs of scores that differ by less than this are the same: far above the rounding, far below any tie rule."""

_BEAM_WIDTH, _LONG_BEAM_WIDTH = 12, 128
_RELAXATION_ROUNDS = 200
_NODES_AT_ONCE = 16
_CLOSE_ROUNDS = 50  # of opening nodes whose bounds are within their slack of what was found
# By when, in shares of the time limit, the strong bounds, else the weak ones, and the beam must be done.
_SUBSETS_END, _RELAXATION_ENDS, _BEAM_ENDS = 0.5, 0.7, 0.9
_MAX_WAITING = 500_000


@dataclass(frozen=True)
class BestOrders:
    """What the search found."""

    orders: tuple[tuple[int, ...], ...]
    """The best order, then the next best ones that were asked for."""
    log_scores: tuple[float, ...]
    upper_bound: float
    """No order has a log score above this."""
    proved: bool
    """Whether every order that is not in `orders` is at most as good as the last of them."""
    n_nodes: int
    """Beginnings of orders that the proof had to open."""


class OutOfTime(Exception):  # noqa: N818 (it is no error: an unfinished proof is an answer too)
    """The proof was stopped by its time limit."""


class Clock:
    """Tells how much of a time limit is spent."""

    def __init__(self, time_limit: float) -> None:
        self.start, self.time_limit = time.monotonic(), time_limit

    def spent(self, share: float = 1.0) -> bool:
        """Tell whether this share of the time is spent."""
        return time.monotonic() >= self.start + share * self.time_limit

    def check(self, share: float = 1.0) -> None:
        """Stop what is going on if this share of the time is spent."""
        if self.spent(share):
            raise OutOfTime


def best_orders(problem: OrderProblem, *, n_best: int = 1, time_limit: float = np.inf) -> BestOrders:
    """Find the best `n_best` orders; twins (sentences with the same emissions) count as one sentence.

    Bounds on what a beginning can still reach lead first a beam search to a good order, then a best-first
    search to the best one, which proves it. Up to about 20 sentences the bounds are those for all subsets;
    longer documents are searched under the weaker ones of the relaxation, until the proof closes or time
    runs out.
    """
    clock = Clock(time_limit)
    found = _Found(n_best, problem.log_offset)
    with one_blas_thread():
        searched = _search(problem, found, _guide(problem, clock), clock)
        if searched.lacks_precision:
            with suppress(OutOfTime):
                finer = subset_bounds(problem, double=True, check_time=clock.check)
                searched = _search(problem, found, finer, clock)
    return found.result(searched.limit, searched.n_nodes)


class _Searched(NamedTuple):
    limit: float
    """What an order that was not looked at could reach."""
    n_nodes: int
    lacks_precision: bool = False
    """Whether all that is left may look better only because bounds are rounded up."""


def _search(problem: OrderProblem, found: "_Found", guide: SubsetBounds | Relaxation, clock: Clock) -> _Searched:
    strong = isinstance(guide, SubsetBounds)
    width = max(found.n_best, _BEAM_WIDTH if strong else _LONG_BEAM_WIDTH)
    beam = beam_search(problem, width, guide, variety=not strong, out_of_time=lambda: clock.spent(_BEAM_ENDS))
    for order, score in zip(beam.orders.tolist(), beam.log_scores.tolist(), strict=True):
        found.add(score, tuple(order))
    if beam.dropped <= found.worst + ROUNDING:  # nothing of interest was passed by: that is the proof
        return _Searched(beam.dropped, beam.n_nodes)
    search = _Search(problem, found, guide)
    search.run(clock)
    return _Searched(search.open_bound(), search.n_nodes, not search.is_over and not clock.spent())


def _guide(problem: OrderProblem, clock: Clock) -> SubsetBounds | Relaxation:
    """Take the strong bounds where they can be had, in size and in time, and the weak ones elsewhere."""
    if subsets_fit(problem):
        with suppress(OutOfTime):
            return subset_bounds(problem, check_time=lambda: clock.check(_SUBSETS_END))
    return relax(problem, _RELAXATION_ROUNDS, out_of_time=lambda: clock.spent(_RELAXATION_ENDS))


class _Found:
    """The best orders so far."""

    def __init__(self, n_best: int, log_offset: float) -> None:
        self.n_best, self.log_offset = n_best, log_offset
        self.best: list[tuple[float, tuple[int, ...]]] = []

    def add(self, score: float, order: tuple[int, ...]) -> None:
        if all(order != known for _, known in self.best):
            self.best.append((score, order))
            self.best.sort(key=lambda item: -item[0])
            del self.best[self.n_best :]

    @property
    def worst(self) -> float:
        """The score that an order has to exceed to be of interest."""
        return self.best[-1][0] if len(self.best) == self.n_best else -np.inf

    def result(self, limit: float, n_nodes: int) -> BestOrders:
        """Close the search: `limit` is what an order that was not looked at could reach."""
        proved = limit <= self.best[-1][0] + ROUNDING
        return BestOrders(
            orders=tuple(order for _, order in self.best),
            log_scores=tuple(score + self.log_offset for score, _ in self.best),
            upper_bound=self.log_offset + (self.best[0][0] if proved else max(limit, self.best[0][0])),
            proved=proved,
            n_nodes=n_nodes,
        )


class _Node(NamedTuple):
    """A beginning of an order: the least first in the heap is the most promising."""

    minus_reach: float
    n_left: int
    tick: int
    order: tuple[int, ...]
    log_scale: float
    into: Floats
    """What the chain brings into each state at the next sentence, scaled by `log_scale`."""


@dataclass
class _Search:
    problem: OrderProblem
    found: _Found
    guide: SubsetBounds | Relaxation
    n_nodes: int = 0
    given_up: float = -np.inf
    """The best reach of a node that was dropped for lack of room."""
    heap: list[_Node] = field(default_factory=list)
    opened: dict[bytes, list[Floats]] = field(default_factory=dict)
    """By used sentences: what brought how much where, to drop beginnings that are worse everywhere."""

    def run(self, clock: Clock) -> None:
        """Open the most promising beginnings until none is left that could be better.

        Or until only such are left that may look better for want of precision, and they are many.
        """
        tick, close = count(), 0
        # The empty beginning is always opened: only its followers have bounds.
        self._open([_Node(-np.inf, self.problem.n_sentences, next(tick), (), 0.0, self.problem.initial)], tick)
        while not self.is_over and close < _CLOSE_ROUNDS and not clock.spent():
            close += -self.heap[0].minus_reach <= self.found.worst + self.guide.slack
            nodes = self._take()
            if nodes:
                self._open(nodes, tick)

    @property
    def is_over(self) -> bool:
        """Whether no beginning is left that could be better."""
        return not self.heap or not self._is_of_interest(self.heap[0])

    def open_bound(self) -> float:
        """Return what an order that was not looked at could reach."""
        waiting = -self.heap[0].minus_reach if self.heap else -np.inf
        limit = max(waiting, self.given_up)
        return min(limit, self.guide.upper_bound) if isinstance(self.guide, Relaxation) else limit

    def _is_of_interest(self, node: _Node) -> bool:
        return -node.minus_reach > self.found.worst + ROUNDING

    def _take(self) -> list[_Node]:
        """Take a few nodes of interest, without those that another one is better than everywhere."""
        nodes: list[_Node] = []
        while self.heap and len(nodes) < _NODES_AT_ONCE and self._is_of_interest(self.heap[0]):
            node = heapq.heappop(self.heap)
            if not self._is_dominated(node):
                nodes.append(node)
        return nodes

    def _is_dominated(self, node: _Node) -> bool:
        """Tell whether a beginning with the same sentences already brought more into every state.

        For the single best order only: a dominated beginning may still lead to the second best.
        """
        if self.found.n_best > 1:
            return False
        used = np.zeros(self.problem.n_sentences, dtype=bool)
        used[list(node.order)] = True
        rivals = self.opened.setdefault(used.tobytes(), [])
        logs = np.log(node.into) + node.log_scale
        if any((logs <= rival).all() for rival in rivals):
            return True
        rivals.append(logs)
        return False

    def _open(self, nodes: list[_Node], tick: "count[int]") -> None:
        """Add every sentence that may come next to every node, all in one go."""
        problem, n = self.problem, self.problem.n_sentences
        self.n_nodes += len(nodes)
        used = np.zeros((len(nodes), n), dtype=bool)
        for row, node in zip(used, nodes, strict=True):
            row[list(node.order)] = True
        parent, sentence = may_follow(problem, used)
        alpha = np.array([node.into for node in nodes])[parent] * problem.emission[sentence]
        total = alpha.sum(axis=1)
        alpha /= total[:, None]
        logs = np.array([node.log_scale for node in nodes])[parent] + np.log(total)
        n_left = np.array([node.n_left - 1 for node in nodes])[parent]
        left = ~used[parent]
        left[np.arange(len(sentence)), sentence] = False
        reach = logs + self.guide.reach(alpha, left, n_left)
        wanted = np.flatnonzero(reach > self.found.worst + ROUNDING)
        into = alpha[wanted] @ problem.transition
        for k, child_into in zip(wanted.tolist(), into, strict=True):
            order = (*nodes[parent[k]].order, int(sentence[k]))
            if n_left[k] == 0:
                exact = float(logs[k] + np.log(alpha[k] @ problem.final))
                self.found.add(exact, order)
            else:
                node = _Node(-float(reach[k]), int(n_left[k]), next(tick), order, float(logs[k]), child_into)
                heapq.heappush(self.heap, node)
        self._make_room()

    def _make_room(self) -> None:
        """Drop the least promising half of the waiting nodes when they are too many."""
        if len(self.heap) > _MAX_WAITING:
            self.heap.sort()
            self.given_up = max(self.given_up, -self.heap[_MAX_WAITING // 2].minus_reach)
            del self.heap[_MAX_WAITING // 2 :]
