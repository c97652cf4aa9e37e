"""The model of design section 4 as one would first write it: dictionaries, loops, a small NumPy Viterbi.

It is the peer that nobody else has published: the same formulas, so the same states have to come out.
"""

import itertools
import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Documents = list[list[list[str]]]
START = None


class PlainModel:
    """Bigram states, the complementary insertion state and transitions from counts of documents."""

    def __init__(self, documents: Documents, paths: list[list[int]], n_states: int, d1: float, d2: float) -> None:
        self.m, self.d1 = n_states, d1
        self.types = {word for document in documents for sentence in document for word in sentence}
        self.size = len(self.types) + 1
        self.bigrams = [Counter() for _ in range(n_states)]
        self.histories = [Counter() for _ in range(n_states)]
        for document, path in zip(documents, paths, strict=True):
            for sentence, state in zip(document, path, strict=True):
                self.bigrams[state].update(itertools.pairwise([START, *sentence]))
                self.histories[state].update([START, *sentence[:-1]] if sentence else [])
        self.seen_after: dict[str | None, set[str]] = {}
        for history, word in itertools.chain.from_iterable(self.bigrams[:-1]):
            self.seen_after.setdefault(history, set()).add(word)
        self.total_rest: dict[str | None, float] = {}
        self._estimate_transitions(paths, d2)

    def _estimate_transitions(self, paths: list[list[int]], d2: float) -> None:
        held, pairs = np.zeros(self.m), np.zeros((self.m, self.m))
        first, last = np.zeros(self.m), np.zeros(self.m)
        for path in paths:
            held[list(set(path))] += 1
            for pair in set(itertools.pairwise(path)):
                pairs[pair] += 1
            first[path[0]] += 1
            last[path[-1]] += 1
        self.log_initial = np.log((first + d2) / (len(paths) + d2 * self.m))
        self.log_transition = np.log((pairs + d2) / (held + d2 * self.m)[:, None])
        self.log_final = np.log((last + d2) / (held + d2 * self.m))

    def probability(self, state: int, history: str | None, word: str) -> float:
        """Return p_s(w'|w) of a topic."""
        seen = self.bigrams[state][history, word]
        return (seen + self.d1) / (self.histories[state][history] + self.d1 * self.size)

    def rest(self, history: str | None, word: str) -> float:
        """Return what the insertion state gives to a bigram, before it is normalised."""
        return 1 - max(self.probability(state, history, word) for state in range(self.m - 1))

    def complement(self, history: str | None, word: str) -> float:
        """Return p_m(w'|w); the sum over all words is kept for each history."""
        if history not in self.total_rest:
            seen = self.seen_after.get(history, set())
            unseen = (self.size - len(seen)) * self.rest(history, "a word\nnever seen")
            self.total_rest[history] = math.fsum(self.rest(history, u) for u in seen) + unseen
        return self.rest(history, word) / self.total_rest[history]

    def log_emission(self, sentence: list[str]) -> list[float]:
        """Return the log-probability that each state gives to a sentence."""
        known = [word if word in self.types else "<UNK>" for word in sentence]
        bigrams = list(itertools.pairwise([START, *known]))
        row = [sum(math.log(self.probability(state, *bigram)) for bigram in bigrams) for state in range(self.m - 1)]
        return [*row, sum(math.log(self.complement(*bigram)) for bigram in bigrams)]

    def v_topics(self, document: list[list[str]]) -> list[int]:
        """Return the best path, by the dense Viterbi algorithm."""
        emission = np.array([self.log_emission(sentence) for sentence in document])
        delta, back = self.log_initial + emission[0], []
        for row in emission[1:]:
            scores = delta[:, None] + self.log_transition
            back.append(scores.argmax(axis=0))
            delta = scores.max(axis=0) + row
        path = [int((delta + self.log_final).argmax())]
        for best in reversed(back):
            path.append(int(best[path[-1]]))
        return path[::-1]
