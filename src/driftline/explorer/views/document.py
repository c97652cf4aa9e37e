"""One document: the topic of each sentence, how sure the model is, and where the document departs from its domain."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from driftline.explorer.marks import Pieces
from driftline.explorer.subject import Subject, TopicName
from driftline.model.content_model import AnyDocument, document_words
from driftline.tasks.texts import sentence_texts

_RARE_STEP = 0.25  # a step that is taken so many times more rarely than its topic is entered at all
_UNLIKE = 0.1  # share of a sentence's word pairs that its topic knows
_FEWEST_PAIRS = 4
_OUT_OF_PLACE = 0.05  # share of a topic's sentences that stand this far to one side
_FEWEST_SENTENCES = 10
_WORTH_NAMING = 0.02

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Departure:
    """A place where a document does what its domain seldom does."""

    kind: Literal["step", "words", "place", "digression"]
    text: str


@dataclass(frozen=True)
class Candidate:
    """Another topic that a sentence might have."""

    state: int
    probability: float


@dataclass(frozen=True)
class SentenceRow:
    """One sentence, explained."""

    pieces: Pieces
    state: int
    probability: float
    """How sure the model is of this topic, given the whole document."""
    others: tuple[Candidate, ...]
    departures: tuple[Departure, ...]


@dataclass(frozen=True)
class DocumentPage:
    """All that the page draws."""

    names: tuple[TopicName, ...]
    id: str
    number: int
    n_documents: int
    sentences: tuple[SentenceRow, ...]
    ending: tuple[Departure, ...]
    """What is odd about the end."""
    log_probability: float
    odder_than: float
    """The share of the given documents that are less odd, a word."""
    previous: int | None
    next: int | None


def document(subject: Subject, number: int) -> DocumentPage:
    """Tell all about one of the given documents."""
    documents = subject.documents
    assert documents is not None
    tagged, shown = documents.tagged(), documents.corpus[number]
    surprise = -tagged.log_probability / np.maximum(tagged.n_words, 1)
    n = len(documents.corpus)
    rows = explain_sentences(subject, shown, own=int(documents.are_training))
    return DocumentPage(
        names=subject.names,
        id=shown.id,
        number=number,
        n_documents=n,
        sentences=rows,
        ending=tuple(_ending(subject, rows[-1].state)),
        log_probability=float(tagged.log_probability[number]),
        odder_than=float((surprise < surprise[number]).sum() / max(n - 1, 1)),
        previous=number - 1 if number else None,
        next=number + 1 if number + 1 < n else None,
    )


def explain_sentences(subject: Subject, shown: AnyDocument, *, own: int = 0) -> tuple[SentenceRow, ...]:
    """Explain each sentence of a document, which the model was learned from (own=1) or not."""
    model = subject.model
    words, texts = document_words(shown, model.masker), sentence_texts(shown)
    states = [int(state) for state in model.v_topics(shown)]
    probabilities = model.state_probabilities(shown)
    rows = []
    for place, state in enumerate(states):
        before = states[place - 1] if place else None
        departures = [
            *_step(subject, before, state),
            *_place(subject, state, (place + 0.5) / len(states)),
            *_words(subject, words[place], state, own),
        ]
        rows.append(
            SentenceRow(
                subject.marker.pieces(texts[place], words[place], state),
                state,
                float(probabilities[place, state]),
                _candidates(probabilities[place], state),
                tuple(departures),
            )
        )
    return tuple(rows)


def _candidates(probabilities: Floats, state: int) -> tuple[Candidate, ...]:
    ranked = [int(other) for other in np.argsort(-probabilities, kind="stable")[:4] if other != state]
    return tuple(
        Candidate(other, float(probabilities[other])) for other in ranked[:3] if probabilities[other] >= _WORTH_NAMING
    )


def _step(subject: Subject, before: int | None, state: int) -> Iterator[Departure]:
    """Tell a step that is far less probable than its topic is after topics in general."""
    steps = subject.steps
    log_p = subject.model.log_initial[state] if before is None else subject.model.log_transition[before, state]
    usual = steps.entered[state]
    if np.exp(log_p) < _RARE_STEP * usual:
        start = "documents seldom begin with it" if before is None else f"it seldom comes after [{before}]"
        yield Departure("step", f"Unlikely step: {start} ({np.exp(log_p):.1%}; on the whole {usual:.1%}).")


def _ending(subject: Subject, state: int) -> Iterator[Departure]:
    p, usual = float(np.exp(subject.model.log_final[state])), subject.steps.left
    if p < _RARE_STEP * usual:
        yield Departure("step", f"Documents seldom end after [{state}] ({p:.1%}; on the whole {usual:.1%}).")


def _place(subject: Subject, state: int, place: float) -> Iterator[Departure]:
    """Tell a sentence that stands much earlier or later than those of its topic do."""
    counts = subject.model.estimate.counts
    positions = counts.position_counts[state]
    n = int(positions.sum())
    if n < _FEWEST_SENTENCES or state == subject.model.insertion_state:
        return
    part = min(int(place * len(positions)), len(positions) - 1)
    up_to, from_here = positions[: part + 1].sum() / n, positions[part:].sum() / n
    if min(up_to, from_here) < _OUT_OF_PLACE:
        side = "later" if up_to < from_here else "earlier"
        yield Departure("place", f"Out of place: its topic nearly always stands {side} in a document.")


def _words(subject: Subject, words: Sequence[str], state: int, own: int) -> Iterator[Departure]:
    """Tell a sentence that its topic has seen next to nothing of."""
    if state == subject.model.insertion_state:
        yield Departure("digression", "No topic explains it: everything else holds what the domain has no topic for.")
        return
    n_known, n_pairs = subject.marker.known_pairs(words, state, own=own)
    if n_pairs >= _FEWEST_PAIRS and n_known < _UNLIKE * n_pairs:
        yield Departure("words", f"Unlike its topic, which knows {n_known} of its {n_pairs} word pairs.")
