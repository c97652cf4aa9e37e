"""Information ordering (section 4.1): the order of sentences to which a model gives the highest probability."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from driftline.errors import InputError
from driftline.kernels.order_search import ROUNDING
from driftline.model.content_model import AnyDocument
from driftline.tasks.problems import AnyProblem, best_of, scores_of

DEFAULT_TIME_LIMIT = 10.0


class Orderer(Protocol):
    """Anything that can say how good an order of sentences is: a content model or one of its rivals."""

    def order_problem(self, document: AnyDocument) -> AnyProblem:
        """State the problem of ordering the sentences of a document."""
        ...


@dataclass(frozen=True)
class Ordering:
    """The best order that was found, and what is known of all others."""

    order: tuple[int, ...]
    """The sentences by their places in the input: `order[0]` comes first."""
    log_probability: float
    """Of this order, by the forward algorithm."""
    proved: bool
    """Whether no order of these sentences has a higher probability."""
    upper_bound: float
    """No order has a higher log-probability than this; equal to `log_probability` if that is proved."""
    n_nodes: int
    """How many beginnings of orders had to be looked at: a measure of how hard it was."""


def order(model: Orderer, sentences: AnyDocument, *, time_limit: float = DEFAULT_TIME_LIMIT) -> Ordering:
    """Put sentences in the order that the model finds most probable.

    Up to 20 sentences the order is proved best: in milliseconds up to 12 or so, in seconds
    at 20. Past that it is the best one found within `time_limit` seconds, with an upper bound on what any
    order could reach.

    >>> import driftline
    >>> quakes = driftline.Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)
    >>> best = order(driftline.fit(quakes), [["no", "one", "died"], ["a", "quake", "hit"]])
    >>> best.order, best.proved
    ((1, 0), True)
    """
    check_time_limit(time_limit)
    problem = model.order_problem(sentences)
    found = best_of(problem, time_limit=time_limit)
    return Ordering(found.orders[0], found.log_scores[0], found.proved, found.upper_bound, found.n_nodes)


def score_orders(model: Orderer, sentences: AnyDocument, orders: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Return the log-probability of each of these orders: whatever :func:`order` maximises.

    >>> import driftline
    >>> quakes = driftline.Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)
    >>> scores = score_orders(driftline.fit(quakes), quakes[0], [[0, 1], [1, 0]])
    >>> bool(scores[0] > scores[1])
    True
    """
    problem = model.order_problem(sentences)
    return scores_of(problem, check_orders(orders, problem.n_sentences))


def choose_order(model: Orderer, sentences: AnyDocument, orders: Sequence[Sequence[int]]) -> Ordering:
    """Choose the most probable of some candidate orders; of equal ones the first.

    >>> import driftline
    >>> quakes = driftline.Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)
    >>> choose_order(driftline.fit(quakes), quakes[0], [[1, 0], [0, 1]]).order
    (0, 1)
    """
    scores = score_orders(model, sentences, orders)
    best = int(np.flatnonzero(scores >= scores.max() - ROUNDING)[0])
    chosen = tuple(map(int, orders[best]))
    return Ordering(chosen, float(scores[best]), proved=True, upper_bound=float(scores[best]), n_nodes=len(orders))


def check_orders(orders: Sequence[Sequence[int]], n_sentences: int, name: str = "orders") -> NDArray[np.int64]:
    """Return orders as an array, or say which of them is no order of all sentences."""
    if not len(orders):
        raise InputError(f"{name}: expected at least one order, got none")
    for number, given in enumerate(orders, 1):
        places = list(given) if isinstance(given, (Sequence, np.ndarray)) else [given]
        whole = all(isinstance(place, (int, np.integer)) for place in places)
        if not whole or sorted(places) != list(range(n_sentences)):
            raise InputError(
                f"{name}: order {number} is {given!r:.80}, but an order names each of the places "
                f"0 to {n_sentences - 1} once"
            )
    return np.array([list(given) for given in orders], dtype=np.int64)


def check_time_limit(time_limit: float) -> None:
    """Refuse what is no number of seconds."""
    number = isinstance(time_limit, (int, float)) and not isinstance(time_limit, bool)
    if not number or math.isnan(time_limit) or time_limit < 0:
        raise InputError(f"time_limit: expected a number of seconds of at least 0, got {time_limit!r}")
