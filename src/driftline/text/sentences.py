"""Text spans: cutting the text of a document into sentences, lines or paragraphs.

"We treat texts as sequences of pre-defined text spans [...] In what follows we will refer to
'sentences' [...] but paragraphs or clauses could potentially have been employed instead." (section 3)
"""

import re
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

Spans = Literal["sentences", "lines", "paragraphs"]

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_SPACES = re.compile(r"\s+")
_SURROGATES = re.compile("[\ud800-\udfff]")


class Splitter(Protocol):
    """Anything that cuts the text of one paragraph into sentences."""

    def __call__(self, text: str) -> Sequence[str]:
        """Return the sentences of the text in their order."""
        ...


def sentencex_splitter(language: str = "en") -> Splitter:
    """Return the default splitter for a language (an ISO 639-1 code; about 300 are known)."""
    import sentencex

    # Half a surrogate pair is no text that sentencex can take.
    return lambda text: list(sentencex.segment(language, _SURROGATES.sub("\ufffd", text)))


def split(text: str, spans: Spans, splitter: Splitter) -> tuple[str, ...]:
    r"""Cut a text into spans. A blank line always ends one; a single line break is a space, but for lines.

    >>> split("One. Two\nhalves.\n\nThree", "sentences", lambda text: text.split(". "))
    ('One', 'Two halves.', 'Three')
    >>> split("One. Two\nhalves.\n\nThree", "paragraphs", str.splitlines)
    ('One. Two halves.', 'Three')
    """
    cut: Callable[[str], Sequence[str]]
    if spans == "lines":
        return _tidy(text.splitlines())
    # Each paragraph for itself: a heading without a full stop must not run into the text below it.
    paragraphs = _tidy(_BLANK_LINES.split(text.replace("\r\n", "\n").replace("\r", "\n")))
    if spans == "paragraphs":
        return paragraphs
    cut = splitter
    return _tidy([sentence for paragraph in paragraphs for sentence in cut(paragraph)])


def _tidy(pieces: Sequence[str]) -> tuple[str, ...]:
    """Fold white space and leave out what is nothing else."""
    folded = (_SPACES.sub(" ", piece).strip() for piece in pieces)
    return tuple(piece for piece in folded if piece)
