"""What is being explored: a model, and the documents that were given with it."""

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from driftline.explorer.marks import Marker
from driftline.kernels.forward import forward
from driftline.kernels.viterbi import viterbi
from driftline.model.content_model import ContentModel, document_words
from driftline.model.topics import Topic, topics
from driftline.text.corpus import Corpus
from driftline.text.encoding import Words

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Made = TypeVar("Made")

_SENTENCES_AT_ONCE = 20_000  # rows of [sentence, state] scores that are held in memory


@dataclass(frozen=True)
class Tagged:
    """Every sentence of a corpus with its topic."""

    states: Integers
    """[sentence] The V-topics, all documents in a row."""
    offsets: Integers
    """Document d holds the sentences `offsets[d]` up to `offsets[d + 1]`."""
    log_probability: Floats
    """[document] By the forward algorithm."""
    n_words: Integers
    """[document]"""
    unknown: float
    """The share of words that the model has never seen."""

    def states_of(self, document: int) -> Integers:
        """Return the topics of one document."""
        return self.states[self.offsets[document] : self.offsets[document + 1]]


@dataclass(frozen=True)
class Documents:
    """The documents beside a model. They are tagged when that is first needed, once."""

    model: ContentModel
    corpus: Corpus
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)
    _making: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)
    _made: dict[Callable[..., Any], Any] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        document_words(self.corpus[0], self.model.masker)  # refuses text for a model of words, before the work

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each document, by its id."""
        return {document.id: number for number, document in enumerate(self.corpus)}

    @cached_property
    def are_training(self) -> bool:
        """Whether the model was learned from exactly these documents."""
        return self.corpus.data_hash == self.model.data_hash

    @property
    def is_tagged(self) -> bool:
        """Whether asking for the tags costs nothing any more."""
        return "_tagged" in self.__dict__

    def tagged(self) -> Tagged:
        """Return the topic of every sentence."""
        with self._lock:
            return self._tagged

    def once(self, make: "Callable[[Documents], Made]") -> Made:
        """Return what a function makes of the documents; it is called the first time alone."""
        with self._making:
            if make not in self._made:
                self._made[make] = make(self)
            made: Made = self._made[make]
            return made

    @cached_property
    def _tagged(self) -> Tagged:
        blocks = [self._tag(block) for block in _blocks([len(document) for document in self.corpus])]
        n_unknown = sum(block.unknown * block.n_words.sum() for block in blocks)
        lengths = np.concatenate([np.diff(block.offsets) for block in blocks])
        n_words = np.concatenate([block.n_words for block in blocks])
        return Tagged(
            states=np.concatenate([block.states for block in blocks]),
            offsets=np.concatenate([[0], np.cumsum(lengths)]),
            log_probability=np.concatenate([block.log_probability for block in blocks]),
            n_words=n_words,
            unknown=float(n_unknown / max(n_words.sum(), 1)),
        )

    def _tag(self, block: range) -> Tagged:
        model = self.model
        encoded = model.encode(self.corpus.documents[block.start : block.stop])
        scores = model.estimate.emissions.score(encoded)
        offsets = encoded.document_offsets
        return Tagged(
            states=viterbi(model.chain, scores, offsets)[0],
            offsets=offsets,
            log_probability=forward(model.chain, scores, offsets),
            n_words=np.diff(encoded.sentence_offsets[offsets]),
            unknown=float((encoded.words == model.vocabulary.unknown).mean()) if len(encoded.words) else 0.0,
        )


def _blocks(lengths: list[int]) -> list[range]:
    """Cut documents into runs of about as many sentences as are scored at once."""
    ends = np.cumsum(lengths)
    cuts = np.searchsorted(ends, np.arange(_SENTENCES_AT_ONCE, ends[-1], _SENTENCES_AT_ONCE)) + 1
    edges = [0, *np.unique(cuts).tolist(), len(lengths)]
    return [range(a, b) for a, b in itertools.pairwise(edges) if a < b]


@dataclass(frozen=True)
class TopicName:
    """What every page needs to know of a topic to name and colour it."""

    state: int
    label: str
    rank: int
    """Its place among the topics by where they stand in a document: colours follow it."""
    is_insertion: bool
    share: float


@dataclass(frozen=True)
class Steps:
    """What is usual of steps, whatever topic they come from."""

    entered: Floats
    """[state] How probable a step into it is, averaged over the documents that hold each topic."""
    left: float
    """How probable it is that a document ends."""


@dataclass(frozen=True)
class Subject:
    """A model under its file's name, with documents or without."""

    model: ContentModel
    name: str
    documents: Documents | None = None

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """Every state explained, by number."""
        return topics(self.model)

    @cached_property
    def reading_order(self) -> tuple[int, ...]:
        """The states from those that open documents to those that close them; the insertion state is last."""
        ordered = sorted(self.topics, key=lambda topic: (topic.is_insertion, topic.position, topic.state))
        return tuple(topic.state for topic in ordered)

    @cached_property
    def names(self) -> tuple[TopicName, ...]:
        """Every topic's name, by number."""
        rank = {state: place for place, state in enumerate(self.reading_order)}
        return tuple(
            TopicName(topic.state, topic.label, rank[topic.state], topic.is_insertion, topic.share)
            for topic in self.topics
        )

    @cached_property
    def marker(self) -> Marker:
        """Finds the words that speak for a topic."""
        return Marker(self.model)

    @cached_property
    def steps(self) -> Steps:
        """What is usual of steps."""
        held = self.model.estimate.counts.document_counts
        weights = held / max(held.sum(), 1)
        return Steps(weights @ np.exp(self.model.log_transition), float(weights @ np.exp(self.model.log_final)))

    def words_of(self, sentences: Sequence[str]) -> Words:
        """Turn sentences into words as the model does."""
        masker = self.model.masker
        return [sentence.split() for sentence in sentences] if masker is None else masker.words(sentences)
