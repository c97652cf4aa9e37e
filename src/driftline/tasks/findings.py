"""What a check finds, each finding with its reason in words."""

from dataclasses import dataclass

from driftline.model.examples import Example
from driftline.tasks.domain import DomainFit

NOTHING_FOUND, FINDINGS, FOREIGN = 0, 3, 4
"""The exit statuses of `driftline check`; 1 and 2 are those of a refused input and of wrong usage."""


@dataclass(frozen=True)
class MissingTopic:
    """What documents of this kind nearly always have, and this one lacks."""

    states: tuple[int, ...]
    """The topic, or the topics that are told alike and count as one."""
    label: str
    share: float
    """Of unseen documents of the domain that have it."""
    position: float
    """Where it stands on average: 0 is the beginning, 1 the end."""
    example: Example | None
    """A sentence of a training document about it, if the model keeps any."""
    reason: str


@dataclass(frozen=True)
class Suspect:
    """A sentence, and how doubtful its place is."""

    sentence: int
    """Its place as the document stands, from 0."""
    text: str
    place: int
    """The place that is proposed: its own if no other is better."""
    gain: float
    """How much the best move adds to the log-probability of the order."""
    doubt: float
    """The log of the odds of all other places against its own."""
    clear: bool
    """Whether this is a finding; the others are only ranked."""
    reason: str


@dataclass(frozen=True)
class AbruptStep:
    """Two neighbouring sentences whose topics hardly ever follow each other."""

    sentence: int
    """The second of the two, from 0."""
    text: str
    worth: float
    """The log of how much more probable the sentence is after the one before it than anywhere."""
    reason: str


@dataclass(frozen=True)
class UnlikeSentence:
    """A sentence whose words the domain does not use."""

    sentence: int
    text: str
    unknown_words: tuple[str, ...]
    percentile: float
    """The share of training sentences whose words are less familiar."""
    reason: str


@dataclass(frozen=True)
class Check:
    """What was found in one document."""

    domain: DomainFit
    """Whether it is of the domain at all; where it is not, the rest means little."""
    missing: tuple[MissingTopic, ...]
    suspects: tuple[Suspect, ...]
    """All sentences, the most doubtful place first; those that are `clear` are findings."""
    abrupt: tuple[AbruptStep, ...]
    unlike: tuple[UnlikeSentence, ...]
    percentile: float | None
    """The share of training documents, scored as unseen ones, whose words and order fit the domain less."""
    verdict: str
    """The percentile in words."""
    notes: tuple[str, ...]
    """What could not be told, and why."""

    @property
    def n_findings(self) -> int:
        """How many things were found, the alarm not counted."""
        misplaced = sum(suspect.clear for suspect in self.suspects)
        return len(self.missing) + misplaced + len(self.abrupt) + len(self.unlike)

    @property
    def status(self) -> int:
        """The exit status for scripts: 0 nothing found, 3 findings, 4 not of this domain."""
        if self.domain.foreign:
            return FOREIGN
        return FINDINGS if self.n_findings else NOTHING_FOUND
