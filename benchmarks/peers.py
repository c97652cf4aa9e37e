"""The peers that had to be written: SciPy's complete link, fed frugally, and meeting in the middle."""

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster.hierarchy import linkage

from driftline.kernels.hmm import Floats
from driftline.kernels.order_problem import OrderProblem

_ROWS_AT_ONCE = 64


def unit_rows(features: sparse.csr_array) -> sparse.csr_array:
    """Scale every row to length 1; a row of zeros stays."""
    length = np.sqrt(features.multiply(features).sum(axis=1))
    unit = sparse.csr_array(sparse.diags_array(1 / np.where(length > 0, length, 1)) @ features)
    # scikit-learn takes no 64-bit indices.
    narrow = (unit.data, unit.indices.astype(np.int32), unit.indptr.astype(np.int32))
    return sparse.csr_array(narrow, shape=unit.shape)


def scipy_linkage(features: sparse.csr_array) -> NDArray[np.float64]:
    """Return SciPy's table of merges."""
    return linkage(condensed_distances(features), method="complete")


def condensed_distances(features: sparse.csr_array) -> NDArray[np.float64]:
    """Return 1 minus the cosine of every pair, filled in block by block."""
    unit = unit_rows(features.astype(np.float64))
    n, transposed, filled = unit.shape[0], unit.T.tocsr(), 0
    distances = np.empty(n * (n - 1) // 2)
    for start in range(0, n, _ROWS_AT_ONCE):
        block = (unit[start : start + _ROWS_AT_ONCE] @ transposed).toarray()
        for i, row in enumerate(block, start):
            part = distances[filled : filled + n - 1 - i]
            np.subtract(1, row[i + 1 :], out=part)
            filled += len(part)
    # Rounding may leave equal sentences a hair below 0, which linkage refuses.
    np.maximum(distances, 0, out=distances)
    return distances


def cut(merges: NDArray[np.float64], n_clusters: int) -> NDArray[np.int64]:
    """Name the clusters that are left when the table of merges is followed down to this many."""
    n = len(merges) + 1
    parent = np.arange(2 * n - 1)
    for number, (a, b) in enumerate(merges[: n - n_clusters, :2].astype(int), n):
        parent[[a, b]] = number
    # A merged cluster has a higher number than its parts, so one pass from above resolves every chain.
    for i in reversed(range(len(parent))):
        parent[i] = parent[parent[i]]
    return parent[:n]


def highest_of_all(problem: OrderProblem) -> float:
    """Return the log score of the best order: the highest of all N! scores, each of them computed."""
    return math.log(max(scores.max() for scores in meet_in_the_middle(problem))) + problem.log_offset


def count_all(problem: OrderProblem, log_score: float, tolerance: float) -> tuple[int, int]:
    """Count the orders that are better than a log score by more than the tolerance, and those within it."""
    low, high = (math.exp(log_score - problem.log_offset + sign * tolerance) for sign in (-1, 1))
    better = no_worse = 0
    for scores in meet_in_the_middle(problem):
        better += int(np.count_nonzero(scores > high))
        no_worse += int(np.count_nonzero(scores >= low))
    return better, no_worse - better


def meet_in_the_middle(problem: OrderProblem) -> Iterator[Floats]:
    """Score all orders of two or more sentences: for each set of those that come first, a matrix of scores.

    A row is an order of the set (what it brings into each state), a column an order of the others (what it
    makes of each state), and their product are the scores. Plain probabilities, without the problem's offset.
    """
    n = problem.n_sentences
    first, _, into = _all_orders(problem.initial, n // 2, problem.emission, problem.transition)
    last, ending, _ = _all_orders(problem.final, n - n // 2, problem.emission, problem.into_states)
    place = {chosen: number for number, chosen in enumerate(last)}
    for number, chosen in enumerate(first):
        others = tuple(i for i in range(n) if i not in chosen)
        yield into[number] @ ending[place[others]].T


def _all_orders(
    start: Floats, size: int, emission: Floats, step: Floats
) -> tuple[list[tuple[int, ...]], Floats, Floats]:
    """Run a chain over all orders of all sets of a size, each from those of the sets with one sentence less.

    Returns the sets and, [set, order, state], the values at the last sentence and a step after it.
    """
    sets: list[tuple[int, ...]] = [()]
    values = after = start[None, None]
    for k in range(1, size + 1):
        place = {chosen: number for number, chosen in enumerate(sets)}
        sets = list(combinations(range(len(emission)), k))
        without = [[place[chosen[:i] + chosen[i + 1 :]] for i in range(k)] for chosen in sets]
        values = after[without] * emission[sets][:, :, None]
        values = values.reshape(len(sets), -1, len(start))
        after = (values.reshape(-1, len(start)) @ step).reshape(values.shape)
    return sets, values, after
