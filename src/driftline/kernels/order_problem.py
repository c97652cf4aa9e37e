"""An ordering problem in arrays: which order of these sentences does a chain of states like best?"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np

from driftline.kernels.hmm import Chain, Floats, Integers


@dataclass(frozen=True)
class OrderProblem:
    """Sentences to put in order, seen through the states of a chain. Plain probabilities, scaled.

    The score of an order is its forward probability. What every order shares is divided out, so that the
    largest value of each row of emissions, of `initial` and of `final` is 1: `log_offset` gives it back.
    """

    initial: Floats
    transition: Floats
    final: Floats
    emission: Floats
    """[sentence, state], at most 1"""
    log_offset: float
    later_twin: Integers = field(repr=False)
    """[sentence] The next sentence that the model cannot tell from it, or -1: twins keep their given order."""

    @classmethod
    def of(cls, chain: Chain, log_emission: Floats) -> Self:
        """Scale the emissions of some sentences and find twins among them."""
        top = log_emission.max(axis=1)
        scaled = log_emission - top[:, None]
        first, last = chain.log_initial.max(), chain.log_final.max()
        return cls(
            initial=np.exp(chain.log_initial - first),
            transition=np.exp(chain.log_transition),
            final=np.exp(chain.log_final - last),
            emission=np.exp(scaled),
            log_offset=float(top.sum() + first + last),
            later_twin=_later_twins(scaled),
        )

    @classmethod
    def of_steps(cls, log_start: Floats, log_step: Floats, log_offset: float) -> Self:
        """State a problem whose score is a product over neighbours: each sentence is a state of its own.

        `log_start[i]` is for sentence i to come first, `log_step[i, j]` for j to follow i.
        """
        n = len(log_start)
        top = log_step.max(axis=1, initial=-np.inf)
        # What the best step from a sentence is worth is the same for every order in which it is not last.
        top = np.where(np.isfinite(top), top, 0.0)
        return cls(
            initial=np.exp(log_start - log_start.max()),
            transition=np.exp(log_step - top[:, None]),
            final=np.exp(top.min() - top),
            emission=np.eye(n),
            log_offset=log_offset + float(log_start.max() + top.sum() - top.min()),
            later_twin=np.full(n, -1),
        )

    @property
    def n_sentences(self) -> int:
        """The number of sentences."""
        return len(self.emission)

    @property
    def n_states(self) -> int:
        """The number of states."""
        return len(self.initial)

    @cached_property
    def earlier_twin(self) -> Integers:
        """[sentence] The sentence whose later twin this is, or -1."""
        earlier = np.full(self.n_sentences, -1)
        twins = np.flatnonzero(self.later_twin >= 0)
        earlier[self.later_twin[twins]] = twins
        return earlier

    @cached_property
    def into_states(self) -> Floats:
        """The transposed transitions, contiguous, for products from the back."""
        return np.ascontiguousarray(self.transition.T)


def _later_twins(scaled: Floats) -> Integers:
    """Find sentences that all states see alike: only what differs between states can tell them apart."""
    later = np.full(len(scaled), -1)
    last: dict[bytes, int] = {}
    # To 12 decimals, so that rounding does not hide twins; + 0.0 turns -0.0 into 0.0.
    for i, row in reversed(list(enumerate(np.round(scaled, 12) + 0.0))):
        later[i] = last.get(row.tobytes(), -1)
        last[row.tobytes()] = i
    return later


def log_scores(problem: OrderProblem, orders: Integers) -> Floats:
    """Return the log of the forward probability of each order: [order, place] -> [order]."""
    into = problem.initial
    total = np.full(len(orders), problem.log_offset)
    for place in range(orders.shape[1]):
        alpha = into * problem.emission[orders[:, place]]
        scale = alpha.sum(axis=1)
        total += np.log(scale)
        alpha /= scale[:, None]
        into = alpha @ problem.transition
    result: Floats = total + np.log(alpha @ problem.final)
    return result
