"""What the tests of ordering share: sentences to order, drawn at random, with every order scored."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from hypothesis import strategies as st

from driftline.kernels.hmm import Chain
from driftline.kernels.order_problem import OrderProblem
from oracles import plain_order_scores, quick_order_scores

KINDS = ("even", "steep", "coarse", "flat")


@dataclass(frozen=True)
class Puzzle:
    """Sentences to order, as arrays."""

    chain: Chain
    log_emission: np.ndarray

    @property
    def n(self):
        return len(self.log_emission)

    @cached_property
    def problem(self):
        return OrderProblem.of(self.chain, self.log_emission)

    @cached_property
    def scores(self):
        """The log score of every order, by enumeration."""
        chain = (self.chain.log_initial, self.chain.log_transition, self.chain.log_final)
        if self.n <= 4:
            return plain_order_scores(*(array.tolist() for array in (*chain, self.log_emission)))
        return quick_order_scores(*chain, self.log_emission)

    @cached_property
    def best(self):
        return max(self.scores.values())

    def kind_of(self, order):
        """An order with sentences that all states see alike named alike."""
        scaled = self.log_emission - self.log_emission.max(axis=1, keepdims=True)
        return tuple((np.round(scaled[i], 9) + 0.0).tobytes() for i in order)


def make_puzzle(rng, n_sentences, n_states, kind="even", smoothing=1.0, n_copies=0):
    """Draw a puzzle; with a small smoothing most transitions are as unlikely as it is.

    Emissions are "even" (a few nats apart), "steep" (long sentences: hundreds), "coarse" (many ties) or
    "flat" (all states see all sentences alike, so that all orders tie). Copies repeat the first sentences.
    """
    shapes = [(n_states,), (n_states, n_states), (n_states,)]
    chain = [rng.uniform(-3.0, 0.0, shape) for shape in shapes]
    if smoothing < 1.0:
        chain = [np.where(rng.random(values.shape) < 0.6, np.log(smoothing), values) for values in chain]
    shape = (n_sentences, n_states)
    log_emission = {
        "even": lambda: rng.uniform(-8.0, 0.0, shape),
        "steep": lambda: rng.uniform(-2000.0, -1000.0, shape),
        "coarse": lambda: -rng.integers(0, 3, shape) / 2.0,
        "flat": lambda: np.repeat(rng.uniform(-90.0, 0.0, (n_sentences, 1)), n_states, axis=1),
    }[kind]()
    for copy in range(min(n_copies, n_sentences // 2)):
        log_emission[-1 - copy] = log_emission[copy]
    return Puzzle(Chain(*chain), log_emission)


@st.composite
def puzzles(draw, max_sentences=5, max_states=4, smoothings=(1.0, 1e-6, 1e-12)):
    """Puzzles of all kinds, with ties, copies and one state among them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return make_puzzle(
        rng,
        draw(st.integers(1, max_sentences)),
        draw(st.integers(1, max_states)),
        draw(st.sampled_from(KINDS)),
        draw(st.sampled_from(smoothings)),
        draw(st.integers(0, 2)),
    )


def assert_close(got, want):
    """Two logs of scores are the same but for rounding."""
    np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-11)
