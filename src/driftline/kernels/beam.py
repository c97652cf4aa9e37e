"""A beam search for good orders, guided by bounds on what each beginning can still reach."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.order_problem import OrderProblem

Flags = NDArray[np.bool_]


class Guide(Protocol):
    """Bounds from above what can follow a beginning."""

    def reach(self, alpha: Floats, left: Flags, n_left: Integers) -> Floats:
        """Return the log of a bound on what follows each row of alpha with these sentences left."""
        ...


@dataclass(frozen=True)
class Beam:
    """What a beam search found, and what it passed by."""

    orders: Integers
    """[order, place], best first"""
    log_scores: Floats
    """[order] Without the problem's offset."""
    dropped: float
    """No order that was passed by has a log score above this."""
    n_nodes: int
    """Beginnings of orders that were opened."""


def may_follow(problem: OrderProblem, used: Flags) -> tuple[Integers, Integers]:
    """List which sentences may come next in each row: all that are left, but of twins the first only."""
    allowed = ~used
    has_twin = problem.earlier_twin >= 0
    allowed[:, has_twin] &= used[:, problem.earlier_twin[has_twin]]
    row, sentence = np.nonzero(allowed)
    return row, sentence


def beam_search(
    problem: OrderProblem,
    width: int,
    guide: Guide,
    *,
    variety: bool = True,
    out_of_time: Callable[[], bool] = lambda: False,
) -> Beam:
    """Find good orders.

    With `variety` only the most promising of the beginnings with the same sentences is kept: a weak guide
    hardly tells them apart, and they would fill the beam. When time is up one beginning is finished alone.
    """
    n = problem.n_sentences
    orders = np.zeros((1, 0), dtype=np.int64)
    used = np.zeros((1, n), dtype=bool)
    into, logs = problem.initial[None], np.zeros(1)
    dropped, n_nodes = -np.inf, 0
    for step in range(n):
        n_nodes += len(orders)
        parent, sentence = may_follow(problem, used)
        alpha = into[parent] * problem.emission[sentence]
        total = alpha.sum(axis=1)
        now = used[parent]
        now[np.arange(len(parent)), sentence] = True
        n_left = np.full(len(parent), n - step - 1)
        guess = logs[parent] + np.log(total) + guide.reach(alpha / total[:, None], ~now, n_left)
        ranked = np.argsort(-guess, kind="stable")
        if variety and step < n - 1:
            ranked = _first_of_each_set(ranked[: 8 * width], now)
        kept = ranked[: 1 if out_of_time() else width]
        dropped = max(dropped, np.delete(guess, kept).max(initial=-np.inf))
        orders = np.column_stack([orders[parent[kept]], sentence[kept]])
        used, alpha = now[kept], alpha[kept] / total[kept, None]
        logs = logs[parent[kept]] + np.log(total[kept])
        into = alpha @ problem.transition
    scores = logs + np.log(alpha @ problem.final)
    best = np.argsort(-scores, kind="stable")
    return Beam(orders[best], scores[best], float(dropped), n_nodes)


def _first_of_each_set(ranked: Integers, used: Flags) -> Integers:
    """Choose of the ranked beginnings the first one for each set of used sentences."""
    _, first = np.unique(np.packbits(used[ranked], axis=1), axis=0, return_index=True)
    return ranked[np.sort(first)]
