"""Masking (section 3, footnote 3): proper names, numbers and dates become generic tokens.

"...to help ensure that clusters contain sentences describing the same event type, rather than same
actual event." The rule needs no model of the language: a capital inside a sentence marks a name, and
whether a capital at the *start* of a sentence does is decided by how the whole collection writes that
word elsewhere. See docs/decisions/masking.md for the measured agreement.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, final

from driftline.text.tokens import is_word, tokenize

NAME, NUMBER, DATE = "<NAME>", "<NUM>", "<DATE>"

_MONTHS = frozenset(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_NUMBER_WORDS = frozenset(
    "zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
    "million billion trillion".split()
)
_FIRST_PERSON = "I"  # English writes it with a capital wherever it stands
_IS_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?")
_IS_CLOCK = re.compile(r"\d{1,2}[:.]\d{2}")
_IS_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_IS_DAY = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}|\d{4}-\d\d-\d\d")
_IS_DAY_OF_MONTH = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")
_IS_CODE = re.compile(r"(?=.*\d)(?=.*[A-Z]).+")
_CLOCK_WORDS = frozenset("a.m. p.m. am pm gmt edt est pdt pst cst utc hours".split())
_MAYBE_MONTHS = frozenset({"march", "may"})
_BEFORE_MONTH = frozenset("in on of since until by from last next this early late during and mid".split())
_OPENERS = frozenset("\"'`|()[]:-–—*/…“‘_.;")
_TITLE_LENGTH = 4  # Col. Maj. Dr. Gov.: the name goes on after the dot
_HEADLINE_CAPITALS = 0.6


class Masker(Protocol):
    """Turns sentences into words, in its own way."""

    def words(self, sentences: Sequence[str]) -> list[list[str]]:
        """Return the masked words of each sentence."""
        ...


@final
@dataclass(frozen=True)
class PlainMasker:
    """Lower-cases the words and masks nothing."""

    def words(self, sentences: Sequence[str]) -> list[list[str]]:
        """Return the words of each sentence."""
        return [[token.lower() for token in tokenize(s) if is_word(token)] for s in sentences]


@final
@dataclass(frozen=True)
class BuiltinMasker:
    """Masks by the rule of this module, with the evidence of the collection it was learned from."""

    evidence: "NameEvidence"

    def words(self, sentences: Sequence[str]) -> list[list[str]]:
        """Return the masked words of each sentence."""
        return [mask(sentence, self.evidence) for sentence in sentences]


def learn_masker(masking: str, sentences: Iterable[str]) -> Masker:
    """Make the masker that `Settings.masking` names, from the sentences of a whole collection."""
    if masking == "builtin":
        return BuiltinMasker(learn_names(sentences))
    if masking == "none":
        return PlainMasker()
    from driftline.text.spacy_masking import SpacyMasker

    return SpacyMasker(masking.removeprefix("spacy:"))


@dataclass(frozen=True)
class NameEvidence:
    """How a collection writes each word: which lower-cased words are names where nothing else tells."""

    common: frozenset[str]
    """Words that are written without a capital at least as often as with one inside a sentence."""
    names: frozenset[str]
    """Words that are mostly written with a capital inside a sentence."""


@dataclass
class NameCounts:
    """How often sentences write each word where its position does not decide; those of two collections add up."""

    lower: Counter[str] = field(default_factory=Counter)
    capital: Counter[str] = field(default_factory=Counter)

    def count(self, sentences: Iterable[str]) -> None:
        """Count the words of more sentences."""
        for sentence in sentences:
            tokens = tokenize(sentence)
            starts = _sentence_starts(tokens)
            headline = _is_headline(tokens)
            for token, is_start in zip(tokens, starts, strict=True):
                if token[0].islower():
                    self.lower[token] += 1
                elif not is_start and not headline and _is_capitalised(token):
                    self.capital[token.lower()] += 1

    def add(self, lower: Mapping[str, int], capital: Mapping[str, int]) -> None:
        """Add what was counted in another collection."""
        self.lower.update(lower)
        self.capital.update(capital)

    @property
    def evidence(self) -> NameEvidence:
        """What the counts say of each word."""
        words = self.lower.keys() | self.capital.keys()
        common = frozenset(word for word in words if self.lower[word] >= self.capital[word])
        return NameEvidence(common, frozenset(words - common))


def learn_names(sentences: Iterable[str]) -> NameEvidence:
    """Count over a whole collection how each word is written where its position does not decide."""
    counts = NameCounts()
    counts.count(sentences)
    return counts.evidence


def token_classes(tokens: Sequence[str], evidence: NameEvidence) -> list[str | None]:
    """Give each token its generic token, or None where the word itself stays."""
    classes: list[str | None] = [_number_or_date(tokens, i) for i in range(len(tokens))]
    starts = _sentence_starts(tokens)
    headline = _is_headline(tokens)
    for i, token in enumerate(tokens):
        if classes[i] is None and _is_capitalised(token):
            # Anywhere else a capital is a name, whatever the collection says.
            uncertain = starts[i] or headline
            if not uncertain or _starts_with_name(tokens, i, evidence, headline=headline):
                classes[i] = NAME
    return classes


def mask(sentence: str, evidence: NameEvidence) -> list[str]:
    """Turn a sentence into lower-cased words with generic tokens; runs of one generic token collapse.

    >>> evidence = learn_names(["A quake shook Turkey."])
    >>> mask("A 7.1 quake shook Izmit, Turkey on Aug. 17, 1999.", evidence)
    ['a', '<NUM>', 'quake', 'shook', '<NAME>', 'on', '<DATE>']
    """
    tokens = tokenize(sentence)
    words: list[str] = []
    for token, generic in zip(tokens, token_classes(tokens, evidence), strict=True):
        if generic is None:
            if is_word(token):
                words.append(token.lower())
        elif not words or words[-1] != generic:
            words.append(generic)
    return words


def _is_capitalised(token: str) -> bool:
    if token[0].isupper() and token != _FIRST_PERSON:
        return True
    return not token.islower() and _IS_CODE.fullmatch(token) is not None  # most tokens are: the pattern costs more


def _sentence_starts(tokens: Sequence[str]) -> list[bool]:
    """Mark the places where a capital says nothing: the first word, and words after an opening mark."""
    starts, start = [], True
    for i, token in enumerate(tokens):
        starts.append(start)
        # "Col. Smith" goes on; "... in Izmit. Nobody ..." begins anew.
        title = token == "." and i > 0 and tokens[i - 1][0].isupper() and len(tokens[i - 1]) <= _TITLE_LENGTH
        start = (token in _OPENERS and not title) or (start and not is_word(token))
    return starts


def _is_headline(tokens: Sequence[str]) -> bool:
    """Tell whether capitals are so frequent that they cannot mark names (title case, all capitals)."""
    letters = [token for token in tokens if token[0].isalpha()]
    return len(letters) >= 4 and sum(t[0].isupper() for t in letters) > _HEADLINE_CAPITALS * len(letters)


def _starts_with_name(tokens: Sequence[str], i: int, evidence: NameEvidence, *, headline: bool) -> bool:
    word = tokens[i].lower()
    if word in evidence.common:
        return False
    if word in evidence.names or (len(word) > 1 and tokens[i].isupper()):
        return True
    # Nothing known of this word: before a second capital it is most likely the first half of a name.
    return headline or (i + 1 < len(tokens) and _is_capitalised(tokens[i + 1]))


def _number_or_date(tokens: Sequence[str], i: int) -> str | None:
    token = tokens[i]
    word = token.lower()
    if token[0].isdecimal() and (_IS_NUMBER.fullmatch(token) or _IS_DAY.fullmatch(token)):
        return DATE if _is_date_number(tokens, i) else NUMBER
    if word in _NUMBER_WORDS:
        return NUMBER
    if token[0].isupper() and (word in _WEEKDAYS or _is_month(tokens, i)):
        return DATE
    if word in _CLOCK_WORDS and i > 0 and _IS_NUMBER.fullmatch(tokens[i - 1]):
        return DATE
    return None


def _is_month(tokens: Sequence[str], i: int) -> bool:
    word = tokens[i].lower().rstrip(".")
    if word not in _MONTHS:
        return False
    if word not in _MAYBE_MONTHS:
        return True
    before = tokens[i - 1].lower() if i else ""
    after = tokens[i + 1] if i + 1 < len(tokens) else ""
    return before in _BEFORE_MONTH or after[:1].isdigit()


def _is_date_number(tokens: Sequence[str], i: int) -> bool:
    """A year, a clock time, or a number beside a month, a weekday or a clock word."""
    token = tokens[i]
    if _IS_YEAR.fullmatch(token) or _IS_DAY.fullmatch(token) or (":" in token and _IS_CLOCK.fullmatch(token)):
        return True
    after = tokens[i + 1] if i + 1 < len(tokens) else ""
    # 17 August
    if _IS_DAY_OF_MONTH.fullmatch(token) and after[:1].isupper() and _is_month(tokens, i + 1):
        return True
    # Aug. 17 and August 17, 1999: dots and commas stand between
    before = i - 1
    while before >= 0 and tokens[before] in {".", ","}:
        before -= 1
    return after.lower() in _CLOCK_WORDS or (before >= 0 and i - before <= 2 and _is_month(tokens, before))
