"""Counts: all that a content model knows of its training documents.

Counts are integers and add up: those of two sets of documents, added, are those of their union.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from driftline.text.encoding import EncodedCorpus

Integers = NDArray[np.int64]

N_POSITIONS = 10
"""Into how many parts of equal length a document is cut to count where a state stands."""


@dataclass(frozen=True)
class Counts:
    """How often bigrams occur within clusters, and documents hold clusters and pairs of them."""

    bigrams: Integers
    """[entry] The bigrams (`EncodedCorpus.bigrams`) that occur, sorted by bigram, then state."""
    bigram_states: Integers
    """[entry] The state in whose sentences it occurs."""
    bigram_counts: Integers
    """[entry] How often: f_c(ww')."""
    document_counts: Integers
    """[state] Documents with a sentence of the cluster: D(c)."""
    document_pair_counts: Integers
    """[from, to] Documents in which a sentence of one cluster immediately precedes one of the other: D(c, c')."""
    initial_counts: Integers
    """[state] Documents that begin with a sentence of the cluster."""
    final_counts: Integers
    """[state] Documents that end with a sentence of the cluster."""
    sentence_counts: Integers
    """[state] Sentences in the cluster."""
    position_counts: Integers
    """[state, part] Sentences of the cluster in each tenth of their documents."""
    n_documents: int

    @property
    def n_states(self) -> int:
        """The number of states."""
        return len(self.document_counts)

    @classmethod
    def of(cls, corpus: EncodedCorpus, states: Integers, n_states: int) -> Self:
        """Count documents whose sentences are given their states."""
        documents = corpus.document_of_sentence
        lengths = np.diff(corpus.document_offsets)
        follows = np.flatnonzero(documents[1:] == documents[:-1]) if len(documents) else documents
        # A number for each document and pair: np.unique then counts a pair once a document, however often it occurs.
        pairs = (documents[follows] * n_states + states[follows]) * n_states + states[follows + 1]
        holds = np.unique(documents * n_states + states) % n_states
        begins = states[corpus.document_offsets[:-1][lengths > 0]]
        ends = states[corpus.document_offsets[1:][lengths > 0] - 1]
        place = np.arange(corpus.n_sentences) - corpus.document_offsets[documents]
        # A sentence stands at the middle of its share of the document.
        parts = states * N_POSITIONS + (2 * place + 1) * N_POSITIONS // (2 * lengths[documents])
        entries, counts = np.unique(corpus.bigrams * n_states + states[corpus.sentence_of_word], return_counts=True)
        n_pairs = n_states * n_states
        return cls(
            bigrams=entries // n_states,
            bigram_states=entries % n_states,
            bigram_counts=counts,
            document_counts=np.bincount(holds, minlength=n_states),
            document_pair_counts=np.bincount(np.unique(pairs) % n_pairs, minlength=n_pairs).reshape(n_states, -1),
            initial_counts=np.bincount(begins, minlength=n_states),
            final_counts=np.bincount(ends, minlength=n_states),
            sentence_counts=np.bincount(states, minlength=n_states),
            position_counts=np.bincount(parts, minlength=n_states * N_POSITIONS).reshape(n_states, -1),
            n_documents=int((lengths > 0).sum()),
        )

    def __add__(self, other: Self) -> Self:
        """Return the counts of the documents of both."""
        return self.sum([self, other])

    @classmethod
    def sum(cls, parts: Sequence[Self]) -> Self:
        """Return the counts of the documents of all parts, one at least."""
        n_states = parts[0].n_states
        entries = np.concatenate([part.bigrams * n_states + part.bigram_states for part in parts])
        keys, place = np.unique(entries, return_inverse=True)
        counts = np.zeros(len(keys), dtype=np.int64)
        np.add.at(counts, place, np.concatenate([part.bigram_counts for part in parts]))
        return cls(
            bigrams=keys // n_states,
            bigram_states=keys % n_states,
            bigram_counts=counts,
            document_counts=_sum(part.document_counts for part in parts),
            document_pair_counts=_sum(part.document_pair_counts for part in parts),
            initial_counts=_sum(part.initial_counts for part in parts),
            final_counts=_sum(part.final_counts for part in parts),
            sentence_counts=_sum(part.sentence_counts for part in parts),
            position_counts=_sum(part.position_counts for part in parts),
            n_documents=sum(part.n_documents for part in parts),
        )

    def keep(self, kept: NDArray[np.bool_]) -> Self:
        """Leave out states that have no sentence; those that stay are numbered anew."""
        number = np.cumsum(kept) - 1
        return replace(
            self,
            bigram_states=number[self.bigram_states],
            document_counts=self.document_counts[kept],
            document_pair_counts=self.document_pair_counts[np.ix_(kept, kept)],
            initial_counts=self.initial_counts[kept],
            final_counts=self.final_counts[kept],
            sentence_counts=self.sentence_counts[kept],
            position_counts=self.position_counts[kept],
        )


def _sum(arrays: Iterable[Integers]) -> Integers:
    total: Integers = np.sum(list(arrays), axis=0)
    return total
