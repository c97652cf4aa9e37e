"""The paper's ordering metrics (section 5.3), over outcomes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from driftline.evaluation.outcomes import DiscriminationOutcome, OrderingOutcome, SummaryOutcome
from driftline.evaluation.significance import bootstrap_interval

Outcome = TypeVar("Outcome", OrderingOutcome, DiscriminationOutcome, SummaryOutcome)


@dataclass(frozen=True)
class Figure:
    """A mean over documents with its 95 % interval."""

    name: str
    value: float
    low: float
    high: float
    percent: bool = False


def kendall_tau(order: Sequence[int]) -> float:
    """Return 1 - 2 S / (N choose 2), with S the swaps of neighbours that bring the order back to 0, 1, 2, ...

    A single sentence is in order: 1.

    >>> kendall_tau([0, 1, 2]), kendall_tau([2, 1, 0]), round(kendall_tau([1, 0, 2]), 3)
    (1.0, -1.0, 0.333)
    """
    n_pairs = len(order) * (len(order) - 1) // 2
    swaps = sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])
    return 1 - 2 * swaps / n_pairs if n_pairs else 1.0


def ordering_figures(outcomes: Sequence[OrderingOutcome], *, seed: int = 0) -> list[Figure]:
    """Summarise how a system ordered documents."""
    return [
        _figure("mean rank", outcomes, lambda o: o.rank, seed),
        _figure("original order found", outcomes, lambda o: o.credit, seed, percent=True),
        _figure("Kendall's tau", outcomes, lambda o: o.tau, seed),
        _figure("rank 0-4", outcomes, lambda o: float(o.rank < 5), seed, percent=True),
        _figure("rank 5-10", outcomes, lambda o: float(5 <= o.rank <= 10), seed, percent=True),
        _figure("rank >10", outcomes, lambda o: float(o.rank > 10), seed, percent=True),
    ]


def discrimination_figures(outcomes: Sequence[DiscriminationOutcome], *, seed: int = 0) -> list[Figure]:
    """Summarise how often a system told the original order from another one, over all pairs."""
    return [_figure("discrimination", outcomes, lambda o: o.won, seed, weight=lambda o: o.n_pairs, percent=True)]


def summary_figures(outcomes: Sequence[SummaryOutcome], *, seed: int = 0) -> list[Figure]:
    """Summarise how far chosen sentences agree with human summaries; ROUGE is the second view."""
    figures = [_figure("extraction accuracy", outcomes, lambda o: o.accuracy, seed, percent=True)]
    if all(outcome.rouge for outcome in outcomes):
        figures.append(_figure("ROUGE-1", outcomes, lambda o: o.rouge[0] if o.rouge else 0.0, seed))
        figures.append(_figure("ROUGE-L", outcomes, lambda o: o.rouge[1] if o.rouge else 0.0, seed))
    return figures


def _figure(
    name: str,
    outcomes: Sequence[Outcome],
    value: Callable[[Outcome], float],
    seed: int,
    *,
    weight: Callable[[Outcome], float] = lambda _: 1.0,
    percent: bool = False,
) -> Figure:
    values, weights = [value(o) for o in outcomes], [weight(o) for o in outcomes]
    low, high = bootstrap_interval(values, weights, [o.group for o in outcomes], seed=seed)
    return Figure(name, sum(values) / sum(weights), low, high, percent)
