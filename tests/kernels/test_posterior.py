import numpy as np
from hypothesis import given

from driftline.kernels.forward import forward
from driftline.kernels.hmm import Chain
from driftline.kernels.posterior import posterior
from oracles import plain_posterior
from strategies import hmms, make_hmm


@given(hmms(min_length=1, max_documents=1))
def test_posterior_is_the_share_of_all_paths_that_pass_through_a_state(hmm):
    """The probability of a state at a sentence is that of the paths with this state there, over all paths."""
    got = posterior(hmm.chain, hmm.log_emission)

    want = plain_posterior(*hmm.lists, hmm.log_emission.tolist())
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


def test_posterior_of_one_sentence_weighs_beginning_emission_and_end():
    """A document of one sentence: initial times emission times final, normalised."""
    chain = Chain(np.log([0.5, 0.5]), np.log(np.full((2, 2), 0.5)), np.log([0.1, 0.3]))

    got = posterior(chain, np.log([[0.6, 0.2]]))

    # 0.5 x 0.6 x 0.1 = 0.03 and 0.5 x 0.2 x 0.3 = 0.03
    np.testing.assert_allclose(got, [[0.5, 0.5]], rtol=1e-12, atol=0)


def test_posterior_of_no_sentence_is_empty():
    """A document without sentences has no rows."""
    hmm = make_hmm(np.random.default_rng(0), 3, [])

    assert posterior(hmm.chain, hmm.log_emission).shape == (0, 3)


def test_posterior_of_one_state_is_certain():
    """A single state is certain everywhere."""
    hmm = make_hmm(np.random.default_rng(0), 1, [4])

    np.testing.assert_allclose(posterior(hmm.chain, hmm.log_emission), np.ones((4, 1)), rtol=1e-12, atol=0)


def test_posterior_agrees_with_the_sensitivity_of_forward():
    """The posterior is the derivative of the document's log-probability by each log-emission."""
    hmm = make_hmm(np.random.default_rng(1), 3, [4])
    step = 1e-5

    def slope(sentence, state):
        values = []
        for sign in (1, -1):
            moved = hmm.log_emission.copy()
            moved[sentence, state] += sign * step
            values.append(forward(hmm.chain, moved, hmm.offsets)[0])
        return (values[0] - values[1]) / (2 * step)

    slopes = [[slope(sentence, state) for state in range(3)] for sentence in range(4)]
    np.testing.assert_allclose(posterior(hmm.chain, hmm.log_emission), slopes, rtol=1e-6, atol=1e-8)


def test_posterior_is_stable_on_long_documents_of_long_sentences_in_large_models():
    """200 sentences of some 400 words in 500 states give probabilities that sum to 1."""
    hmm = make_hmm(np.random.default_rng(3), 500, [200], low=-4000.0)
    chain = make_hmm(np.random.default_rng(4), 500, [], low=-200.0).chain

    got = posterior(chain, hmm.log_emission)

    assert got.min() >= 0.0
    np.testing.assert_allclose(got.sum(axis=1), np.ones(200), rtol=1e-12, atol=0)
