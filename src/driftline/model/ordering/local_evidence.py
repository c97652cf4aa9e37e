"""What two sentences of one document say of their order by themselves, whatever their topics are.

Each kind of evidence is a number for a pair of sentences and has a name in words. Some speak for the first
sentence coming somewhere before the second, others for its coming directly before. What they are worth is learned
of each domain: some are worth nothing, or the reverse, and where a language has no such words, nothing.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

import numpy as np

from driftline.kernels.pair_regression import Values
from driftline.model.ordering.sentence_space import Sentence

_DEFINITE = frozenset("the this that these those its their his her".split())
_INDEFINITE = frozenset("a an one two three some several".split())
PRONOUNS = frozenset("he she they it his her their its him them this these that those".split())
CONNECTIVES = frozenset(
    "however but also and meanwhile later then after afterward nevertheless still so thus therefore moreover another "
    "other others both".split()
)
_QUOTES = frozenset({"``", "''", '"', "“", "”"})
_MOST = 3.0  # shared words of a kind that count


@dataclass(frozen=True)
class Facts:
    """What the evidence needs to know of one sentence."""

    sentence: Sentence

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its tokens in lower case."""
        return tuple(token.lower() for token in self.sentence.tokens)

    @cached_property
    def word_set(self) -> frozenset[str]:
        """Its words, each once."""
        return frozenset(word for word in self.words if any(map(str.isalnum, word)))

    @cached_property
    def first_word(self) -> str:
        """The first token that is a word."""
        return next((word for word in self.words if any(map(str.isalnum, word))), "")

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Its runs of capitalised tokens."""
        runs = groupby(self.sentence.tokens, key=lambda token: token[:1].isupper() and len(token) > 1)
        return tuple(tuple(run) for is_name, run in runs if is_name)

    @cached_property
    def capitalised(self) -> frozenset[str]:
        """Its capitalised tokens."""
        return frozenset(token for name in self.names for token in name)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its tokens that begin with a digit."""
        return frozenset(word for word in self.words if word[:1].isdigit())

    @cached_property
    def definite(self) -> frozenset[str]:
        """What stands after a definite word ("the quake")."""
        return self._after(_DEFINITE)

    @cached_property
    def indefinite(self) -> frozenset[str]:
        """What stands after an indefinite word ("a quake")."""
        return self._after(_INDEFINITE)

    @cached_property
    def quotes(self) -> bool:
        """Whether it holds a quotation mark; two single ones are split by the tokens."""
        text = " ".join(self.words)
        return not _QUOTES.isdisjoint(self.words) or "` `" in text or "' '" in text

    def _after(self, openers: frozenset[str]) -> frozenset[str]:
        return frozenset(word for before, word in pairwise(self.words) if before in openers)


def _full_name_then_short(a: Facts, b: Facts) -> float:
    longer = [name for name in a.names if len(name) > 1 and name[-1] in b.capitalised]
    return float(any(not any(set(name) <= set(other) for other in b.names) for name in longer))


def _mentioned_then_definite(a: Facts, b: Facts) -> float:
    return min(_MOST, len((b.definite & a.word_set) - a.definite))


def _indefinite_then_definite(a: Facts, b: Facts) -> float:
    return min(_MOST, len(a.indefinite & b.definite))


def _more_names(a: Facts, b: Facts) -> float:
    return float(len(b.capitalised - a.capitalised) - len(a.capitalised - b.capitalised))


def _shared_names(a: Facts, b: Facts) -> float:
    return len(a.capitalised & b.capitalised) / math.sqrt(1 + len(a.capitalised | b.capitalised))


def _shared_numbers(a: Facts, b: Facts) -> float:
    return min(_MOST, len(a.numbers & b.numbers))


def _both_quote(a: Facts, b: Facts) -> float:
    return float(a.quotes and b.quotes)


def _pronoun_after_name(a: Facts, b: Facts) -> float:
    return float(b.first_word in PRONOUNS and bool(a.capitalised))


def _opens_with_pronoun(_: Facts, b: Facts) -> float:
    return float(b.first_word in PRONOUNS)


def _opens_with_connective(_: Facts, b: Facts) -> float:
    return float(b.first_word in CONNECTIVES)


def _quotes(_: Facts, b: Facts) -> float:
    return float(b.quotes)


Measure = Callable[[Facts, Facts], float]

ORDERED: dict[str, Measure] = {
    "names in full what the other one names in short": _full_name_then_short,
    "mentions what the other one calls 'the ...'": _mentioned_then_definite,
    "says 'a ...' where the other one says 'the ...'": _indefinite_then_definite,
    "has fewer names of its own": _more_names,
}
"""Evidence for one sentence coming somewhere before another; the reverse counts against it."""


def _reverse(made: Measure) -> Measure:
    return lambda a, b: made(b, a)


_DIRECTED = [name for name in ORDERED if name != "has fewer names of its own"]

ADJACENT: dict[str, Measure] = {
    **ORDERED,
    **{f"the second one {name}": _reverse(ORDERED[name]) for name in _DIRECTED},
    "shares names": _shared_names,
    "shares numbers": _shared_numbers,
    "both quote": _both_quote,
    "opens with a pronoun after a name": _pronoun_after_name,
    "opens with a pronoun": _opens_with_pronoun,
    "opens with a connective": _opens_with_connective,
    "quotes": _quotes,
}
"""Evidence for one sentence coming directly before another, beside what the two share in each view."""


def measure(kinds: dict[str, Measure], facts: Sequence[Facts], *, antisymmetric: bool) -> Values:
    """Return the evidence of each kind for each pair of sentences: [sentence, sentence, kind]."""
    n = len(facts)
    values = np.zeros((n, n, len(kinds)), dtype=np.float32)
    for i, a, j, b in _pairs(facts):
        values[i, j] = [made(a, b) for made in kinds.values()]
    return values - values.transpose(1, 0, 2) if antisymmetric else values


def _pairs(facts: Sequence[Facts]) -> Iterator[tuple[int, Facts, int, Facts]]:
    for i, a in enumerate(facts):
        yield from ((i, a, j, b) for j, b in enumerate(facts) if i != j)
