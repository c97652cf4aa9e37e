"""An ordering problem with all kinds of evidence: chains that see the whole order, and terms for its pairs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.order_problem import OrderProblem, log_scores
from driftline.kernels.pair_terms import PairTerms


@dataclass(frozen=True)
class MixedProblem:
    """Sentences to put in order by one log-linear score.

    The score of an order is what its pairs gain, plus `weight` times the mean log of its forward
    probabilities under the chains.
    """

    pairs: PairTerms
    chains: tuple[OrderProblem, ...] = ()
    weight: float = 0.0

    @property
    def n_sentences(self) -> int:
        """The number of sentences."""
        return self.pairs.n_sentences

    @property
    def n_states(self) -> int:
        """The states of all chains together."""
        return sum(chain.n_states for chain in self.chains)

    @property
    def share(self) -> float:
        """The weight of one chain."""
        return self.weight / max(len(self.chains), 1)

    @cached_property
    def log_offset(self) -> float:
        """What every order gains by the scales of the chains."""
        return self.share * sum(chain.log_offset for chain in self.chains)

    def log_scores(self, orders: Integers) -> Floats:
        """Return the score of each order: [order, place] -> [order]."""
        chains = sum((log_scores(chain, orders) for chain in self.chains), np.zeros(len(orders)))
        result: Floats = self.pairs.scores(orders) + self.share * chains
        return result


@dataclass(frozen=True)
class Openings:
    """Beginnings of orders, all of one length of at least one sentence, side by side."""

    orders: Integers
    """[beginning, place]"""
    left: NDArray[np.bool_]
    """[beginning, sentence] Which sentences are left."""
    gained: Floats
    """[beginning] What the sentences so far are worth, the chains included but for what all orders share."""
    alphas: tuple[Floats, ...]
    """For each chain, [beginning, state] how probable each state is at the last sentence; rows sum to 1."""

    @classmethod
    def all_of(cls, problem: MixedProblem) -> Self:
        """Return every sentence as a beginning."""
        n = problem.n_sentences
        every = np.arange(n)
        into = tuple(np.broadcast_to(chain.initial, (n, chain.n_states)) for chain in problem.chains)
        return cls(every[:, None], ~np.eye(n, dtype=bool), *_arrive(problem, problem.pairs.first, into, every))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return beginnings of one length as one."""
        return cls(
            np.concatenate([part.orders for part in parts]),
            np.concatenate([part.left for part in parts]),
            np.concatenate([part.gained for part in parts]),
            tuple(np.concatenate(alphas) for alphas in zip(*(part.alphas for part in parts), strict=True)),
        )

    @property
    def n_left(self) -> int:
        """How many sentences are left."""
        return int(self.left[0].sum())

    @property
    def n_orders(self) -> int:
        """How many orders begin so."""
        orders_each: int = math.factorial(self.n_left)
        return len(self.orders) * orders_each

    @property
    def sets_left(self) -> Integers:
        """The sets of sentences left, named by their bits."""
        sets: Integers = self.left @ (1 << np.arange(self.left.shape[1]))
        return sets

    def rows(self, chosen: Integers | slice) -> Self:
        """Return some of them."""
        alphas = tuple(alpha[chosen] for alpha in self.alphas)
        return type(self)(self.orders[chosen], self.left[chosen], self.gained[chosen], alphas)

    def extended(self, problem: MixedProblem) -> Self:
        """Add to each every sentence that is left to it."""
        parent, sentence = np.nonzero(self.left)
        return self.followed_by(problem, parent, sentence)

    def followed_by(self, problem: MixedProblem, parent: Integers, sentence: Integers) -> Self:
        """Add these sentences to these beginnings."""
        pairs, left = problem.pairs, self.left[parent]
        before = (~left * pairs.before.T[sentence]).sum(axis=1)
        left[np.arange(len(parent)), sentence] = False
        gained = self.gained[parent] + pairs.following[self.orders[parent, -1], sentence] + before
        into = tuple(
            (alpha @ chain.transition)[parent] for alpha, chain in zip(self.alphas, problem.chains, strict=True)
        )
        orders = np.column_stack([self.orders[parent], sentence])
        return type(self)(orders, left, *_arrive(problem, gained, into, sentence))

    def scores(self, problem: MixedProblem) -> Floats:
        """Return the scores of whole orders, without the problem's offset."""
        endings = (np.log(a @ chain.final) for a, chain in zip(self.alphas, problem.chains, strict=True))
        result: Floats = self.gained + problem.share * sum(endings, np.zeros(len(self.gained)))
        return result


def _arrive(
    problem: MixedProblem, gained: Floats, into: tuple[Floats, ...], sentence: Integers
) -> tuple[Floats, tuple[Floats, ...]]:
    """Let the chains emit a sentence each: what that is worth, and where it leaves them."""
    alphas = []
    gained = gained.astype(np.float64)
    for brought, chain in zip(into, problem.chains, strict=True):
        alpha = brought * chain.emission[sentence]
        total = alpha.sum(axis=1)
        gained += problem.share * np.log(total)
        alphas.append(alpha / total[:, None])
    return gained, tuple(alphas)
