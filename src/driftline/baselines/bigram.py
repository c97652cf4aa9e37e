"""The bigram language model (section 5.3): "the baseline", over the whole word stream of a document.

Its bigrams cross sentence ends, and only those depend on the order: the last word of a sentence and the
first of the next one. So it is a problem of steps between neighbours, and searched exactly.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from driftline.kernels.order_problem import OrderProblem
from driftline.model.content_model import AnyDocument, document_words, encode_corpus
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from driftline.text.encoding import EncodedCorpus, Vocabulary, encode
from driftline.text.masking import Masker

Integers = NDArray[np.int64]


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
        return cls(encoded.vocabulary, masker, settings.emission_smoothing, bigrams, counts, history_counts)

    def order_problem(self, document: AnyDocument) -> OrderProblem:
        """State the problem of ordering sentences: which word may follow the last one of a sentence?"""
        encoded = encode([document_words(document, self.masker)], self.vocabulary)
        start = self.vocabulary.start
        begins = encoded.sentence_offsets[:-1]
        is_first = encoded.histories == start
        inside = self._log_probability(encoded.histories[~is_first], encoded.words[~is_first])
        empty = np.diff(encoded.sentence_offsets) == 0
        padded = np.append(encoded.words, start)
        first = np.where(empty, self.vocabulary.unknown, padded[np.minimum(begins, len(encoded.words))])
        last = np.where(empty, start, padded[encoded.sentence_offsets[1:] - 1])
        log_step = self._log_probability(np.repeat(last, len(first)), np.tile(first, len(last)))
        log_start = self._log_probability(np.full(len(first), start), first)
        return OrderProblem.of_steps(log_start, log_step.reshape(len(last), -1), float(inside.sum()))

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


def _stream_histories(corpus: EncodedCorpus) -> Integers:
    """The word before each word, across the sentence ends of a document; START before its first word."""
    histories = np.empty_like(corpus.words)
    histories[1:] = corpus.words[:-1]
    firsts = corpus.sentence_offsets[corpus.document_offsets[:-1]]
    histories[firsts[firsts < len(histories)]] = corpus.vocabulary.start
    return histories
