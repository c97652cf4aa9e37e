"""The rank of an order among all N! (section 5.3): exactly, without visiting them.

"The rank received by the OSO when all permutations of a given document's sentences are sorted by the
probabilities that the model under consideration assigns to them. The best possible rank is 0."
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from driftline.kernels.order_count import Counter, Tally
from driftline.kernels.order_problem import OrderProblem, log_scores
from driftline.kernels.threads import one_blas_thread
from driftline.model.content_model import AnyDocument
from driftline.tasks.ordering import Orderer, check_orders, check_time_limit

TIE_TOLERANCE = 1e-9
"""Two orders are equally probable if their log-probabilities differ by no more than this share of them."""

DEFAULT_TIME_LIMIT = 60.0
MAX_COUNTED = 18
"""Longer documents are ranked by sampling alone."""

_N_SAMPLES = 200_000
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
        """The rank that it has on average if ties are broken at random."""
        return self.better + self.equal / 2

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
    log_score = float(log_scores(problem, given)[0])
    with one_blas_thread():
        return _rank(problem, log_score, time.monotonic() + time_limit)


def _rank(problem: OrderProblem, log_score: float, deadline: float) -> Rank:
    counter = Counter.of(
        problem, log_score, TIE_TOLERANCE * abs(log_score), bounded=problem.n_sentences <= MAX_COUNTED
    )
    tally = counter.count(may_go_on=lambda: time.monotonic() < deadline)
    n_orders = math.factorial(problem.n_sentences)
    if tally.open is None:
        return Rank(tally.better, tally.equal - 1, n_orders, exact=True, interval=(tally.better, tally.better))
    return _estimate(counter, tally, n_orders)


def _estimate(counter: Counter, tally: Tally, n_orders: int) -> Rank:
    """Add what a sample says of the orders that were not settled to what was counted of the others."""
    assert tally.open is not None
    n_open = sum(part.n_orders for part in tally.open)
    # The sample depends on the problem alone, so that the same question has the same answer.
    seed = int.from_bytes(counter.problem.emission.tobytes()[:8], "little")
    better, equal = counter.sample(tally.open, _N_SAMPLES, np.random.default_rng(seed))
    low, high = binomial_interval(better, _N_SAMPLES, _CONFIDENCE)
    return Rank(
        better=tally.better + round(better / _N_SAMPLES * n_open),
        equal=max(0, tally.equal + round(equal / _N_SAMPLES * n_open) - 1),
        n_orders=n_orders,
        exact=False,
        interval=(tally.better + math.floor(low * n_open), tally.better + math.ceil(high * n_open)),
    )


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
