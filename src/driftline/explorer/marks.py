"""Which words of a sentence speak for its topic: marks in the text as it was written."""

import itertools
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from driftline.model.content_model import ContentModel
from driftline.text.masking import DATE, NAME, NUMBER
from driftline.text.tokens import is_word, tokenize

_GENERIC = frozenset({NAME, NUMBER, DATE})
_SPEAKS, _DECIDES = 0.2, 0.5  # share of a word pair's occurrences that fall into the topic
_LEAST_COUNT = 2
_LEAST_LIFT = 1.5

Pieces = tuple[tuple[str, int], ...]
"""A text cut into pieces, each with how much it speaks for the topic: 0 not, 1 somewhat, 2 much."""


@dataclass(frozen=True)
class Marker:
    """Looks up how a model's topics share its word pairs."""

    model: ContentModel

    @cached_property
    def _keys(self) -> np.ndarray:
        counts = self.model.estimate.counts
        keys: np.ndarray = counts.bigrams * self.model.n_states + counts.bigram_states
        return keys

    def pieces(self, sentence: str, words: Sequence[str], state: int) -> Pieces:
        """Cut a sentence where words that speak for a state begin and end; `words` are its masked words."""
        text = unicodedata.normalize("NFC", sentence)
        levels = self._levels(words, state)
        marked = [0] * len(text)
        for start, end, word in _word_spans(text, words):
            marked[start:end] = [levels[word]] * (end - start)
        _bridge(text, marked)
        return _cut(text, marked)

    def known_pairs(self, words: Sequence[str], state: int, *, own: int) -> tuple[int, int]:
        """Count the word pairs of a sentence that a state has seen, beside `own` times in this sentence, and all."""
        counts = [count for _, count, _ in self._counts(words, state)]
        return sum(count > own for count in counts), len(counts)

    def _levels(self, words: Sequence[str], state: int) -> list[int]:
        """Say of each word how much the pairs it stands in speak for the state."""
        sentence_counts = self.model.estimate.counts.sentence_counts
        chance = sentence_counts[state] / max(sentence_counts.sum(), 1)
        levels = [0] * len(words)
        for place, count, total in self._counts(words, state):
            share = count / max(total, 1)
            if count >= _LEAST_COUNT and share >= max(_SPEAKS, _LEAST_LIFT * chance):
                level = 2 if share >= _DECIDES else 1
                for i in (place - 1, place):
                    levels[i] = max(levels[i], level)
        return levels

    def _counts(self, words: Sequence[str], state: int) -> Iterator[tuple[int, int, int]]:
        """Go through the word pairs: the place of the second word, the pair's count in the state and in all."""
        vocabulary, counts = self.model.vocabulary, self.model.estimate.counts
        numbers = [vocabulary.index.get(word, vocabulary.unknown) for word in words]
        for place in range(1, len(numbers)):
            bigram = numbers[place - 1] * vocabulary.size + numbers[place]
            low, high = np.searchsorted(counts.bigrams, [bigram, bigram + 1])
            at = np.searchsorted(self._keys, bigram * self.model.n_states + state)
            here = at < high and counts.bigrams[at] == bigram and counts.bigram_states[at] == state
            yield place, int(counts.bigram_counts[at]) if here else 0, int(counts.bigram_counts[low:high].sum())


def _word_spans(text: str, words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Find each masked word in the text it came from: start, end, and which word it is.

    A generic word stands for a run of tokens, which ends where the next word is found.
    """
    cursor, word, running = 0, 0, False
    for token in tokenize(text):
        start = text.index(token, cursor)
        cursor = start + len(token)
        if word < len(words) and token.lower() == words[word].lower():
            running = False
        elif word < len(words) and words[word] in _GENERIC and is_word(token):
            running = True
        else:
            if running and is_word(token):
                yield start, cursor, word - 1
            continue
        yield start, cursor, word
        word += 1


def _bridge(text: str, marked: list[int]) -> None:
    """Let a mark go on over the blanks between two marked words."""
    for i in range(1, len(text) - 1):
        if text[i].isspace() and marked[i - 1] and marked[i + 1]:
            marked[i] = min(marked[i - 1], marked[i + 1])


def _cut(text: str, marked: Sequence[int]) -> Pieces:
    edges = [0, *(i for i in range(1, len(text)) if marked[i] != marked[i - 1]), len(text)]
    return tuple((text[a:b], marked[a]) for a, b in itertools.pairwise(edges) if a < b)
