"""How familiar the words of a text are to a domain: the ground of the alarm that a text is of another kind.

Each training document (with all others of its story) is left out in turn, so that what is usual is what is
usual for an unseen document. Two figures of its words are kept: the share that no other story holds, and the
mean log of the share of stories that hold a word. Both become less certain the shorter a text is, so each is
put in units of its own spread at that length.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from driftline.text.encoding import EncodedCorpus, Vocabulary
from driftline.text.masking import DATE, NAME, NUMBER
from driftline.text.tokens import is_word

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FEWEST_WORDS = 8
"""Fewer words than these say nothing of where a text comes from ..."""
FEWEST_IN_SENTENCE = 4
"""... and fewer than these nothing of a sentence."""
FEWEST_TEXTS = 10
"""What is usual cannot be said from fewer."""

_MOST_KEPT = 500  # values that a scale keeps; of more, so many quantiles
_DIGITS = 6  # more would show the order of the files in the last bits of sums
_NARROWEST = 1e-3  # a spread of 0 is what a few equal documents have, and nothing else


@dataclass(frozen=True)
class Line:
    """What is usual for one figure in a text of n words: level + slope log n, within sqrt(noise / n + floor)."""

    level: float
    slope: float
    noise: float
    floor: float

    @classmethod
    def fit(cls, n_words: Floats, values: Floats) -> Self:
        """Fit the line, and then its spread, by least squares."""
        log_n = np.log(n_words)
        level, slope = np.linalg.lstsq(np.stack([np.ones_like(log_n), log_n], axis=1), values, rcond=None)[0]
        squares = (values - level - slope * log_n) ** 2
        noise, floor = np.linalg.lstsq(np.stack([1 / n_words, np.ones_like(log_n)], axis=1), squares, rcond=None)[0]
        if noise < 0:
            noise, floor = 0.0, float(squares.mean())
        elif floor < 0:
            noise, floor = float((squares * n_words).mean()), 0.0
        return cls(*(round(float(value), _DIGITS) for value in (level, slope, noise, floor)))

    def usual(self, n_words: Floats) -> Floats:
        """Return what is usual for texts of so many words."""
        return self.level + self.slope * np.log(n_words)

    def standardise(self, n_words: Floats, values: Floats) -> Floats:
        """Return how many spreads each value is above what is usual."""
        return (values - self.usual(n_words)) / np.sqrt(self.noise / n_words + self.floor + _NARROWEST**2)


@dataclass(frozen=True)
class Scale:
    """How familiar the texts of a domain are, when each is left out: the ruler for another text."""

    unknown: Line
    """Of the share of words that no other story holds."""
    spread: Line
    """Of the mean log share of stories that hold a word."""
    values: tuple[float, ...]
    """The familiarity of the training texts, ascending: the ruler's marks."""

    @classmethod
    def fit(cls, measured: "Measured", fewest_words: int) -> Self | None:
        """Learn from left-out texts what is usual; None if hardly any has so many words."""
        told = measured.n_words >= fewest_words
        if told.sum() < FEWEST_TEXTS:
            return None
        n, unknown, spread = measured.n_words[told], measured.unknown[told], measured.spread[told]
        # In an order of their own: sums of floats depend on it, and the order of files must not show.
        order = np.lexsort((spread, unknown, n))
        n, unknown, spread = n[order], unknown[order], spread[order]
        made = cls(Line.fit(n, unknown), Line.fit(n, spread), ())
        return cls(made.unknown, made.spread, kept_values(made.familiarity(Measured(n, unknown, spread))))

    def familiarity(self, measured: "Measured") -> Floats:
        """Return one figure a text: 0 is usual, far below it is foreign."""
        n = np.maximum(measured.n_words, 1)
        return self.spread.standardise(n, measured.spread) - self.unknown.standardise(n, measured.unknown)

    def percentile(self, value: float) -> float:
        """Return the share of training texts that are less familiar."""
        return percentile(self.values, value)

    def threshold(self, share: float) -> float:
        """Return the familiarity below which this share of the domain's own texts should fall."""
        return float(np.quantile(self.values, share))


@dataclass(frozen=True)
class Measured:
    """The figures of some texts."""

    n_words: Floats
    unknown: Floats
    """The share of words that no other story holds."""
    spread: Floats
    """The mean log of the share of stories that hold a word."""


@dataclass(frozen=True)
class WordStories:
    """In how many stories of the training corpus each word stands."""

    counts: Integers
    """[word]; 0 for UNK, which no story can be said to hold: it is many words"""
    n_stories: int
    vocabulary: Vocabulary

    @classmethod
    def of(cls, corpus: EncodedCorpus, stories: Integers) -> Self:
        """Count stories; `stories[document]` are numbers from 0."""
        n_stories = int(stories.max()) + 1
        story = stories[corpus.document_of_sentence[corpus.sentence_of_word]]
        held = np.unique(corpus.words * n_stories + story) // n_stories
        counts = np.bincount(held, minlength=corpus.vocabulary.size)
        counts[corpus.vocabulary.unknown] = 0
        return cls(counts, n_stories, corpus.vocabulary)

    def grown(self, vocabulary: Vocabulary, corpus: EncodedCorpus, stories: Integers) -> Self:
        """Add new stories, in a vocabulary that holds all words of the old one."""
        counts = np.zeros(vocabulary.size, dtype=np.int64)
        counts[[vocabulary.index[word] for word in self.vocabulary.words]] = self.counts[:-1]
        new = self.of(corpus, stories)
        return type(self)(counts + new.counts, self.n_stories + new.n_stories, vocabulary)

    @cached_property
    def telling(self) -> NDArray[np.bool_]:
        """[word] Whether it is a word: neither a mask nor a mark."""
        masks = {NAME, NUMBER, DATE}
        return np.array([is_word(word) and word not in masks for word in self.vocabulary.words] + [True])

    def documents(self, corpus: EncodedCorpus, *, left_out: bool = False) -> Measured:
        """Measure documents; as if their own story had not been counted, if it was."""
        return self._measure(corpus, lambda i: corpus.document_of_sentence[i], corpus.n_documents, left_out=left_out)

    def sentences(self, corpus: EncodedCorpus, *, left_out: bool = False) -> Measured:
        """Measure sentences, likewise."""
        return self._measure(corpus, lambda i: i, corpus.n_sentences, left_out=left_out)

    def _measure(
        self, corpus: EncodedCorpus, owner_of: Callable[[Integers], Integers], n_owners: int, *, left_out: bool
    ) -> Measured:
        telling = self.telling[corpus.words]
        words, owner = corpus.words[telling], owner_of(corpus.sentence_of_word[telling])
        held = np.maximum(self.counts[words] - left_out, 0)
        n_words = np.bincount(owner, minlength=n_owners).astype(float)
        some = np.maximum(n_words, 1)
        log_share = np.log((held + 0.5) / (self.n_stories - left_out + 1))
        return Measured(
            n_words,
            np.bincount(owner, weights=held == 0, minlength=n_owners) / some,
            np.bincount(owner, weights=log_share, minlength=n_owners) / some,
        )


def kept_values(values: Floats) -> tuple[float, ...]:
    """Return values in ascending order, few enough to keep and with no more digits than they need."""
    if len(values) > _MOST_KEPT:
        values = np.quantile(values, np.linspace(0, 1, _MOST_KEPT))
    return tuple(np.sort(np.round(values, _DIGITS)).tolist())


def percentile(values: tuple[float, ...], value: float) -> float:
    """Return the share of ascending values that are below one; of equal ones, half.

    >>> percentile((1.0, 2.0, 3.0, 4.0), 3.0)
    0.625
    """
    low, high = np.searchsorted(values, value, side="left"), np.searchsorted(values, value, side="right")
    return float(low + high) / (2 * max(len(values), 1))
