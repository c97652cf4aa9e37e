"""The rank of an order among all N! (section 5.3): exactly, without visiting them.

"The rank received by the OSO when all permutations of a given document's sentences are sorted by the
probabilities that the model under consideration assigns to them. The best possible rank is 0."
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from driftline.kernels.mixed_count import MixedCounter
from driftline.kernels.mixed_problem import MixedProblem
from driftline.kernels.order_count import Counter, Tally
from driftline.kernels.order_search import Clock, OutOfTime
from driftline.kernels.threads import one_blas_thread
from driftline.model.content_model import AnyDocument
from driftline.tasks.ordering import Orderer, check_orders, check_time_limit
from driftline.tasks.problems import AnyProblem, scores_of

TIE_TOLERANCE = 1e-9
"""Two orders are equally probable if their log-probabilities differ by no more than this share of them."""

_LEAST_TOLERANCE = 1e-11  # near probability 1 a share of the log would be less than rounding

DEFAULT_TIME_LIMIT = 60.0
MAX_COUNTED = 18
"""Longer documents are ranked by sampling alone."""

_MOST_BYTES = 700 * 2**20  # for the bounds that counting needs
_MOST_NATS = 600.0  # between the best order that there could be and the one asked about, in counting
_LEAST_SAMPLES, _MOST_SAMPLES = 1_000, 200_000
_SAMPLING_WORK = 2 * 10**9  # multiplications that a sample may cost ...
_SHUFFLING_WORK = 500  # ... with what it takes to draw one sentence
_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Rank:
    """How many orders are more probable than the one asked about."""

    better: int
    """Orders that are strictly more probable: the rank, 0 at best."""
    equal: int
    """Other orders that are equally probable; the order itself is not counted."""
    n_orders: int
    """All N! of them."""
    exact: bool
    """Whether `better` and `equal` are counts; otherwise they are estimates from a random sample."""
    interval: tuple[int, int]
    """For an estimate, the 95 % confidence interval of `better`; for a count, the count twice."""

    @property
    def mean_rank(self) -> float:
        """The rank that it has on average if ties are broken at random; infinite past the range of floats."""
        try:
            return (2 * self.better + self.equal) / 2
        except OverflowError:
            return math.inf

    @property
    def credit(self) -> float:
        """How far the order is the model's prediction: 1 if it is the best one, 1 / (1 + ties) if it ties."""
        return 1 / (1 + self.equal) if self.better == 0 else 0.0


def rank(
    model: Orderer,
    document: AnyDocument,
    *,
    order: Sequence[int] | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> Rank:
    """Rank the order of a document's sentences (as they stand, or as given) among all orders of them.

    >>> import driftline
    >>> quakes = driftline.Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)
    >>> rank(driftline.fit(quakes), quakes[0])
    Rank(better=0, equal=0, n_orders=2, exact=True, interval=(0, 0))
    """
    check_time_limit(time_limit)
    problem = model.order_problem(document)
    n = problem.n_sentences
    given = check_orders([range(n) if order is None else order], n)
    log_score = float(scores_of(problem, given)[0])
    with one_blas_thread():
        return _rank(problem, log_score, Clock(time_limit))


def tie_tolerance(log_score: float) -> float:
    """Return how far the log-probability of another order may be from this one for both to be equal."""
    return max(TIE_TOLERANCE * abs(log_score), _LEAST_TOLERANCE)


def _rank(problem: AnyProblem, log_score: float, clock: Clock) -> Rank:
    counted = _try_to_count(problem, log_score, clock)
    n_orders = math.factorial(problem.n_sentences)
    tally = counted.tally
    if tally.open is None:
        return Rank(tally.better, tally.equal - 1, n_orders, exact=True, interval=(tally.better, tally.better))
    return _estimate(problem, counted, n_orders)


@dataclass(frozen=True)
class _Counted:
    """What could be counted in time, and a way to sample the rest."""

    tally: Tally[Any]
    sample: Callable[[Any, int, np.random.Generator], tuple[int, int]]


def _try_to_count(problem: AnyProblem, log_score: float, clock: Clock) -> _Counted:
    tolerance = tie_tolerance(log_score)
    bounded = _can_count(problem, log_score)

    def prepare(*, bounded: bool) -> Counter | MixedCounter:
        if isinstance(problem, MixedProblem):
            return MixedCounter.of(problem, log_score, tolerance, bounded=bounded, check_time=clock.check)
        return Counter.of(problem, log_score, tolerance, bounded=bounded, check_time=clock.check)

    try:
        counter = prepare(bounded=bounded)
    except OutOfTime:
        counter = prepare(bounded=False)
    return _Counted(counter.count(may_go_on=lambda: not clock.spent()), counter.sample)


def _can_count(problem: AnyProblem, log_score: float) -> bool:
    # Two bounds for each set: doubles for each state, and for each last sentence where pairs count.
    n_bytes = 2 * 8 * (problem.n_states + problem.n_sentences) << problem.n_sentences
    in_range = isinstance(problem, MixedProblem) or problem.log_offset - log_score <= _MOST_NATS
    return problem.n_sentences <= MAX_COUNTED and n_bytes <= _MOST_BYTES and in_range


def _estimate(problem: AnyProblem, counted: _Counted, n_orders: int) -> Rank:
    """Add what a sample says of the orders that were not settled to what was counted of the others."""
    tally = counted.tally
    assert tally.open is not None
    n_open = sum(part.n_orders for part in tally.open)
    # The sample depends on the problem alone, so that the same question has the same answer.
    content = problem.pairs.before.sum(axis=1) if isinstance(problem, MixedProblem) else problem.emission
    seed = int.from_bytes(content.tobytes()[:8], "little")
    n_samples = _n_samples(problem)
    better, equal = counted.sample(tally.open, n_samples, np.random.default_rng(seed))
    low, high = map(Fraction, binomial_interval(better, n_samples, _CONFIDENCE))
    # In whole numbers and fractions: 171! is past the range of floats.
    return Rank(
        better=tally.better + round(Fraction(better * n_open, n_samples)),
        equal=max(0, tally.equal + round(Fraction(equal * n_open, n_samples)) - 1),
        n_orders=n_orders,
        exact=False,
        interval=(tally.better + math.floor(low * n_open), tally.better + math.ceil(high * n_open)),
    )


def _n_samples(problem: AnyProblem) -> int:
    """Say how many orders to draw: by the size of the problem, not by the clock, so that results repeat."""
    wanted = _SAMPLING_WORK // (problem.n_sentences * (problem.n_states**2 + _SHUFFLING_WORK))
    return min(max(wanted, _LEAST_SAMPLES), _MOST_SAMPLES)


def binomial_interval(hits: int, n: int, confidence: float) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a share.

    >>> [round(x, 3) for x in binomial_interval(0, 100, 0.95)]
    [0.0, 0.036]
    """
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = float(betaincinv(hits, n - hits + 1, tail)) if hits else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1 - tail)) if hits < n else 1.0
    return low, high
