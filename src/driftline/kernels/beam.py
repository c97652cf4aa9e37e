"""A beam search for good orders, guided by bounds on what each beginning can still reach."""

from collections.abc import Callable
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


def may_follow(problem: OrderProblem, used: Flags) -> tuple[Integers, Integers]:
    """List which sentences may come next in each row: all that are left, but of twins the first only."""
    allowed = ~used
    has_twin = problem.earlier_twin >= 0
    allowed[:, has_twin] &= used[:, problem.earlier_twin[has_twin]]
    row, sentence = np.nonzero(allowed)
    return row, sentence


def beam_search(
    problem: OrderProblem, width: int, guide: Guide, *, out_of_time: Callable[[], bool] = lambda: False
) -> tuple[Integers, Floats]:
    """Return good orders, [order, place], and the logs of their scores, best first.

    Of beginnings with the same sentences only the most promising is kept, so that a beam holds variety.
    When time is up the most promising of all is finished alone.
    """
    n = problem.n_sentences
    orders = np.zeros((1, 0), dtype=np.int64)
    used = np.zeros((1, n), dtype=bool)
    into, logs = problem.initial[None], np.zeros(1)
    for step in range(n):
        parent, sentence = may_follow(problem, used)
        alpha = into[parent] * problem.emission[sentence]
        total = alpha.sum(axis=1)
        now = used[parent]
        now[np.arange(len(parent)), sentence] = True
        n_left = np.full(len(parent), n - step - 1)
        guess = logs[parent] + np.log(total) + guide.reach(alpha / total[:, None], ~now, n_left)
        kept = _best_of_each_set(guess, now, 1 if out_of_time() else width, last=step == n - 1)
        orders = np.column_stack([orders[parent[kept]], sentence[kept]])
        used, alpha = now[kept], alpha[kept] / total[kept, None]
        logs = logs[parent[kept]] + np.log(total[kept])
        into = alpha @ problem.transition
    scores = logs + np.log(alpha @ problem.final)
    best = np.argsort(-scores, kind="stable")
    return orders[best], scores[best]


def _best_of_each_set(guess: Floats, used: Flags, width: int, *, last: bool) -> Integers:
    """Choose up to `width` beginnings; while sentences are left, one for each set of used ones."""
    ranked = np.argsort(-guess, kind="stable")[: 8 * width]
    if last:
        return ranked[:width]
    _, first = np.unique(np.packbits(used[ranked], axis=1), axis=0, return_index=True)
    return ranked[np.sort(first)[:width]]
