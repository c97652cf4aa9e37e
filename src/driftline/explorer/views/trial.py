"""Try it: a text of the reader's own, tagged, put in order, ranked and summarized by the library's own functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import factorial
from typing import Any

from driftline.errors import InputError
from driftline.explorer.subject import Subject, TopicName
from driftline.explorer.views.document import SentenceRow, explain_sentences
from driftline.model.tagging import tag
from driftline.tasks.checking import check
from driftline.tasks.explaining import Explanation, explain_order
from driftline.tasks.findings import Check
from driftline.tasks.ordering import Ordering, order, score_orders
from driftline.tasks.ranking import Rank, rank
from driftline.tasks.summarization import Summary, summarize
from driftline.text.corpus import Corpus

MOST_SENTENCES = 200
ORDER_SECONDS = 5.0
RANK_SECONDS = 1.0
_FEW, _MANY = 6, 9  # sentences of a report that is good to play with
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class TryPage:
    """What the page begins with."""

    names: tuple[TopicName, ...]
    sample: tuple[str, ...]
    sample_of: str
    knows_summaries: bool
    takes_words: bool
    """Whether the model was trained on words, so that sentences are cut at blanks and nothing is masked."""
    most_sentences: int
    order_seconds: float


@dataclass(frozen=True)
class Reading:
    """A text, sentence by sentence."""

    sentences: tuple[str, ...]
    rows: tuple[SentenceRow, ...]
    log_probability: float


@dataclass(frozen=True)
class Scored:
    """What an order is worth."""

    log_probability: float
    states: tuple[int, ...]
    """The topic of each sentence, in this order."""
    probabilities: tuple[float, ...]
    rank: str
    """In words."""
    better_share: float
    """The share of all orders that are more probable."""
    exact: bool


@dataclass(frozen=True)
class Ordered:
    """The best order, with its proof and its reasons."""

    ordering: Ordering
    explanation: Explanation
    n_orders: str


@dataclass(frozen=True)
class WorkedExample:
    """What the page would have answered to its example, for a report that cannot be asked."""

    reading: Reading
    ordered: Ordered
    summaries: tuple[Summary, ...]
    """For each length."""


def trial(subject: Subject) -> TryPage:
    """Prepare the page, with a report to begin with."""
    sample, sample_of = _sample(subject)
    return TryPage(
        names=subject.names,
        sample=sample,
        sample_of=sample_of,
        knows_summaries=subject.model.summaries is not None,
        takes_words=subject.model.masker is None,
        most_sentences=MOST_SENTENCES,
        order_seconds=ORDER_SECONDS,
    )


def worked_example(subject: Subject) -> WorkedExample | None:
    """Tag the example, put it in order, and shorten it to every length; None where no sentence is at hand."""
    sentences = _sample(subject)[0]
    if not sentences:
        return None
    lengths = range(1, len(sentences) + 1)
    return WorkedExample(
        read_sentences(subject, sentences),
        put_in_order(subject, sentences),
        tuple(shorten(subject, sentences, length) for length in lengths),
    )


def read_text(text: str, language: str = "en") -> tuple[str, ...]:
    """Cut a text into sentences, as the command line does."""
    return Corpus.from_dicts([{"id": "text", "text": text}], language=language)[0].sentences


def read_sentences(subject: Subject, sentences: Sequence[str]) -> Reading:
    """Give each sentence of a text its topic, and say where the text departs from its domain."""
    document = as_document(subject, sentences)
    rows = explain_sentences(subject, document)
    return Reading(tuple(sentences), rows, tag(subject.model, document).log_probability)


def score(subject: Subject, sentences: Sequence[str], places: Sequence[int]) -> Scored:
    """Say how probable an order of sentences is, and how many of all orders are more probable."""
    document = as_document(subject, sentences)
    log_probability = float(score_orders(subject.model, document, [places])[0])
    tags = tag(subject.model, [document[place] for place in places])
    found = rank(subject.model, document, order=places, time_limit=RANK_SECONDS)
    return Scored(
        log_probability,
        tags.states,
        tags.probabilities,
        describe(found),
        float(Fraction(found.better, found.n_orders)),
        found.exact,
    )


def put_in_order(subject: Subject, sentences: Sequence[str]) -> Ordered:
    """Find the most probable order and explain it."""
    document = as_document(subject, sentences)
    best = order(subject.model, document, time_limit=ORDER_SECONDS)
    reasons = explain_order(subject.model, document, best, time_limit=ORDER_SECONDS)
    return Ordered(best, reasons, _number(factorial(len(sentences))))


def check_draft(subject: Subject, sentences: Sequence[str]) -> Check:
    """Say what a text lacks, what stands in the wrong place, and whether it is of the domain at all."""
    return check(subject.model, as_document(subject, sentences))


def shorten(subject: Subject, sentences: Sequence[str], length: int) -> Summary:
    """Choose the sentences of a summary."""
    return summarize(subject.model, as_document(subject, sentences), length)


def as_document(subject: Subject, sentences: Sequence[str]) -> Sequence[Any]:
    """Return sentences as the model takes them, as text or as words, or say why it cannot."""
    if not 1 <= len(sentences) <= MOST_SENTENCES:
        raise InputError(f"sentences: expected 1 to {MOST_SENTENCES} of them, got {len(sentences)}")
    if subject.model.masker is None:
        return [sentence.split() for sentence in sentences]
    return list(sentences)


def describe(found: Rank) -> str:
    """Say a rank in words.

    >>> describe(Rank(better=0, equal=0, n_orders=5040, exact=True, interval=(0, 0)))
    'the best of all 5,040 orders'
    """
    if found.n_orders == 1:
        return "the only order there is"
    if not found.exact:
        low, high = map(_number, found.interval)
        return f"about {_number(found.better)} of {_number(found.n_orders)} orders are better ({low} to {high})"
    ties = f", {_number(found.equal)} as good" if found.equal else ""
    if not found.better:
        return f"the best of all {_number(found.n_orders)} orders{ties}"
    return f"{_number(found.better)} of {_number(found.n_orders)} orders are better{ties}"


def _number(n: int) -> str:
    if n < 10**7:
        return f"{n:,}"
    mantissa, exponent = f"{Decimal(n):.1e}".split("e+")
    return f"{mantissa} × 10{exponent.translate(_SUPERSCRIPT)}"


def _sample(subject: Subject) -> tuple[tuple[str, ...], str]:
    """Take a document of handy length, or make one up of a typical sentence of each of the most frequent topics."""
    if subject.documents is not None:
        corpus = subject.documents.corpus
        handy = [document for document in corpus if _FEW <= len(document) <= _MANY]
        chosen = handy[0] if handy else min(corpus, key=len)
        return chosen.sentences[:MOST_SENTENCES], chosen.id
    told = [topic for topic in subject.topics if topic.examples and not topic.is_insertion]
    largest = sorted(told, key=lambda topic: -topic.n_documents)[: _MANY - 2]
    place = {state: i for i, state in enumerate(subject.reading_order)}
    ordered = sorted(largest, key=lambda topic: place[topic.state])
    return tuple(topic.examples[0].text for topic in ordered), "made up of typical sentences"
