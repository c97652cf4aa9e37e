"""A quick upper bound on every order: forget that each sentence may be used only once, but charge for it.

Let any sentence stand at any place, repeats allowed, and let sentence i cost a factor exp(-l_i) wherever
it is used and the whole a factor exp(sum of l). An order uses every sentence once, so its own score does
not change, whatever the multipliers l are: the best relaxed sequence is an upper bound. A few rounds of
subgradient steps, which raise the price of what the relaxed sequence overuses, bring it close.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.order_problem import OrderProblem

_FIRST_STEP, _STEP_DECAY = 1.0, 0.97


@dataclass(frozen=True)
class Relaxation:
    """Multipliers, and what they bound."""

    slack: ClassVar[float] = 0.0
    """Its bounds are not rounded up."""
    multipliers: Floats
    """[sentence] l"""
    upper_bound: float
    """Log of a bound on the score of every order (without the problem's offset)."""
    suffix: Floats
    """[sentences left, state] What any way to go on from a state can reach, at most; scaled to 1."""
    log_suffix: Floats
    """[sentences left] The logs of the scales."""

    @classmethod
    def of(cls, problem: OrderProblem, multipliers: Floats) -> Self:
        """Work out what any multipliers bound."""
        weighted = _weighted(problem, multipliers)
        suffix, log_suffix = _suffixes(problem, weighted)
        best = (problem.initial * weighted @ suffix[-2]).max()
        return cls(multipliers, float(multipliers.sum() + np.log(best) + log_suffix[-2]), suffix, log_suffix)

    def reach(self, alpha: Floats, left: NDArray[np.bool_], n_left: Integers) -> Floats:
        """Return the log of a bound on what follows each row of alpha with these sentences left."""
        with np.errstate(divide="ignore"):
            follow = np.log((alpha * self.suffix[n_left]).sum(axis=1))
        result: Floats = follow + self.log_suffix[n_left] + left @ self.multipliers
        return result


def relax(problem: OrderProblem, rounds: int, *, out_of_time: Callable[[], bool] = lambda: False) -> Relaxation:
    """Improve the multipliers for some rounds, or until time is up, and keep the best."""
    best = found = Relaxation.of(problem, np.zeros(problem.n_sentences))
    for iteration in range(rounds):
        if out_of_time() or not (overuse := _uses(problem, found) - 1.0).any():
            break
        found = Relaxation.of(problem, found.multipliers + _FIRST_STEP * _STEP_DECAY**iteration * overuse)
        if found.upper_bound < best.upper_bound:
            best = found
    return best


def _weighted(problem: OrderProblem, multipliers: Floats) -> Floats:
    result: Floats = problem.emission * np.exp(-multipliers)[:, None]
    return result


def _suffixes(problem: OrderProblem, weighted: Floats) -> tuple[Floats, Floats]:
    n = problem.n_sentences
    suffix, logs = np.empty((n + 1, problem.n_states)), np.zeros(n + 1)
    suffix[0] = problem.final
    for left in range(1, n + 1):
        value = ((weighted * suffix[left - 1]) @ problem.into_states).max(axis=0)
        top = value.max()
        suffix[left] = value / top
        logs[left] = logs[left - 1] + np.log(top)
    return suffix, logs


def _uses(problem: OrderProblem, found: Relaxation) -> Floats:
    """Follow the relaxed sequence from the front and count how often it uses each sentence."""
    weighted = _weighted(problem, found.multipliers)
    uses = np.zeros(problem.n_sentences)
    into = problem.initial
    for left in reversed(range(problem.n_sentences)):
        alpha = into * weighted
        chosen = int((alpha @ found.suffix[left]).argmax())
        uses[chosen] += 1
        into = alpha[chosen] @ problem.transition
        into = into / into.sum()
    return uses
