"""One topic: what it says, where it stands, what comes before and after, and whether summaries take it."""

from dataclasses import dataclass, replace

import numpy as np

from driftline.explorer.marks import Pieces
from driftline.explorer.subject import Subject, TopicName
from driftline.model.summary_counts import FEWEST_ARTICLES
from driftline.model.topics import Topic, etcetera_reason, topics

_MOST_SENTENCES = 12
_MOST_NEIGHBOURS = 8


@dataclass(frozen=True)
class BigramRow:
    """A telling pair of words, beside the domain."""

    words: tuple[str, str]
    count: int
    topic_rate: float
    """Occurrences in a thousand word pairs of the topic ..."""
    domain_rate: float
    """... and of the whole domain."""


@dataclass(frozen=True)
class TopicSentence:
    """A sentence of the topic with the words that speak for it."""

    pieces: Pieces
    document: str
    number: int | None
    """The number of the document among those given, if it is one of them."""
    place: int


@dataclass(frozen=True)
class NeighbourRow:
    """What stands before or after; None is the edge of the document."""

    state: int | None
    n_documents: int
    probability: float
    """As the model has it, smoothing included."""


@dataclass(frozen=True)
class SummaryChance:
    """How likely a sentence of this topic is to be in a summary."""

    share: float | None
    reason: str


@dataclass(frozen=True)
class TopicPage:
    """All that the page draws."""

    names: tuple[TopicName, ...]
    state: int
    label: str
    learned_label: str
    """The label that the words gave, should somebody have written another one."""
    is_insertion: bool
    reason: str | None
    """Of the insertion state: what it holds and why."""
    n_sentences: int
    n_documents: int
    share: float
    document_share: float
    position: float
    positions: tuple[float, ...]
    all_positions: tuple[float, ...]
    """Where the sentences of all topics stand: a topic that follows this curve stands anywhere."""
    bigrams: tuple[BigramRow, ...]
    sentences: tuple[TopicSentence, ...]
    n_given: int | None
    """How many sentences of the given documents have this topic; None without documents."""
    before: tuple[NeighbourRow, ...]
    after: tuple[NeighbourRow, ...]
    again: float
    """The probability that another sentence of the topic follows."""
    summary: SummaryChance
    previous: int | None
    """The topics beside it in reading order."""
    next: int | None


def topic(subject: Subject, state: int) -> TopicPage:
    """Tell all about one state."""
    model, found = subject.model, subject.topics[state]
    counts = model.estimate.counts
    place = subject.reading_order.index(state)
    order = subject.reading_order
    positions = counts.position_counts.sum(axis=0) / max(counts.position_counts.sum(), 1)
    return TopicPage(
        names=subject.names,
        state=state,
        label=found.label,
        learned_label=_learned_label(subject, found),
        is_insertion=found.is_insertion,
        reason=etcetera_reason(model) if found.is_insertion else None,
        n_sentences=found.n_sentences,
        n_documents=found.n_documents,
        share=found.share,
        document_share=found.n_documents / max(counts.n_documents, 1),
        position=found.position,
        positions=found.positions,
        all_positions=tuple(map(float, positions)),
        bigrams=_bigrams(subject, found),
        sentences=_sentences(subject, found),
        n_given=None if subject.documents is None else int((subject.documents.tagged().states == state).sum()),
        before=_neighbours(subject, state, before=True),
        after=_neighbours(subject, state, before=False),
        again=float(np.exp(model.log_transition[state, state])),
        summary=_summary_chance(subject, state),
        previous=order[place - 1] if place else None,
        next=order[place + 1] if place + 1 < len(order) else None,
    )


def _learned_label(subject: Subject, found: Topic) -> str:
    """Return the label that the words give, whatever somebody has called the topic."""
    if not subject.model.given_labels:
        return found.label
    return topics(replace(subject.model, given_labels=()))[found.state].label


def _bigrams(subject: Subject, found: Topic) -> tuple[BigramRow, ...]:
    """Put the rate in the topic beside that in the domain."""
    counts, vocabulary = subject.model.estimate.counts, subject.model.vocabulary
    inside = (counts.bigram_states == found.state) & (counts.bigrams // vocabulary.size != vocabulary.start)
    n_pairs = max(int(counts.bigram_counts[inside].sum()), 1)
    rates = [1000 * bigram.count / n_pairs for bigram in found.bigrams]
    return tuple(
        BigramRow(bigram.words, bigram.count, rate, rate / bigram.lift)
        for bigram, rate in zip(found.bigrams, rates, strict=True)
    )


def _neighbours(subject: Subject, state: int, *, before: bool) -> tuple[NeighbourRow, ...]:
    """List the states and the edge on one side, the most probable first; those that were never seen are left out."""
    model, counts = subject.model, subject.model.estimate.counts
    side = (slice(None), state) if before else (state, slice(None))
    seen, log_p = counts.document_pair_counts[side], model.log_transition[side]
    n_edge = (counts.initial_counts if before else counts.final_counts)[state]
    log_edge = (model.log_initial if before else model.log_final)[state]
    rows = [
        NeighbourRow(int(other), int(seen[other]), float(np.exp(log_p[other])))
        for other in np.flatnonzero(seen)
        if other != state
    ]
    if n_edge:
        rows.append(NeighbourRow(None, int(n_edge), float(np.exp(log_edge))))
    return tuple(sorted(rows, key=lambda row: (-row.probability, -row.n_documents))[:_MOST_NEIGHBOURS])


def _summary_chance(subject: Subject, state: int) -> SummaryChance:
    """Tell what human summaries say of the topic, or what stands in for them."""
    model, found = subject.model, subject.topics[state]
    if model.summaries is None:
        told = f"{found.n_documents} of {model.record.n_documents} documents hold it"
        return SummaryChance(None, f"The model was given no human summaries; {told}, and that is what decides.")
    articles, both = int(model.summaries.article_counts[state]), int(model.summaries.both_counts[state])
    if articles < FEWEST_ARTICLES:
        return SummaryChance(None, f"Only {articles} articles with a human summary hold this topic: too few to tell.")
    return SummaryChance(both / articles, f"{both} of {articles} articles with it have it in their summary.")


def _sentences(subject: Subject, found: Topic) -> tuple[TopicSentence, ...]:
    """Take the typical sentences that the model keeps, and more from the documents if there are any."""
    documents = subject.documents
    numbers = {} if documents is None else documents.numbers
    chosen = [(example.text, example.document, example.sentence) for example in found.examples]
    if documents is not None:
        tagged, texts = documents.tagged(), {text for text, *_ in chosen}
        for at in np.flatnonzero(tagged.states == found.state):
            if len(chosen) >= _MOST_SENTENCES:
                break
            number = int(np.searchsorted(tagged.offsets, at, side="right")) - 1
            document, place = documents.corpus[number], int(at - tagged.offsets[number])
            if (text := document.sentences[place]) not in texts:
                texts.add(text)
                chosen.append((text, document.id, place))
    words = subject.words_of([text for text, *_ in chosen])
    return tuple(
        TopicSentence(subject.marker.pieces(text, words[i], found.state), document, numbers.get(document), place)
        for i, (text, document, place) in enumerate(chosen)
    )
