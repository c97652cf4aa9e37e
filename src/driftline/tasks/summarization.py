"""Extractive summarization (section 4.2): which topics belong in a summary, learned from a few pairs."""

import math
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from driftline.errors import DriftlineWarning, InputError
from driftline.model.content_model import AnyDocument, ContentModel
from driftline.model.summary_counts import FEWEST_ARTICLES, SummaryCounts
from driftline.tasks.alignment import alignment_report, has_wording, summary_marks
from driftline.tasks.texts import sentence_texts
from driftline.text.corpus import Corpus, Document
from driftline.text.tokens import is_word, tokenize

Floats = NDArray[np.float64]
Length = int | str
"""A number of sentences, a share of them ("30%") or a number of words ("100w")."""


class Summarizer(Protocol):
    """Anything that can say how much each sentence of a document belongs in a summary."""

    def summary_scores(self, document: AnyDocument) -> Floats:
        """Return a score a sentence; the highest are taken, of equal ones the first."""
        ...


@dataclass(frozen=True)
class Summary:
    """Sentences chosen from a document."""

    indices: tuple[int, ...]
    """Their places in the document, in reading order."""
    sentences: tuple[str, ...]
    states: tuple[int, ...]
    """The topic of each."""
    probabilities: tuple[float, ...]
    """What decided: the probability of each one's topic to be in a summary, or its share of the documents."""
    reasons: tuple[str, ...]
    method: Literal["pairs", "centrality"]
    """Whether human summaries decided, or how many documents of the domain hold a topic."""
    n_missing: int
    """How many sentences fewer than asked there are, because the document has no more."""
    n_words_over: int
    """How many words more than asked there are, because even one sentence has more."""


def learn_summaries(
    model: ContentModel, corpus: Corpus, *, topics_of: Literal["summary", "article"] = "summary"
) -> ContentModel:
    """Learn from articles with summaries (`summary` or `in_summary`) which states belong in a summary.

    The summary's topics are those of the summary, decoded as a text of its own as in the paper, or, with
    "article", those that its sentences have in the article they were taken from. A text's own `summary`
    goes before the marks of `in_summary`.

    >>> import driftline
    >>> model = driftline.fit(driftline.sample_corpus("earthquakes"))
    >>> able = learn_summaries(model, driftline.sample_corpus("earthquakes", "pairs"))
    >>> able.summaries.n_pairs
    60
    """
    if topics_of not in {"summary", "article"}:
        raise InputError(f"topics_of: expected 'summary' or 'article', got {topics_of!r}")
    pairs = paired(corpus)
    article_counts = np.zeros(model.n_states, dtype=np.int64)
    both_counts = np.zeros(model.n_states, dtype=np.int64)
    for document in pairs:
        states = model.v_topics(document)
        held = np.unique(states)
        article_counts[held] += 1
        both_counts[np.intersect1d(held, _summary_states(model, document, states, topics_of))] += 1
    counts = SummaryCounts(article_counts, both_counts, len(pairs))
    _warn_of_little(pairs, counts)
    return replace(model, summaries=counts)


def paired(corpus: Corpus) -> list[Document]:
    """Return the documents with a human summary; refuse a corpus that has none."""
    pairs = [document for document in corpus if has_wording(document) or any(document.in_summary or ())]
    if not pairs:
        raise InputError("the corpus holds no summary: its documents need `summary` or `in_summary`")
    return pairs


def summarize(model: ContentModel, document: AnyDocument, length: Length) -> Summary:
    """Choose the sentences whose topics belong in a summary, exactly as many as asked, in reading order.

    >>> import driftline
    >>> model = driftline.fit(driftline.sample_corpus("earthquakes"))
    >>> article = driftline.sample_corpus("earthquakes", "pairs")[0]
    >>> summary = summarize(model, article, 3)
    >>> len(summary.indices), summary.method
    (3, 'centrality')
    """
    wanted = parse_length(length)
    states, scores = model.v_topics(document), model.summary_scores(document)
    texts = sentence_texts(document)
    chosen = choose_sentences(scores, wanted, texts)
    by_pairs = model.summaries is not None
    return Summary(
        indices=tuple(chosen),
        sentences=tuple(texts[i] for i in chosen),
        states=tuple(int(states[i]) for i in chosen),
        probabilities=tuple(float(scores[i]) for i in chosen),
        reasons=tuple(_reason(model, int(states[i])) for i in chosen),
        method="pairs" if by_pairs else "centrality",
        n_missing=max(0, wanted.n - len(texts)) if wanted.unit == "sentences" else 0,
        n_words_over=max(0, sum(_n_words(texts[i]) for i in chosen) - wanted.n) if wanted.unit == "words" else 0,
    )


def summarize_with(length: Length, model: ContentModel, document: Document) -> tuple[Document, Summary]:
    """Summarize a document and return it with its summary, as it comes back from another process."""
    return document, summarize(model, document, length)


@dataclass(frozen=True)
class WantedLength:
    """A length that was asked for."""

    n: int
    unit: Literal["sentences", "percent", "words"]


def parse_length(length: Length) -> WantedLength:
    """Understand 3, "3", "30%" and "100w".

    >>> parse_length("30%")
    WantedLength(n=30, unit='percent')
    """
    is_length = isinstance(length, (int, str, np.integer)) and not isinstance(length, bool)
    match = re.fullmatch(r"([0-9]{1,18})\s*(%|w|)", str(length).strip()) if is_length else None
    n = int(match[1]) if match else 0
    unit: Literal["sentences", "percent", "words"] = "sentences"
    if match and match[2]:
        unit = "percent" if match[2] == "%" else "words"
    if n < 1 or (unit == "percent" and n > 100):
        raise InputError(
            "length: expected a number of sentences of at least 1, a share like '30%' or words like '100w', "
            f"got {length!r}"
        )
    return WantedLength(n, unit)


def choose_sentences(scores: Floats, wanted: WantedLength, texts: Sequence[str]) -> list[int]:
    """Take sentences by score, of equal ones the first, up to the length; returns them in reading order."""
    ranked = np.argsort(-scores, kind="stable").tolist()
    if wanted.unit == "sentences":
        return sorted(ranked[: wanted.n])
    if wanted.unit == "percent":
        return sorted(ranked[: max(1, math.ceil(len(texts) * wanted.n / 100))])
    chosen: list[int] = []
    room = wanted.n
    for i in ranked:
        n_words = _n_words(texts[i])
        # One sentence there must be, however long; after it only what still fits.
        if n_words <= room or not chosen:
            chosen.append(i)
            room -= n_words
    return sorted(chosen)


def _n_words(text: str) -> int:
    return sum(map(is_word, tokenize(text)))


def _warn_of_little(pairs: Sequence[Document], counts: SummaryCounts) -> None:
    """Say where pairs teach little, or do not look like articles and their summaries."""
    report = alignment_report(document for document in pairs if document.in_summary is None)
    lost, all_sentences = len(report.not_found), report.identical + report.edited + len(report.not_found)
    if 2 * lost > all_sentences:
        warnings.warn(
            f"{lost} of the {all_sentences} sentences of the summaries stand nowhere in their articles, not even "
            "edited: are these the summaries of these articles?",
            DriftlineWarning,
            stacklevel=3,
        )
    if not counts.probability.any():
        reason = (
            "no summary holds a topic of its article"
            if counts.known.any()
            else f"no topic stands in {FEWEST_ARTICLES} articles or more, which a probability needs"
        )
        warnings.warn(
            f"nothing was learned from {len(pairs)} pair{'s' * (len(pairs) != 1)}: {reason}; "
            "summaries will be the first sentences",
            DriftlineWarning,
            stacklevel=3,
        )


def _summary_states(
    model: ContentModel, document: Document, states: NDArray[np.int64], topics_of: str
) -> NDArray[np.int64]:
    """Return the states of the summary's sentences."""
    # The editor's own wording goes before marks on the article's; a model of words knows the article's alone.
    if topics_of == "summary" and document.summary and has_wording(document) and document.words is None:
        return model.v_topics(document.summary)
    marks = np.array(summary_marks(document), dtype=bool)
    marked: NDArray[np.int64] = states[marks]
    if topics_of == "article" or not marks.any():
        return marked
    words = None if document.words is None else tuple(w for w, m in zip(document.words, marks, strict=True) if m)
    sentences = tuple(s for s, m in zip(document.sentences, marks, strict=True) if m)
    return model.v_topics(replace(document, sentences=sentences, words=words))


def _reason(model: ContentModel, state: int) -> str:
    summaries = model.summaries
    if summaries is None:
        held, all_documents = int(model.estimate.counts.document_counts[state]), model.record.n_documents
        if state == model.insertion_state:
            return "it fits no topic"
        return f"{held} of {all_documents} documents of the domain hold this topic"
    articles, both = int(summaries.article_counts[state]), int(summaries.both_counts[state])
    if articles < FEWEST_ARTICLES:
        return f"nothing is known of this topic: only {articles} training articles hold it"
    return f"{both} of {articles} articles with this topic have it in their summary"
