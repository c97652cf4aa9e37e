"""From masked words to flat integer arrays."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Self

import numpy as np
from numpy.typing import NDArray

Words = Sequence[Sequence[str]]
"""The words of each sentence of one document."""


@dataclass(frozen=True)
class Vocabulary:
    """The word types of the training text, sorted, and UNK, which stands for any other word.

    START is the history of a sentence's first word; it is no type and is never generated.
    """

    words: tuple[str, ...]
    index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", {word: i for i, word in enumerate(self.words)})

    @classmethod
    def of(cls, documents: Iterable[Words], max_words: int | None = None) -> Self:
        """Collect the word types of documents, or the most frequent of them."""
        return cls.of_counts(count_words(documents), max_words)

    @classmethod
    def of_counts(cls, counts: Mapping[str, int], max_words: int | None = None) -> Self:
        """Take the most frequent word types; of equally frequent ones the first by the alphabet."""
        ranked = sorted(counts)
        if max_words is not None and len(ranked) > max_words:
            ranked = sorted(ranked, key=lambda word: -counts[word])[:max_words]
        return cls(tuple(sorted(ranked)))

    @property
    def unknown(self) -> int:
        """The number of UNK."""
        return len(self.words)

    @property
    def start(self) -> int:
        """The number of START, as a history."""
        return len(self.words) + 1

    @property
    def size(self) -> int:
        """The |V| of the formulas: the word types and UNK."""
        return len(self.words) + 1

    def name(self, number: int) -> str:
        """Return the word with this number, for display."""
        return self.words[number] if number < len(self.words) else ("<UNK>", "<START>")[number - self.unknown]


@dataclass(frozen=True)
class EncodedCorpus:
    """Documents as flat arrays: all words in reading order, and where sentences and documents begin."""

    words: NDArray[np.int64]
    sentence_offsets: NDArray[np.int64]
    """Sentence i holds `words[sentence_offsets[i]:sentence_offsets[i + 1]]`."""
    document_offsets: NDArray[np.int64]
    """Document d holds the sentences `document_offsets[d]` up to `document_offsets[d + 1]`."""
    vocabulary: Vocabulary

    @property
    def n_sentences(self) -> int:
        """The number of sentences."""
        return len(self.sentence_offsets) - 1

    @property
    def n_documents(self) -> int:
        """The number of documents."""
        return len(self.document_offsets) - 1

    @cached_property
    def sentence_of_word(self) -> NDArray[np.int64]:
        """The sentence each word stands in."""
        return np.repeat(np.arange(self.n_sentences), np.diff(self.sentence_offsets))

    @cached_property
    def document_of_sentence(self) -> NDArray[np.int64]:
        """The document each sentence stands in."""
        return np.repeat(np.arange(self.n_documents), np.diff(self.document_offsets))

    @cached_property
    def histories(self) -> NDArray[np.int64]:
        """The word before each word; START before the first of a sentence."""
        histories = np.empty_like(self.words)
        histories[1:] = self.words[:-1]
        # Sentences without words begin where the next one does, and have no first word.
        firsts = self.sentence_offsets[:-1]
        histories[firsts[firsts < self.sentence_offsets[1:]]] = self.vocabulary.start
        return histories

    @cached_property
    def bigrams(self) -> NDArray[np.int64]:
        """One number a word that names the bigram of its history and itself."""
        return self.histories * self.vocabulary.size + self.words

    def select(self, documents: NDArray[np.int64]) -> Self:
        """Return some of the documents as a corpus of their own, with the same vocabulary."""
        sentences = _ranges(self.document_offsets[documents], self.document_offsets[documents + 1])
        first, past = self.sentence_offsets[sentences], self.sentence_offsets[sentences + 1]
        return type(self)(
            words=self.words[_ranges(first, past)],
            sentence_offsets=_offsets(past - first),
            document_offsets=_offsets(self.document_offsets[documents + 1] - self.document_offsets[documents]),
            vocabulary=self.vocabulary,
        )


def count_words(documents: Iterable[Words]) -> Counter[str]:
    """Count how often each word type stands in documents."""
    return Counter(word for words in documents for sentence in words for word in sentence)


def encode(documents: Iterable[Words], vocabulary: Vocabulary) -> EncodedCorpus:
    """Replace words by their numbers; words that the vocabulary does not hold become UNK."""
    documents = list(documents)
    sentences = [sentence for words in documents for sentence in words]
    unknown = vocabulary.unknown
    numbers = [vocabulary.index.get(word, unknown) for word in chain.from_iterable(sentences)]
    return EncodedCorpus(
        words=np.array(numbers, dtype=np.int64),
        sentence_offsets=_offsets(map(len, sentences)),
        document_offsets=_offsets(map(len, documents)),
        vocabulary=vocabulary,
    )


def _ranges(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers of all ranges, one range after the other."""
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    result: NDArray[np.int64] = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    return result


def _offsets(lengths: Iterable[int]) -> NDArray[np.int64]:
    # fromiter takes what has no length, such as a map.
    return np.concatenate([[0], np.cumsum(np.fromiter(lengths, dtype=np.int64))]).astype(np.int64)
