"""Which sentences of an article a human summary took over, some of them lightly edited.

"These summaries are mostly extractive [...] occasionally, one or two phrases or, more rarely, a clause
were dropped; consequently, they can be easily aligned with sentences in the original articles." (5.4)
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from driftline.text.corpus import Document
from driftline.text.tokens import is_word, tokenize

LEAST_SHARED = 0.6
"""Share of a summary sentence's words that an article sentence must hold to be its source."""


@dataclass(frozen=True)
class Alignment:
    """Where one sentence of a summary comes from."""

    summary_sentence: int
    article_sentence: int | None
    """Its source, or None if no sentence of the article is close enough."""
    kind: Literal["identical", "edited", "none"]
    shared: float
    """The share of its words that the source holds."""


def align(document: Document) -> tuple[Alignment, ...]:
    """Align a document's summary with its sentences; each of them is the source of one at the most.

    >>> article = Document("a", ("It shook hard, he said.", "Tea is hot."), summary=("It shook hard.", "Why?"))
    >>> [(a.article_sentence, a.kind) for a in align(article)]
    [(0, 'edited'), (None, 'none')]
    """
    article = [_words(sentence) for sentence in document.sentences]
    summary = [_words(sentence) for sentence in document.summary or ()]
    wanted = [
        (-close[0], -close[1], abs(i - j), i, j)
        for i, words in enumerate(summary)
        for j, source in enumerate(article)
        if (close := _shared(words, source))[0] >= LEAST_SHARED
    ]
    taken: dict[int, tuple[int, float]] = {}
    free = set(range(len(article)))
    # The closest pairs first; of equally close ones those at the most similar places, then the first.
    for missed, _, _, i, j in sorted(wanted):
        if i not in taken and j in free:
            taken[i] = j, -missed
            free.remove(j)
    return tuple(_alignment(i, taken.get(i), summary, article) for i in range(len(summary)))


@dataclass(frozen=True)
class AlignedDocument:
    """A document, and where each sentence of its summary comes from."""

    document: str
    sentences: tuple[Alignment, ...]


@dataclass(frozen=True)
class AlignmentReport:
    """How the summaries of a corpus were aligned with their articles."""

    n_summaries: int
    identical: int
    edited: int
    not_found: tuple[tuple[str, int, str], ...]
    """Document, place in its summary, and text of each sentence that no sentence of the article is close to."""
    documents: tuple[AlignedDocument, ...]
    """Every alignment, by document."""


def alignment_report(corpus: Iterable[Document]) -> AlignmentReport:
    """Say where the sentences of the summaries stand in their articles, as they are or edited, and which do not."""
    written = [document for document in corpus if has_wording(document)]
    documents = tuple(AlignedDocument(document.id, align(document)) for document in written)
    kinds = Counter(alignment.kind for aligned in documents for alignment in aligned.sentences)
    not_found = tuple(
        (document.id, alignment.summary_sentence, (document.summary or ())[alignment.summary_sentence])
        for document, aligned in zip(written, documents, strict=True)
        for alignment in aligned.sentences
        if alignment.kind == "none"
    )
    return AlignmentReport(len(written), kinds["identical"], kinds["edited"], not_found, documents)


def has_wording(document: Document) -> bool:
    """Tell whether a document comes with a summary that says something."""
    return any(sentence.strip() for sentence in document.summary or ())


def summary_marks(document: Document) -> tuple[bool, ...] | None:
    """Tell which sentences stand in the human summary, as the source says or as they were aligned."""
    if document.in_summary is not None:
        return document.in_summary
    if document.summary is None:
        return None
    sources = {alignment.article_sentence for alignment in align(document)}
    return tuple(i in sources for i in range(len(document)))


def _words(sentence: str) -> list[str]:
    return [token.lower() for token in tokenize(sentence) if is_word(token)]


def _shared(words: Sequence[str], source: Sequence[str]) -> tuple[float, float]:
    """Return the share of the words that the source holds, and, to break ties, of the source in the words."""
    both = (Counter(words) & Counter(source)).total()
    return both / max(len(words), 1), both / max(len(source), 1)


def _alignment(
    i: int, taken: tuple[int, float] | None, summary: Sequence[list[str]], article: Sequence[list[str]]
) -> Alignment:
    if taken is None:
        return Alignment(i, None, "none", 0.0)
    j, shared = taken
    return Alignment(i, j, "identical" if summary[i] == article[j] else "edited", shared)
