"""Everything that can be chosen about a model, in one frozen record."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Literal, Self, get_args

from driftline.errors import SettingsError

Transitions = Literal["as-printed", "normalised"]

# Beyond these, products of probabilities could leave the range of floats.
SMALLEST_SMOOTHING, LARGEST_SMOOTHING = 1e-100, 1e100


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a content model is learned. Names in brackets are the paper's.

    The defaults were chosen by cross-validation over several real corpora: docs/decisions/defaults.md.

    >>> Settings(n_clusters=40).n_clusters
    40
    """

    n_clusters: int | None = None
    """[k] Clusters that the initial clustering makes; None chooses by the size of the corpus."""
    min_cluster_size: int | None = None
    """[T] Clusters with fewer sentences become etcetera; None takes 3, or less where little would remain."""
    emission_smoothing: float = 0.1
    """[delta 1] Added to every bigram count."""
    transition_smoothing: float = 1.0
    """[delta 2] Added to every count of documents behind a transition."""
    max_iterations: int = 30
    """Rounds of Viterbi re-estimation at the most; it ends earlier when no sentence moves."""
    n_states: int | None = None
    """[m] Fixes the number of states, etcetera included, in place of min_cluster_size."""
    transitions: Transitions = "as-printed"
    """Transition rows as printed (they need not sum to 1) or normalised to sum to 1."""
    masking: str = "builtin"
    """Names, numbers and dates: "builtin", "none", or "spacy:PIPELINE"."""
    max_clustered_sentences: int = 15_000
    """Above this the initial clustering looks at a seeded sample of documents of about this size."""
    max_words: int = 50_000
    """Word types in the vocabulary at the most; beyond it the rarer ones are read as unknown words."""
    seed: int = 0
    """Seeds that sample; nothing else is random."""
    n_examples: int = 5
    """Example sentences a topic that a saved model keeps for display; 0 keeps no text at all."""

    def __post_init__(self) -> None:
        problems = [
            f"{name}: expected {expected}, got {_shown(getattr(self, name))}"
            for name, expected, holds in _RULES
            if not holds(getattr(self, name))
        ]
        if problems:
            raise SettingsError("\n".join(problems))
        # NumPy's numbers become plain ones, which every model file can hold.
        for name, value in self.as_dict().items():
            if name in ("emission_smoothing", "transition_smoothing"):
                object.__setattr__(self, name, float(value))  # type: ignore[arg-type]
            elif isinstance(value, Integral):
                object.__setattr__(self, name, int(value))

    @classmethod
    def paper(cls) -> Self:
        """Return what the paper says of its own best models: sharp language models, 32 to 95 states.

        >>> Settings.paper().emission_smoothing
        1e-08
        """
        return cls(n_clusters=100, min_cluster_size=4, emission_smoothing=1e-8, transition_smoothing=0.1)

    def as_dict(self) -> dict[str, object]:
        """Return all settings by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def signature_parts(self) -> dict[str, object]:
        """Every setting that can move a figure; the seed is told as `sample_seed`, for exams have a `seed` too."""
        moving = {name: value for name, value in self.as_dict().items() if name not in {"seed", "n_examples"}}
        return {**moving, "sample_seed": self.seed}


def _shown(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python prints no more than 4,300 digits
        return "a number of thousands of digits"


def _whole(value: object, at_least: int) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= at_least


def _whole_or_none(at_least: int) -> Callable[[object], bool]:
    return lambda value: value is None or _whole(value, at_least)


def _smoothing(value: object) -> bool:
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return SMALLEST_SMOOTHING <= float(value) <= LARGEST_SMOOTHING
    except OverflowError:  # a whole number may be larger than any float
        return False


def _masking(value: object) -> bool:
    # A pipeline is a package by name, never a path: a model file may come from anywhere.
    return isinstance(value, str) and re.fullmatch(r"builtin|none|spacy:[A-Za-z][A-Za-z0-9_]*", value) is not None


_SMOOTHING = f"a number of at least {SMALLEST_SMOOTHING} and at most {LARGEST_SMOOTHING}"
_RULES: tuple[tuple[str, str, Callable[[object], bool]], ...] = (
    ("n_clusters", "a whole number of at least 1, or None", _whole_or_none(1)),
    ("min_cluster_size", "a whole number of at least 1, or None", _whole_or_none(1)),
    ("emission_smoothing", _SMOOTHING, _smoothing),
    ("transition_smoothing", _SMOOTHING, _smoothing),
    ("max_iterations", "a whole number of at least 0", lambda value: _whole(value, 0)),
    ("n_states", "a whole number of at least 1, or None", _whole_or_none(1)),
    (
        "transitions",
        "one of " + ", ".join(get_args(Transitions)),
        lambda value: isinstance(value, str) and value in get_args(Transitions),
    ),
    ("masking", "'builtin', 'none' or 'spacy:PIPELINE'", _masking),
    ("max_clustered_sentences", "a whole number of at least 1", lambda value: _whole(value, 1)),
    ("max_words", "a whole number of at least 1", lambda value: _whole(value, 1)),
    ("seed", "a whole number of at least 0", lambda value: _whole(value, 0)),
    ("n_examples", "a whole number of at least 0", lambda value: _whole(value, 0)),
)
