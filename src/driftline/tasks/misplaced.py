"""Sentences that may stand in the wrong place: what moving each one elsewhere would gain.

Every single move is scored by whatever orders are scored by. A sentence that was moved gains at many places,
its neighbours only where they change sides with it, so sentences are ranked by how probable all other places
together are, beside their own.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftline.model.content_model import AnyDocument
from driftline.tasks.ordering import Orderer, score_orders

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_MOST_WORK = 2 * 10**10  # multiplications that scoring all moves may cost
_FEWEST_PLACES = 4


@dataclass(frozen=True)
class Move:
    """A sentence, and where it would stand best."""

    sentence: int
    """Its place as the document stands, from 0."""
    place: int
    """Its place after the best move; its own where no other is better."""
    gain: float
    """How much the best move adds to the log-probability of the order; below 0 where every move costs."""
    doubt: float
    """The log of the odds of all other places against its own."""


def rank_moves(model: Orderer, document: AnyDocument, n_sentences: int, n_states: int) -> tuple[Move, ...] | None:
    """Rank the sentences of a document, the most doubtful place first; None if the document is too long."""
    if n_sentences < 2:
        return ()
    most = _MOST_WORK // (n_sentences**2 * n_states**2)
    if most < min(_FEWEST_PLACES, n_sentences):
        return None
    places = _places(n_sentences, min(most, n_sentences))
    moves = [(sentence, int(place)) for sentence in range(n_sentences) for place in places if place != sentence]
    orders = [list(range(n_sentences)), *(moved(n_sentences, *move) for move in moves)]
    scores = score_orders(model, document, orders)
    gains = scores[1:] - scores[0]
    sentences = np.array([sentence for sentence, _ in moves])
    return _ranked(sentences, np.array([place for _, place in moves]), gains)


def moved(n_sentences: int, sentence: int, place: int) -> list[int]:
    """Return the order in which one sentence has moved to a place.

    >>> moved(4, 0, 2)
    [1, 2, 0, 3]
    """
    order = [other for other in range(n_sentences) if other != sentence]
    order.insert(place, sentence)
    return order


def _places(n_sentences: int, most: int) -> Integers:
    """Choose the places to try: all of them, or as many as can be afforded, spread over the document."""
    return np.unique(np.linspace(0, n_sentences - 1, most).round().astype(np.int64))


def _ranked(sentences: Integers, places: Integers, gains: Floats) -> tuple[Move, ...]:
    found = []
    for sentence in np.unique(sentences):
        own = sentences == sentence
        best = int(np.argmax(gains[own]))
        gain = float(gains[own][best])
        place = int(places[own][best]) if gain > 0 else int(sentence)
        found.append(Move(int(sentence), place, gain, float(np.logaddexp.reduce(gains[own]))))
    return tuple(sorted(found, key=lambda move: (-round(move.doubt, 9), move.sentence)))
