import math

import numpy as np
import pytest
from hypothesis import given
from scipy.special import logsumexp

from driftline.kernels.hmm import Chain
from implementations import FORWARDS
from oracles import all_paths, log_sum, plain_forward
from strategies import hmms, make_hmm


def log_space_forward(chain, log_emission):
    """The forward algorithm in log space, quick enough for large models."""
    alpha = chain.log_initial + log_emission[0]
    for row in log_emission[1:]:
        alpha = logsumexp(alpha[:, None] + chain.log_transition, axis=0) + row
    return logsumexp(alpha + chain.log_final)


@pytest.mark.parametrize("forward", FORWARDS)
@given(hmms())
def test_forward_sums_over_all_paths(forward, hmm):
    """The probability of a document is the sum of the probabilities of all paths of states."""
    got = forward(hmm.chain, hmm.log_emission, hmm.offsets)

    for value, part in zip(got, hmm.parts(), strict=True):
        if len(part):
            want = log_sum(list(all_paths(*hmm.lists, part.tolist()).values()))
            np.testing.assert_allclose(value, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("forward", FORWARDS)
@given(hmms(max_states=6, max_length=12))
def test_forward_agrees_with_the_plain_loop(forward, hmm):
    """Scaled probabilities give what a loop in log space gives."""
    got = forward(hmm.chain, hmm.log_emission, hmm.offsets)

    for value, part in zip(got, hmm.parts(), strict=True):
        if len(part):
            np.testing.assert_allclose(value, plain_forward(*hmm.lists, part.tolist()), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("forward", FORWARDS)
def test_an_empty_document_is_certain(forward):
    """A document without sentences has the log-probability 0, wherever it stands."""
    hmm = make_hmm(np.random.default_rng(0), 2, [0, 3, 0])

    got = forward(hmm.chain, hmm.log_emission, hmm.offsets)

    assert got[0] == 0.0
    assert got[2] == 0.0
    assert got[1] < 0.0


@pytest.mark.parametrize("forward", FORWARDS)
def test_no_documents_give_no_values(forward):
    """An empty collection is no error."""
    hmm = make_hmm(np.random.default_rng(0), 2, [])

    assert forward(hmm.chain, hmm.log_emission, hmm.offsets).shape == (0,)


@pytest.mark.parametrize("forward", FORWARDS)
def test_documents_do_not_influence_each_other(forward):
    """A batch of ragged lengths gives what each of its documents gives alone."""
    rng = np.random.default_rng(1)
    hmm = make_hmm(rng, 5, rng.integers(0, 30, 300).tolist())

    together = forward(hmm.chain, hmm.log_emission, hmm.offsets)
    alone = [forward(hmm.chain, part, np.array([0, len(part)]))[0] for part in hmm.parts()]

    np.testing.assert_allclose(together, alone, rtol=1e-13, atol=0)


@pytest.mark.parametrize("forward", FORWARDS)
def test_a_factor_of_one_sentence_is_a_factor_of_its_document(forward):
    """What all states add to a sentence is added to the log-probability of its document and of no other."""
    hmm = make_hmm(np.random.default_rng(2), 3, [2, 4, 3])
    louder = hmm.log_emission.copy()
    louder[3] -= 1234.5

    before = forward(hmm.chain, hmm.log_emission, hmm.offsets)
    after = forward(hmm.chain, louder, hmm.offsets)

    np.testing.assert_allclose(after - before, [0.0, -1234.5, 0.0], rtol=1e-12, atol=0)


@pytest.mark.parametrize("forward", FORWARDS)
def test_forward_is_stable_on_long_documents_of_long_sentences_in_large_models(forward):
    """200 sentences of some 400 words in 500 states neither underflow nor lose digits."""
    hmm = make_hmm(np.random.default_rng(3), 500, [200], low=-4000.0)
    chain = make_hmm(np.random.default_rng(4), 500, [], low=-20.0).chain

    got = forward(chain, hmm.log_emission, hmm.offsets)

    np.testing.assert_allclose(got[0], log_space_forward(chain, hmm.log_emission), rtol=1e-12, atol=0)


@pytest.mark.parametrize("forward", FORWARDS)
def test_forward_survives_states_that_the_best_one_outweighs_beyond_the_range_of_floats(forward):
    """A sentence that no float can compare between states still counts in full where the chain forces it."""
    tiny = math.log(1e-100)
    chain = Chain(np.array([0.0, tiny]), np.array([[0.0, tiny], [tiny, 0.0]]), np.array([tiny, 0.0]))
    log_emission = np.array([[0.0, -2000.0], [-2000.0, 0.0], [0.0, -2000.0]])

    got = forward(chain, log_emission, np.array([0, 3]))

    want = plain_forward(
        chain.log_initial.tolist(),
        chain.log_transition.tolist(),
        chain.log_final.tolist(),
        log_emission.tolist(),
    )
    np.testing.assert_allclose(got[0], want, rtol=1e-12, atol=0)
