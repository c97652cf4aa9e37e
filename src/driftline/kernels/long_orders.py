"""Good orders of many sentences: from the pairs' own ranking, improved by moving one sentence at a time."""

from collections.abc import Callable

import numpy as np
from scipy.optimize import linear_sum_assignment

from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.mixed_problem import MixedProblem
from driftline.kernels.pair_terms import PairTerms

_LEAST_GAIN = 1e-9
_MOVES_TRIED = 32  # scored in full, chains included, of all n^2 moves


def improve(
    problem: MixedProblem, n_best: int, *, out_of_time: Callable[[], bool] = lambda: False
) -> tuple[Integers, Floats]:
    """Return good orders, best first, and their scores; always the same ones where time suffices.

    The first order ranks sentences by what they gain by being early. Then, of the moves of one sentence to
    another place that look best by the pairs, the best is made, until none helps.
    """
    lead = problem.pairs.before - problem.pairs.before.T
    order = np.argsort(-lead.sum(axis=1), kind="stable")
    # First by the pairs alone, which is quick, and then by everything.
    while (gains := move_gains(problem.pairs, order)).max() > _LEAST_GAIN and not out_of_time():
        order = _moved(order, int(gains.argmax()))
    score = float(problem.log_scores(order[None])[0])
    while True:
        moved = _promising_moves(problem.pairs, order, max(_MOVES_TRIED, n_best))
        scores = problem.log_scores(moved)
        best = int(scores.argmax()) if len(moved) else -1
        if best < 0 or scores[best] <= score or out_of_time():
            break
        order, score = moved[best], float(scores[best])
    next_best = np.argsort(-scores, kind="stable")[: n_best - 1]
    return np.vstack([order[None], moved[next_best]]), np.concatenate([[score], scores[next_best]])


def move_gains(pairs: PairTerms, order: Integers) -> Floats:
    """Return what the pairs gain when the sentence at one place moves to another: [from, to]."""
    n = len(order)
    before = pairs.before[np.ix_(order, order)]
    lead = np.cumsum(np.pad(before - before.T, ((0, 0), (1, 0))), axis=1)
    own = np.arange(n)[:, None]
    # Whatever lies between is passed: [from, to] sums of lead over the places from `from` to `to`.
    passed = np.where(own < np.arange(n), lead[own, own + 1] - lead[:, 1:], lead[own, own] - lead[:, :-1])
    # The beginning is place 0 here, and after the last sentence nothing is gained.
    steps = np.zeros((n + 2, n + 2))
    steps[0, 1:-1], steps[1:-1, 1:-1] = pairs.first[order], pairs.following[np.ix_(order, order)]
    place = np.arange(1, n + 1)[:, None]
    to = np.arange(1, n + 1)[None]
    ahead, behind = np.where(to < place, to - 1, to), np.where(to < place, to, to + 1)
    joined = steps[place - 1, place + 1] - steps[place - 1, place] - steps[place, place + 1]
    entered = steps[ahead, place] + steps[place, behind] - steps[ahead, behind]
    gains: Floats = passed + np.where(to == place, -np.inf, joined + entered)
    return gains


def loose_bound(pairs: PairTerms) -> float:
    """Return a bound on what the pairs of any order can gain: each kind of term at its own best."""
    best = np.maximum(pairs.before, pairs.before.T)
    n = pairs.n_sentences
    # Each sentence but the first follows another one: assigned freely, that is no less than any order has.
    worst = min(pairs.first.min(), pairs.following.min()) - 1.0
    gains = np.vstack([pairs.first, np.where(np.eye(n, dtype=bool), worst * (n + 1), pairs.following)])
    rows, columns = linear_sum_assignment(gains, maximize=True)
    return float(np.triu(best, 1).sum() + gains[rows, columns].sum())


def _promising_moves(pairs: PairTerms, order: Integers, n_tried: int) -> Integers:
    """List the orders that the moves make by which the pairs gain most, or lose least."""
    gains = move_gains(pairs, order)
    ranked = np.argsort(-gains, axis=None, kind="stable")[:n_tried]
    ranked = ranked[np.isfinite(gains.ravel()[ranked])]
    moved = [_moved(order, int(move)) for move in ranked]
    return np.unique(np.array(moved, dtype=np.int64).reshape(-1, len(order)), axis=0)


def _moved(order: Integers, move: int) -> Integers:
    """Make a move, named by its place in the flat array of gains."""
    origin, to = divmod(move, len(order))
    return np.insert(np.delete(order, origin), to, order[origin])
