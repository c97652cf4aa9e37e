"""Which documents tell of the same event: they must not help to judge each other."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from driftline.kernels.hmm import Integers
from driftline.text.corpus import Document

_MUCH_SHARED = 0.5
_FEW = 5


def stories(documents: Sequence[Document]) -> Integers:
    """Number the story of each document: as its source says, or else documents that repeat each other's sentences.

    Wire stories are sent again with small updates. Where nothing names their story, documents of which one
    holds half of the other's sentences, word for word, count as one story.
    """
    parent = list(range(len(documents)))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    first: dict[str, int] = {}
    for i, document in enumerate(documents):
        if document.story is not None:
            parent[root(i)] = root(first.setdefault(document.story, i))
    for i, j in _much_alike(documents):
        parent[root(j)] = root(i)
    numbers: dict[int, int] = {}
    return np.array([numbers.setdefault(root(i), len(numbers)) for i in range(len(documents))], dtype=np.int64)


def _much_alike(documents: Sequence[Document]) -> Iterator[tuple[int, int]]:
    """Find pairs of documents without a named story that repeat each other."""
    holders: dict[str, list[int]] = {}
    for i, document in enumerate(documents):
        for sentence in set(document.sentences) if document.story is None else ():
            holders.setdefault(sentence, []).append(i)
    # What many documents hold is a formula and tells nothing of their stories.
    rare = [held for held in holders.values() if len(held) <= _FEW]
    shared = Counter(pair for held in rare for pair in combinations(held, 2))
    for (i, j), count in shared.items():
        if count >= _MUCH_SHARED * min(len(documents[i]), len(documents[j])):
            yield i, j
