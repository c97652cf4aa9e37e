"""What the tests of mixed evidence share: problems drawn at random, with every order scored in plain Python."""

import itertools

import numpy as np
from hypothesis import strategies as st

from driftline.kernels.hmm import Chain
from driftline.kernels.mixed_problem import MixedProblem
from driftline.kernels.order_problem import OrderProblem
from driftline.kernels.pair_terms import PairTerms
from oracles import quick_order_scores


class MixedPuzzle:
    """Terms of pairs and some chains, and what they make of every order."""

    def __init__(self, rng, n_sentences, n_chains, n_states=3, weight=0.3, *, coarse=False):
        draw = (lambda shape: rng.integers(-1, 2, shape).astype(float)) if coarse else (lambda s: rng.normal(size=s))
        self.n, self.weight = n_sentences, weight
        self.pairs = PairTerms(draw(n_sentences), draw((n_sentences, n_sentences)), draw((n_sentences, n_sentences)))
        shapes = [n_states, (n_states, n_states), n_states]
        self.chains = [
            (Chain(*(rng.uniform(-3, 0, shape) for shape in shapes)), rng.uniform(-8, 0, (n_sentences, n_states)))
            for _ in range(n_chains)
        ]
        made = tuple(OrderProblem.of(chain, emission) for chain, emission in self.chains)
        self.problem = MixedProblem(self.pairs, made, weight)

    @property
    def orders(self):
        """Every order."""
        return np.array(list(itertools.permutations(range(self.n))))

    def plain_pairs(self, order):
        """What the pairs of an order gain, term by term."""
        gained = self.pairs.first[order[0]]
        for place, here in enumerate(order[1:], 1):
            gained += self.pairs.following[order[place - 1], here]
            gained += sum(self.pairs.before[earlier, here] for earlier in order[:place])
        return gained

    @property
    def scores(self):
        """The score of every order, from plain sums and the enumeration of the chains."""
        tables = [
            quick_order_scores(chain.log_initial, chain.log_transition, chain.log_final, emission)
            for chain, emission in self.chains
        ]
        return {
            order: self.plain_pairs(order)
            + (self.weight * np.mean([table[order] for table in tables]) if tables else 0.0)
            for order in itertools.permutations(range(self.n))
        }


@st.composite
def mixed_puzzles(draw, max_sentences=6):
    """Puzzles with and without chains, of one sentence and more, and some with many ties."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_sentences, n_chains = draw(st.integers(1, max_sentences)), draw(st.sampled_from([0, 1, 3]))
    return MixedPuzzle(rng, n_sentences, n_chains, coarse=draw(st.booleans()))
