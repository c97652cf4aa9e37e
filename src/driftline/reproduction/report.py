"""What a reproduction found: rows, each with its interval, its signature and what others published."""

from collections.abc import Sequence
from typing import Self

import msgspec

from driftline.evaluation.metrics import Figure
from driftline.reproduction.cells import short_name
from driftline.reproduction.experiments import Experiment, Published
from driftline.signature import signature


class Row(msgspec.Struct, frozen=True):
    """One figure of ours, with those that others published beside it."""

    domain: str
    system: str
    x: float | None
    """Where on a curve."""
    figure: str
    value: float
    low: float
    high: float
    percent: bool
    signature: str
    published: tuple[Published, ...] = ()

    @classmethod
    def of(cls, domain: str, system: str, x: float | None, figure: Figure, keys: Sequence[str]) -> Self:
        """Make a row; its signature stands for the keys of all cells behind it."""
        line = signature(domain=domain, system=system, cells=short_name("\n".join(sorted(keys))))
        return cls(domain, system, x, figure.name, figure.value, figure.low, figure.high, figure.percent, line)

    def beside(self, published: Sequence[Published], system: str) -> Self:
        """Return the row with what was published of the same figure of a system."""
        wanted = (self.domain, system, self.figure, self.x)
        same = tuple(p for p in published if (p.domain, p.system, p.figure, p.x) == wanted)
        return msgspec.structs.replace(self, published=same)

    @property
    def has_interval(self) -> bool:
        """Whether it is a mean that could have been elsewhere."""
        return self.low != self.high or self.value != self.low


class Section(msgspec.Struct, frozen=True):
    """One table or figure."""

    name: str
    title: str
    where: str
    about: str
    vary: str | None
    protocol: tuple[str, ...]
    """How each domain was divided."""
    rows: tuple[Row, ...]
    others: tuple[Published, ...]
    """Published figures that no row of ours stands beside."""
    problems: tuple[str, ...]


class Report(msgspec.Struct, frozen=True):
    """All of it."""

    kind: str
    """What kind of text: synthetic or real."""
    effort: str
    """full or quick."""
    signature: str
    sections: tuple[Section, ...]


def section_of(
    experiment: Experiment, protocol: Sequence[str], rows: Sequence[Row], problems: Sequence[str]
) -> Section:
    """Lay the rows of an experiment beside what was published."""
    beside = tuple(row.beside(experiment.published, _published_as(row.system, experiment)) for row in rows)
    used = {published for row in beside for published in row.published}
    return Section(
        experiment.name,
        experiment.title,
        experiment.where,
        experiment.about.strip(),
        experiment.vary,
        tuple(protocol),
        beside,
        tuple(published for published in experiment.published if published not in used),
        tuple(problems),
    )


def _published_as(system: str, experiment: Experiment) -> str:
    """Name the system of the literature that a row stands for: the content model as tuned, where that is run."""
    name, _, settings = system.partition(", ")
    return name if settings == "defaults" and name not in experiment.systems else system


def number(value: float, *, percent: bool) -> str:
    """Write a number with as many digits as say something.

    >>> number(0.72, percent=True), number(2.67, percent=False), number(973.75, percent=False)
    ('72 %', '2.67', '974')
    """
    if percent:
        return f"{100 * value:.0f} %"
    if value and abs(value) < 0.01:
        return f"{value:.0e}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"


def with_interval(row: Row) -> str:
    """Write a figure of ours with its interval."""
    value = number(row.value, percent=row.percent)
    if not row.has_interval:
        return value
    low, high = (number(x, percent=row.percent).removesuffix(" %") for x in (row.low, row.high))
    return f"{value} [{low}, {high}]"
