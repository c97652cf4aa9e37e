"""Emission probabilities (section 3): smoothed bigram states and the complementary insertion state.

A dense p_s(w'|w) would take gigabytes. Since log(f + d) = log d + log1p(f / d), the log-probability of a
sentence of n words is -n log|V| plus terms that differ from 0 only for the histories and bigrams seen in
training, so that scoring a corpus is one sparse product: [sentence, term] @ [term, state].
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from driftline.model.counts import Counts
from driftline.text.encoding import EncodedCorpus

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class _Seen:
    """The bigrams and histories that occur in the states that emit what they have seen."""

    bigrams: Integers
    """[bigram] Sorted, each once."""
    histories: Integers
    """[history] Sorted, each once."""
    entry_bigram: Integers
    """[entry] The row of each count among the bigrams ..."""
    entry_history: Integers
    """[entry] ... and its history's row among the histories."""
    entry_state: Integers
    entry_count: Integers
    history_counts: Integers
    """[history, state] How many bigrams begin with the history: f_c(w)."""

    @classmethod
    def of(cls, counts: Counts, vocabulary_size: int) -> Self:
        topics = counts.bigram_states < counts.n_states - 1  # etcetera's contents are ignored here
        states, values = counts.bigram_states[topics], counts.bigram_counts[topics]
        # A bigram's number is history * |V| + word: see `EncodedCorpus.bigrams`.
        bigrams, entry_bigram = np.unique(counts.bigrams[topics], return_inverse=True)
        histories, bigram_history = np.unique(bigrams // vocabulary_size, return_inverse=True)
        entry_history = bigram_history[entry_bigram]
        n_topics = counts.n_states - 1
        history_counts = np.bincount(
            entry_history * n_topics + states, weights=values, minlength=len(histories) * n_topics
        )
        history_counts = history_counts.astype(np.int64).reshape(len(histories), n_topics)
        return cls(bigrams, histories, entry_bigram, entry_history, states, values, history_counts)


@dataclass(frozen=True)
class Emissions:
    """What every state gives to every bigram, as differences from 1 / |V|."""

    vocabulary_size: int
    bigrams: Integers
    """[term] The bigrams seen, sorted."""
    histories: Integers
    """[term] The histories seen, sorted; their terms follow those of the bigrams."""
    terms: sparse.csr_array
    """[term, state] What each occurrence adds to the log-probability of its sentence."""
    seen: sparse.csr_array
    """[bigram, state] The log-probability of each bigram in each topic that has seen it."""

    @classmethod
    def estimate(cls, counts: Counts, vocabulary_size: int, smoothing: float) -> Self:
        """Estimate p_s(w'|w) = (f(ww') + delta_1) / (f(w) + delta_1 |V|), and its complement for the last state."""
        seen = _Seen.of(counts, vocabulary_size)
        n_bigrams, n_histories, insertion = len(seen.bigrams), len(seen.histories), counts.n_states - 1
        rows, states = np.nonzero(seen.history_counts)
        history_terms = -np.log1p(seen.history_counts[rows, states] / (smoothing * vocabulary_size))
        bigram_insertion, history_insertion = _complement(seen, vocabulary_size, smoothing)
        parts = [
            (np.log1p(seen.entry_count / smoothing), seen.entry_bigram, seen.entry_state),
            (bigram_insertion, np.arange(n_bigrams), np.full(n_bigrams, insertion)),
            (history_terms, n_bigrams + rows, states),
            (history_insertion, n_bigrams + np.arange(n_histories), np.full(n_histories, insertion)),
        ]
        values, term, state = (np.concatenate(column) for column in zip(*parts, strict=True))
        terms = sparse.csr_array((values, (term, state)), shape=(n_bigrams + n_histories, counts.n_states))
        terms.sort_indices()
        # log p by way of 1 - p, which keeps its digits where p is almost 1
        held = seen.history_counts[seen.entry_history, seen.entry_state]
        others = held - seen.entry_count + smoothing * (vocabulary_size - 1)
        log_p = np.log1p(-others / (held + smoothing * vocabulary_size))
        full = sparse.csr_array((log_p, (seen.entry_bigram, seen.entry_state)), shape=(n_bigrams, counts.n_states))
        return cls(vocabulary_size, seen.bigrams, seen.histories, terms, full)

    def score(self, corpus: EncodedCorpus) -> Floats:
        """Return the log-probability that each state gives to each sentence: [sentence, state]."""
        n_words, n_bigrams = np.diff(corpus.sentence_offsets), len(self.bigrams)
        # START, one past the words, is a history too.
        place = np.full(self.vocabulary_size + 1, -1)
        place[self.histories] = np.arange(len(self.histories))
        bigram = _occurrences(_rows(self.bigrams, corpus.bigrams), n_bigrams, corpus)
        history = _occurrences(place[corpus.histories], len(self.histories), corpus)
        # Most histories occur in many states, and most bigrams in few: one part is quicker dense, one sparse.
        scores: Floats = history @ self._history_terms
        scores += (bigram @ self.terms[:n_bigrams]).toarray()
        scores -= (n_words * np.log(self.vocabulary_size))[:, None]
        self._sharpen(scores, bigram)
        return scores

    @cached_property
    def _history_terms(self) -> Floats:
        terms: Floats = self.terms[len(self.bigrams) :].toarray()
        return terms

    def _sharpen(self, scores: Floats, bigram: sparse.csr_array) -> None:
        """Compute anew what is almost certain, where large terms cancelled and left nothing but rounding.

        A sentence with a bigram that a topic has not seen has at most 1 / |V| there, so a higher score is a
        sum of seen bigrams alone.
        """
        near = scores[:, :-1] > -np.log(self.vocabulary_size) + 1e-9
        rows = np.flatnonzero(near.any(axis=1))
        if len(rows):
            exact = (bigram[rows] @ self.seen).toarray()[:, :-1]
            scores[rows, :-1] = np.where(near[rows], exact, scores[rows, :-1])
        # A probability of 1 may come out as 1 and some rounding.
        np.minimum(scores, 0.0, out=scores)


def _complement(seen: _Seen, vocabulary_size: int, smoothing: float) -> tuple[Floats, Floats]:
    """Return the insertion state's terms of the bigrams and of the histories seen.

    p_m(w'|w) = q(w'|w) / sum over u in V of q(u|w), with q(w'|w) = 1 - max over the other states of
    p_s(w'|w). All words never seen after w share one q, so the sum needs only the seen ones. Every q is
    computed as (f(w) - f(ww') + delta_1 (|V| - 1)) / (f(w) + delta_1 |V|): 1 - p would lose its digits.
    """
    # With one type, or no topic that has seen anything, the complement is uniform.
    if vocabulary_size == 1 or not len(seen.bigrams):
        return np.zeros(len(seen.bigrams)), np.zeros(len(seen.histories))
    others = smoothing * (vocabulary_size - 1)
    # A word never seen after w has its highest p, d1 / (f(w) + d1 |V|), in the topic where w is rarest.
    least_seen = seen.history_counts.min(axis=1)
    unseen_q = (least_seen + others) / (least_seen + smoothing * vocabulary_size)
    history_count = seen.history_counts[seen.entry_history, seen.entry_state]
    entry_q = (history_count - seen.entry_count + others) / (history_count + smoothing * vocabulary_size)
    history_of_bigram = np.zeros(len(seen.bigrams), dtype=np.int64)
    history_of_bigram[seen.entry_bigram] = seen.entry_history
    q = unseen_q[history_of_bigram]
    # The complement of the highest p is the lowest complement.
    np.minimum.at(q, seen.entry_bigram, entry_q)
    n_seen = np.bincount(history_of_bigram, minlength=len(seen.histories))
    total = np.bincount(history_of_bigram, weights=q, minlength=len(seen.histories))
    total += (vocabulary_size - n_seen) * unseen_q
    history_terms = np.log(unseen_q) - np.log(total) + np.log(vocabulary_size)
    bigram_terms = np.log(q) - np.log(unseen_q[history_of_bigram])
    return bigram_terms, history_terms


def _occurrences(term: Integers, n_terms: int, corpus: EncodedCorpus) -> sparse.csr_array:
    """Tell how often each term stands in each sentence, from the term of each word, -1 where it has none."""
    known = term >= 0
    ends = np.concatenate([[0], np.cumsum(known)])[corpus.sentence_offsets]
    # 32-bit indices halve what the product has to read.
    columns = term[known].astype(np.int32)
    return sparse.csr_array(
        (np.ones(len(columns)), columns, ends.astype(np.int32)), shape=(corpus.n_sentences, n_terms)
    )


def _rows(known: Integers, wanted: Integers) -> Integers:
    """Return the place of each wanted number in a sorted list, -1 where it is not there."""
    if not len(known):
        return np.full(len(wanted), -1)
    place = np.searchsorted(known, wanted)
    place[place == len(known)] = 0
    place[known[place] != wanted] = -1
    return place
