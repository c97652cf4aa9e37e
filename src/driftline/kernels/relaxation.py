"""A quick upper bound on every order: forget that each sentence may be used only once, but charge for it.

Let any sentence stand at any place, repeats allowed, and let sentence i cost a factor exp(-l_i) wherever
it is used and the whole a factor exp(sum of l). An order uses every sentence once, so its own score does
not change, whatever the multipliers l are: the best relaxed sequence is an upper bound. A few rounds of
subgradient steps, which raise the price of what the relaxed sequence overuses, bring it close.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.order_problem import OrderProblem

_FIRST_STEP, _STEP_DECAY = 1.0, 0.97


@dataclass(frozen=True)
class Relaxation:
    """Multipliers, and what they bound."""

    multipliers: Floats
    """[sentence] l"""
    upper_bound: float
    """Log of a bound on the score of every order (without the problem's offset)."""
    suffix: Floats
    """[sentences left, state] What any way to go on from a state can reach, at most; scaled to 1."""
    log_suffix: Floats
    """[sentences left] The logs of the scales."""

    def reach(self, alpha: Floats, left: NDArray[np.bool_], n_left: Integers) -> Floats:
        """Return the log of a bound on what follows each row of alpha with these sentences left."""
        with np.errstate(divide="ignore"):
            follow = np.log((alpha * self.suffix[n_left]).sum(axis=1))
        result: Floats = follow + self.log_suffix[n_left] + left @ self.multipliers
        return result


def relax(problem: OrderProblem, rounds: int) -> Relaxation:
    """Improve the multipliers for some rounds and keep the best."""
    multipliers = np.zeros(problem.n_sentences)
    best, best_bound = multipliers, np.inf
    for iteration in range(rounds):
        weighted = problem.emission * np.exp(-multipliers)[:, None]
        suffix, log_suffix = _suffixes(problem, weighted)
        start = problem.initial * weighted
        bound = multipliers.sum() + np.log((start @ suffix[-2]).max()) + log_suffix[-2]
        if bound < best_bound:
            best, best_bound = multipliers, bound
        overuse = _uses(problem, weighted, suffix) - 1.0
        if not overuse.any():
            break
        multipliers = multipliers + _FIRST_STEP * _STEP_DECAY**iteration * overuse
    weighted = problem.emission * np.exp(-best)[:, None]
    return Relaxation(best, float(best_bound), *_suffixes(problem, weighted))


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


def _uses(problem: OrderProblem, weighted: Floats, suffix: Floats) -> Floats:
    """Follow the relaxed sequence from the front and count how often it uses each sentence."""
    uses = np.zeros(problem.n_sentences)
    into = problem.initial
    for left in reversed(range(problem.n_sentences)):
        alpha = into * weighted
        chosen = int((alpha @ suffix[left]).argmax())
        uses[chosen] += 1
        into = alpha[chosen] @ problem.transition
        into = into / into.sum()
    return uses
