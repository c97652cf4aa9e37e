"""The flow: which topics documents are made of, and which follows which from the first sentence to the last."""

from dataclasses import dataclass

import numpy as np

from driftline.explorer.subject import Subject, TopicName
from driftline.model.examples import Example
from driftline.model.topics import Topic

_PARTS = (("At the beginning", 0, 3), ("In the middle", 3, 7), ("At the end", 7, 10))
_TOPICS_A_PART = 4
_MOST_STEPS = 1500
_STRONG_STEPS = 40  # how many the page shows at first


@dataclass(frozen=True)
class FlowTopic:
    """A state as it stands in the graph."""

    state: int
    n_sentences: int
    n_documents: int
    document_share: float
    """Of the training documents: how many hold it."""
    position: float
    positions: tuple[float, ...]


@dataclass(frozen=True)
class FlowStep:
    """A transition that training documents take; None stands for the start or the end of a document."""

    source: int | None
    target: int | None
    probability: float
    """As the model has it, smoothing included."""
    n_documents: int
    """Training documents that take it."""


@dataclass(frozen=True)
class PartTopic:
    """A topic that a part of many documents is made of."""

    state: int
    share: float
    """Of the sentences in this part."""
    example: Example | None


@dataclass(frozen=True)
class Part:
    """The beginning, the middle or the end of a document, and what stands there."""

    title: str
    topics: tuple[PartTopic, ...]


@dataclass(frozen=True)
class Flow:
    """All that the page draws."""

    names: tuple[TopicName, ...]
    n_documents: int
    n_sentences: int
    parts: tuple[Part, ...]
    topics: tuple[FlowTopic, ...]
    """In reading order."""
    steps: tuple[FlowStep, ...]
    """The most probable first."""
    n_steps: int
    """How many there are in all, should not all of them be here."""
    shown_from: float
    """The probability from which steps are shown at first."""
    signature: str


def flow(subject: Subject) -> Flow:
    """Lay out what a model knows of the way through a document."""
    record = subject.model.record
    steps = _steps(subject)
    strongest = steps[: min(_STRONG_STEPS, len(steps))]
    return Flow(
        names=subject.names,
        n_documents=record.n_documents,
        n_sentences=record.n_sentences,
        parts=_parts(subject),
        topics=tuple(_flow_topic(subject, subject.topics[state]) for state in subject.reading_order),
        steps=tuple(steps[:_MOST_STEPS]),
        n_steps=len(steps),
        shown_from=strongest[-1].probability if strongest else 0.0,
        signature=subject.model.signature,
    )


def _flow_topic(subject: Subject, topic: Topic) -> FlowTopic:
    share = topic.n_documents / max(subject.model.estimate.counts.n_documents, 1)
    return FlowTopic(topic.state, topic.n_sentences, topic.n_documents, share, topic.position, topic.positions)


def _steps(subject: Subject) -> list[FlowStep]:
    """List the transitions that were seen: the others differ by nothing but the smoothing."""
    model, counts = subject.model, subject.model.estimate.counts
    made = [
        FlowStep(int(i), int(j), float(np.exp(model.log_transition[i, j])), int(counts.document_pair_counts[i, j]))
        for i, j in np.argwhere(counts.document_pair_counts)
        if i != j
    ]
    for state in np.flatnonzero(counts.initial_counts):
        n = int(counts.initial_counts[state])
        made.append(FlowStep(None, int(state), float(np.exp(model.log_initial[state])), n))
    for state in np.flatnonzero(counts.final_counts):
        n = int(counts.final_counts[state])
        made.append(FlowStep(int(state), None, float(np.exp(model.log_final[state])), n))
    edge = model.n_states
    return sorted(made, key=lambda s: (-s.probability, _number(s.source, -1), _number(s.target, edge)))


def _number(state: int | None, edge: int) -> int:
    return edge if state is None else state


def _parts(subject: Subject) -> tuple[Part, ...]:
    """Name the topics that hold the largest shares of the beginnings, the middles and the ends."""
    positions = subject.model.estimate.counts.position_counts
    made = []
    for title, start, stop in _PARTS:
        sizes = positions[:, start:stop].sum(axis=1)
        largest = [int(s) for s in np.argsort(-sizes[:-1], kind="stable")[:_TOPICS_A_PART] if sizes[s]]
        made.append(
            Part(
                title,
                tuple(
                    PartTopic(state, float(sizes[state] / max(sizes.sum(), 1)), _first_example(subject.topics[state]))
                    for state in largest
                ),
            )
        )
    return tuple(made)


def _first_example(topic: Topic) -> Example | None:
    return topic.examples[0] if topic.examples else None
