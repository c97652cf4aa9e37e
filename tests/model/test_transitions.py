import numpy as np
import pytest
from hypothesis import given

from driftline.model.counts import Counts
from driftline.model.transitions import estimate_chain
from oracles import OracleModel
from strategies import encoded, labelled, smoothings


def chain_of(drawn, smoothing, rows="as-printed"):
    """Estimate the chain of labelled documents."""
    counts = Counts.of(encoded(drawn.documents), drawn.flat_labels, drawn.n_states)
    return estimate_chain(counts, smoothing, rows)


@given(labelled(), smoothings)
def test_transitions_are_what_the_formulas_give(drawn, smoothing):
    """Initial, transition and final probabilities are those of the oracle, to the ninth digit."""
    chain = chain_of(drawn, smoothing)
    oracle = OracleModel(drawn.documents, drawn.labels, drawn.n_states, 1, smoothing)

    # A probability within 1e-7 of 1 has a logarithm that the rounding of floats reaches: hence the atol.
    np.testing.assert_allclose(chain.log_initial, oracle.log_initial(), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(chain.log_transition, oracle.log_transition(), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(chain.log_final, oracle.log_final(), rtol=1e-9, atol=1e-15)


@given(labelled(), smoothings)
def test_no_probability_is_0_or_above_1(drawn, smoothing):
    """No value of the chain is above probability 1 or is 0."""
    chain = chain_of(drawn, smoothing)

    for values in (chain.log_initial, chain.log_transition, chain.log_final):
        assert np.isfinite(values).all()
        assert values.max() <= 0.0


@given(labelled(), smoothings)
def test_beginnings_sum_to_one(drawn, smoothing):
    """Every document begins in exactly one state, so the initial probabilities sum to 1."""
    np.testing.assert_allclose(np.exp(chain_of(drawn, smoothing).log_initial).sum(), 1.0, rtol=1e-12, atol=0)


@given(labelled(), smoothings)
def test_normalised_rows_sum_to_one_and_keep_their_proportions(drawn, smoothing):
    """The other setting divides each row by its sum and changes nothing else."""
    printed, normalised = chain_of(drawn, smoothing), chain_of(drawn, smoothing, "normalised")

    np.testing.assert_allclose(np.exp(normalised.log_transition).sum(axis=1), 1.0, rtol=1e-12, atol=0)
    shift = printed.log_transition - normalised.log_transition
    np.testing.assert_allclose(shift, np.broadcast_to(shift[:, :1], shift.shape), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(printed.log_initial, normalised.log_initial)
    np.testing.assert_array_equal(printed.log_final, normalised.log_final)


def test_a_state_without_sentences_goes_everywhere_alike():
    """D(c) = 0 leaves the smoothing alone: 1/m to every state, and 1/m to the end."""
    corpus = encoded([[["a"]]])
    chain = estimate_chain(Counts.of(corpus, np.array([0]), 4), 0.3)

    np.testing.assert_allclose(np.exp(chain.log_transition[1]), 0.25, rtol=1e-12, atol=0)
    np.testing.assert_allclose(np.exp(chain.log_final[1]), 0.25, rtol=1e-12, atol=0)


@pytest.mark.parametrize("smoothing", [1e-100, 1e100])
def test_extreme_smoothing_stays_finite(smoothing):
    """The smallest and very large smoothing give finite numbers."""
    corpus = encoded([[["a"], ["b"]]])
    chain = estimate_chain(Counts.of(corpus, np.array([0, 1]), 3), smoothing)

    assert np.isfinite(chain.log_transition).all()
    assert np.isfinite(chain.log_initial).all()
