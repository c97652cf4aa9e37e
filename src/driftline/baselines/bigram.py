"""The bigram language model (section 5.3): "the baseline", over the whole word stream of a document.

Its bigrams cross sentence ends, and only those depend on the order: the last word of a sentence and the
first of the next one. So it is a problem of steps between neighbours, and searched exactly.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from driftline.kernels.hmm import Chain, Floats
from driftline.kernels.order_problem import OrderProblem
from driftline.model.content_model import AnyDocument, document_words, encode_corpus
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from driftline.text.encoding import EncodedCorpus, Vocabulary, encode
from driftline.text.masking import Masker

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class BigramModel:
    """Smoothed bigrams of the word streams of documents."""

    vocabulary: Vocabulary
    masker: Masker | None
    smoothing: float
    bigrams: Integers
    """Sorted, each once."""
    bigram_counts: Integers
    history_counts: Integers
    """[history]"""
    data_hash: str

    @classmethod
    def learn(cls, corpus: Corpus, settings: Settings | None = None) -> Self:
        """Count the bigrams of a corpus, with the smoothing that the settings have for emissions.

        >>> model = BigramModel.learn(Corpus.from_words([[["it", "shook"], ["all", "ran"]]]))
        >>> bool(model.order_problem([["all", "ran"], ["it", "shook"]]).n_sentences == 2)
        True
        """
        settings = settings or Settings()
        masker, encoded = encode_corpus(corpus, settings)
        histories = _stream_histories(encoded)
        size = encoded.vocabulary.size
        bigrams, counts = np.unique(histories * size + encoded.words, return_counts=True)
        history_counts = np.bincount(histories, minlength=size + 1)
        return cls(
            encoded.vocabulary,
            masker,
            settings.emission_smoothing,
            bigrams,
            counts,
            history_counts,
            corpus.data_hash,
        )

    @property
    def signature_parts(self) -> dict[str, object]:
        """What moves this rival's figures."""
        return {"bigram": f"{self.data_hash} d {self.smoothing:g}"}

    def order_problem(self, document: AnyDocument) -> OrderProblem:
        """State the problem of ordering sentences: which word may follow the last one of a sentence?"""
        encoded = encode([document_words(document, self.masker)], self.vocabulary)
        start = self.vocabulary.start
        is_first = encoded.histories == start
        inside = self._log_probability(encoded.histories[~is_first], encoded.words[~is_first])
        has_words = np.diff(encoded.sentence_offsets) > 0
        first = encoded.words[encoded.sentence_offsets[:-1][has_words]]
        last = encoded.words[encoded.sentence_offsets[1:][has_words] - 1]
        log_start = self._log_probability(np.full(len(first), start), first)
        log_step = self._log_probability(np.repeat(last, len(first)), np.tile(first, len(last)))
        log_step = log_step.reshape(len(last), len(first))
        if has_words.all():
            return OrderProblem.of_steps(log_start, log_step, float(inside.sum()))
        return _with_silent_sentences(has_words, log_start, log_step, float(inside.sum()))

    def _log_probability(self, histories: Integers, words: Integers) -> NDArray[np.float64]:
        """Return log p(w | history) for pairs of words."""
        wanted = histories * self.vocabulary.size + words
        # A last number that no bigram has, so that there is always a place to look at.
        known, known_counts = np.append(self.bigrams, -1), np.append(self.bigram_counts, 0)
        place = np.searchsorted(self.bigrams, wanted)
        counts = np.where(known[place] == wanted, known_counts[place], 0)
        below = self.history_counts[histories] + self.smoothing * self.vocabulary.size
        result: NDArray[np.float64] = np.log((counts + self.smoothing) / below)
        return result


def _with_silent_sentences(has_words: Flags, log_start: Floats, log_step: Floats, log_offset: float) -> OrderProblem:
    """State the problem where some sentences have no words: the next word does not see them.

    A chain cannot skip sentences, so they are given states of their own that remember which sentence with
    words was the last one: states are [said i, silent since i, nothing said yet].
    """
    n = len(log_start)
    # The searches divide by the smallest transition, so what cannot be is small beyond all rounding, not 0.
    steps = np.append(log_step, log_start)
    never = -40.0 - float(np.ptp(steps)) if n else -40.0
    log_transition = np.full((2 * n + 1, 2 * n + 1), never)
    log_transition[:n, :n] = log_transition[n : 2 * n, :n] = log_step
    log_transition[-1, :n] = log_start
    said, silent = np.arange(n), np.arange(n, 2 * n)
    log_transition[said, silent] = log_transition[silent, silent] = log_transition[-1, -1] = 0.0
    log_emission = np.full((len(has_words), 2 * n + 1), -np.inf)
    log_emission[np.flatnonzero(has_words), said] = 0.0
    log_emission[~has_words, n:] = 0.0
    log_initial = np.concatenate([log_start, np.full(n, never), [0.0]])
    problem = OrderProblem.of(Chain(log_initial, log_transition, np.zeros(2 * n + 1)), log_emission)
    return replace(problem, log_offset=problem.log_offset + log_offset)


def _stream_histories(corpus: EncodedCorpus) -> Integers:
    """The word before each word, across the sentence ends of a document; START before its first word."""
    histories = np.empty_like(corpus.words)
    histories[1:] = corpus.words[:-1]
    firsts = corpus.sentence_offsets[corpus.document_offsets[:-1]]
    histories[firsts[firsts < len(histories)]] = corpus.vocabulary.start
    return histories
