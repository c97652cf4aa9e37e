"""What nearly all documents of a domain have: topics, or groups of topics that are one theme.

A model splits one theme into several states where its wording varies, and no document has all of them. So
states that speak alike and have the same neighbours are joined, pair by pair, until nine of ten documents
hold the group.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from driftline.model.counts import Counts

Floats = NDArray[np.float64]

NEARLY_ALL = 0.9
"""The share of documents that must hold what can be missed."""
PRESENT = 0.5
"""Sentences of a theme that a document must be expected to have, or it lacks the theme."""

_LARGEST = 0.35  # a theme of more than this share of all sentences says nothing where it is missing
_MOST_STATES = 1500  # more are not joined: their similarities would take gigabytes


@dataclass(frozen=True)
class Theme:
    """One topic, or several that are told alike and stand in the same places."""

    states: tuple[int, ...]
    share: float
    """Of unseen documents of the domain that hold it."""


def find_themes(counts: Counts, vocabulary_size: int, held: Floats) -> tuple[Theme, ...]:
    """Find what nearly all documents hold; `held[document, state]` are expected sentences, by held-out models."""
    shares = (held[:, :-1] >= PRESENT).mean(axis=0)
    groups: list[tuple[int, ...]] = [(state,) for state in np.flatnonzero(shares >= NEARLY_ALL).tolist()]
    if counts.n_states - 1 <= _MOST_STATES:
        groups += _joined(similarities(counts, vocabulary_size), held, shares >= NEARLY_ALL)
    return tuple(Theme(group, round(_share(held, group), 6)) for group in groups)


def similarities(counts: Counts, vocabulary_size: int) -> Floats:
    """Return how alike two topics are in their words and their neighbours: [state, state], 1 at most."""
    return (_alike(_words(counts, vocabulary_size)) + _alike(_neighbours(counts)))[:-1, :-1] / 2


def _joined(alike: Floats, held: Floats, alone: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Join the most similar states until a group is held by nearly all; what holds such a group is left out."""
    n = len(alike)
    if n < 2:
        return []
    distance = np.maximum(1 - (alike + alike.T) / 2, 0)
    np.fill_diagonal(distance, 0)
    members: list[tuple[int, ...]] = [(state,) for state in range(n)]
    closed = alone.tolist()
    found = []
    for left, right, *_ in linkage(squareform(distance, checks=False), "average"):
        a, b = int(left), int(right)
        members.append(tuple(sorted(members[a] + members[b])))
        closed.append(closed[a] or closed[b])
        if not closed[-1] and _share(held, members[-1]) >= NEARLY_ALL:
            closed[-1] = True
            if held[:, members[-1]].sum() <= _LARGEST * held.sum():
                found.append(members[-1])
    return found


def _share(held: Floats, states: Sequence[int]) -> float:
    return float((held[:, states].sum(axis=1) >= PRESENT).mean())


def _words(counts: Counts, vocabulary_size: int) -> sparse.csr_array:
    """[state, word] Word counts, damped, and weighed down where many states use the word."""
    words = counts.bigrams % vocabulary_size
    table = sparse.csr_array(
        (counts.bigram_counts.astype(float), (counts.bigram_states, words)), shape=(counts.n_states, vocabulary_size)
    )
    n_states = np.bincount(table.indices, minlength=vocabulary_size)
    rarity = np.maximum(np.log((counts.n_states + 1) / (n_states + 0.5)), 0)
    table.data = np.sqrt(table.data) * rarity[table.indices]
    return table


def _neighbours(counts: Counts) -> sparse.csr_array:
    """[state, neighbour] How often each state comes before or after, the edges of a document included."""
    pairs = counts.document_pair_counts
    edges = np.stack([counts.initial_counts, counts.final_counts], axis=1)
    return sparse.csr_array(np.sqrt(np.hstack([pairs, pairs.T, edges]).astype(float)))


def _alike(rows: sparse.csr_array) -> Floats:
    """Return the cosines of all rows."""
    norms = np.sqrt(rows.multiply(rows).sum(axis=1))
    scaled = sparse.csr_array(rows / np.maximum(norms, 1e-12)[:, None])
    alike: Floats = (scaled @ scaled.T).toarray()
    return alike
