"""Ribbons: every document as a strip of topics in reading order, and orders in which strips tell most."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from driftline.explorer.subject import Documents, Subject, TopicName

MOST_DOCUMENTS = 20_000
_FEW = 3  # documents that need no further sorting
_ROUNDS = 12

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ribbons:
    """All that the page draws."""

    names: tuple[TopicName, ...]
    ids: tuple[str, ...]
    states: tuple[tuple[int, ...], ...]
    """The topic of each sentence of each document."""
    surprise: tuple[float, ...]
    """How odd each document is: minus its log-probability, a word."""
    by_likeness: tuple[int, ...]
    by_length: tuple[int, ...]
    by_oddness: tuple[int, ...]
    """Documents by number, the odd ones first."""
    n_documents: int
    """How many there are in all, should not all of them be here."""
    unknown: float
    """The share of words that the model has never seen."""
    are_training: bool


def ribbons(subject: Subject) -> Ribbons:
    """Lay out the documents of a subject as strips of topics."""
    assert subject.documents is not None
    return replace(subject.documents.once(_ribbons), names=subject.names)


def _ribbons(documents: Documents) -> Ribbons:
    """Lay them out, with no names of topics: those can change."""
    tagged = documents.tagged()
    n = min(len(documents.corpus), MOST_DOCUMENTS)
    states = [tagged.states_of(d) for d in range(n)]
    surprise = -tagged.log_probability[:n] / np.maximum(tagged.n_words[:n], 1)
    lengths = np.array([len(row) for row in states])
    return Ribbons(
        names=(),
        ids=tuple(document.id for document in documents.corpus.documents[:n]),
        states=tuple(tuple(map(int, row)) for row in states),
        surprise=tuple(round(float(value), 4) for value in surprise),
        by_likeness=tuple(likeness_order(_profiles(documents.model.n_states, states))),
        by_length=tuple(map(int, np.argsort(-lengths, kind="stable"))),
        by_oddness=tuple(map(int, np.argsort(-surprise, kind="stable"))),
        n_documents=len(documents.corpus),
        unknown=tagged.unknown,
        are_training=documents.are_training,
    )


def _profiles(n_states: int, states: list[NDArray[np.int64]]) -> Floats:
    """Describe each document by the topics it holds, those that few documents hold counting more."""
    held = np.zeros((len(states), n_states))
    for row, topics in zip(held, states, strict=True):
        row[topics] = 1.0
    rarity = np.log((1 + len(states)) / (1 + held.sum(axis=0)))
    profiles = held * rarity
    lengths = np.linalg.norm(profiles, axis=1, keepdims=True)
    scaled: Floats = profiles / np.where(lengths > 0, lengths, 1.0)
    return scaled


def likeness_order(profiles: Floats) -> list[int]:
    """Put like rows beside one another: halve them along the direction in which they differ most, again and again.

    >>> likeness_order(np.array([[1.0, 0.0], [0.0, 1.0], [0.9, 0.1], [0.1, 0.9]]))
    [3, 1, 2, 0]
    """
    order: list[int] = []
    # Halves still to be cut, each with a row that its near end should be like.
    waiting = [(np.arange(len(profiles)), profiles.sum(axis=0))]
    while waiting:
        rows, near = waiting.pop()
        if len(rows) <= 1:
            order += rows.tolist()
            continue
        along = _main_direction(profiles[rows])
        ranked = rows[np.argsort(along, kind="stable")]
        if profiles[ranked[-1]] @ near > profiles[ranked[0]] @ near:
            ranked = ranked[::-1]
        if len(ranked) <= _FEW:
            order += ranked.tolist()
            continue
        middle = len(ranked) // 2
        first, second = ranked[:middle], ranked[middle:]
        waiting.append((second, profiles[first].mean(axis=0)))
        waiting.append((first, near))
    return order


def _main_direction(rows: Floats) -> Floats:
    """Return where each row stands along the direction of the greatest variance."""
    centred = rows - rows.mean(axis=0)
    # A few rounds of power iteration from the row farthest out: the direction need not be exact.
    along: Floats = centred @ centred[np.linalg.norm(centred, axis=1).argmax()]
    for _ in range(_ROUNDS):
        direction = along @ centred
        along = centred @ (direction / max(float(np.linalg.norm(direction)), 1e-12))
    return np.round(along, 9)
