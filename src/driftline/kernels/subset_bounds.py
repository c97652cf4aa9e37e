"""What any order of a set of sentences can still reach: bounds for all subsets.

For a set S of sentences left and a state s that the chain is in,

    H[S][s] = max over i in S of sum over j of transition[s, j] emission[i, j] H[S - i][j],   H[{}] = final

is at least the forward probability of every order of S from s: the maximum is taken for each state
apart, and no single order could do better than that. With `min` for `max` it is at most that of every order.
Sets are bit masks; those of one size are worked through in blocks, each a matrix product.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.order_problem import OrderProblem

MAX_SENTENCES = 20
"""Up to here all subsets are always worked out: 2^20 sets of 70 states in single precision are 300 MB."""

_MAX_BYTES = 700 * 2**20  # and past that, as long as they take no more than this
_BYTES_A_SET = 40  # for the lists of sets, while they are sorted by size

_ROWS_AT_ONCE = 4096
_DOUBLE_RANGE = 600.0  # nats that products may span without leaving the type's range
_SINGLE_STEP = 8.0  # nats between transitions, past which good orders may need more than single precision has
_SINGLE_TOP = 60.0  # nats that the largest bound may reach: they fall by some with every sentence ...
_SINGLE_FLOOR = 1e-28  # ... to no less than this, far above what single precision cannot tell from 0
_SINGLE_SLACK, _DOUBLE_SLACK = 3e-5, 1e-12  # more than all roundings of 20 products together

Values = NDArray[np.floating]


@dataclass(frozen=True)
class SubsetBounds:
    """A bound for every set of sentences left."""

    values: Values
    """[set, state], scaled by `log_step` a sentence; rounded to the safe side."""
    log_step: float

    @property
    def slack(self) -> float:
        """By how much they may be too high for want of precision, in nats."""
        return 2 * (_SINGLE_SLACK if self.values.dtype == np.float32 else _DOUBLE_SLACK)

    def reach(self, alpha: Floats, left: NDArray[np.bool_], n_left: Integers) -> Floats:
        """Return the log of a bound on what follows each row of alpha with these sentences left."""
        sets = left @ (1 << np.arange(left.shape[1]))
        with np.errstate(divide="ignore"):
            result: Floats = np.log((alpha * self.values[sets]).sum(axis=1)) - self.log_step * n_left
        return result


def subsets_fit(problem: OrderProblem) -> bool:
    """Tell whether bounds for all subsets can be had."""
    size = 4 if _single_suffices(problem) else 8
    n_bytes = size * problem.n_states + _BYTES_A_SET << problem.n_sentences
    return problem.n_sentences <= MAX_SENTENCES or n_bytes <= _MAX_BYTES


def subset_bounds(
    problem: OrderProblem, *, lowest: bool = False, double: bool = False, check_time: Callable[[], None] | None = None
) -> SubsetBounds:
    """Work out the bounds of all sets: upper ones, or the lowest that any order reaches.

    Single precision is enough to guide a search; `double` is for counting, where tighter bounds pay.
    `check_time` is called between blocks and may raise.
    """
    n = problem.n_sentences
    single = not double and _single_suffices(problem)
    # Scaled so that no state passes on more than 1 in all: no bound exceeds the largest final value, 1, ...
    log_step = -float(np.log(problem.transition.sum(axis=1).max()))
    if single:
        log_step += _SINGLE_TOP / max(n, 1)  # ... or the top
    transition = problem.transition * np.exp(log_step)
    emission, floor = problem.emission, 0.0
    # Raising what is smallest keeps an upper bound one, and products within the type's range.
    if not lowest and single:
        floor = _SINGLE_FLOOR
        emission = np.maximum(emission, floor)
    elif not lowest:
        transition = np.maximum(transition, np.exp(-_DOUBLE_RANGE / max(n, 1)))
    slack = _SINGLE_SLACK if single else _DOUBLE_SLACK
    kind = np.float32 if single else np.float64
    values = np.empty((1 << n, problem.n_states), dtype=kind)
    values[0] = problem.final * (1 - slack if lowest else 1 + slack)
    step = _Step(emission.astype(kind), np.ascontiguousarray(transition.T.astype(kind)), floor, lowest=lowest)
    for size, sets in enumerate(sets_by_size(n)[1:], 1):
        rows = max(1, _ROWS_AT_ONCE // size)
        for start in range(0, len(sets), rows):
            if check_time is not None:
                check_time()
            step.apply(values, sets[start : start + rows], size)
    return SubsetBounds(values, log_step)


def _single_suffices(problem: OrderProblem) -> bool:
    """Tell whether bounds for a search can be had in single precision: not where transitions are far apart."""
    least = problem.transition.max() * np.exp(-_SINGLE_STEP)
    return bool(problem.transition.min() >= least and problem.final.min() >= np.exp(-_SINGLE_STEP))


@dataclass(frozen=True)
class _Step:
    """The recursion, for some sets of one size at once."""

    emission: Values
    into_states: Values
    floor: float
    lowest: bool

    def apply(self, values: Values, sets: Integers, size: int) -> None:
        sentence = members(sets, size, len(self.emission)).T
        after = np.take(values, (sets ^ (1 << sentence)).ravel(), axis=0)
        after *= self.emission[sentence.ravel()]
        reached = (after @ self.into_states).reshape(size, len(sets), -1)
        values[sets] = reached.min(axis=0) if self.lowest else reached.max(axis=0, initial=self.floor)


def sets_by_size(n: int) -> list[Integers]:
    """List all sets of n sentences, those of each size together."""
    sets = np.arange(1 << n)
    sizes = np.zeros(1 << n, dtype=np.int8)
    for i in range(n):
        sizes += ((sets >> i) & 1).astype(np.int8)
    order = np.argsort(sizes, kind="stable")
    return np.split(order, np.searchsorted(sizes[order], np.arange(1, n + 1)))


def members(sets: Integers, size: int, n: int) -> Integers:
    """List the sentences of sets of one size: [set, place]."""
    inside = (sets[:, None] >> np.arange(n)) & 1
    return np.nonzero(inside)[1].reshape(len(sets), size)
