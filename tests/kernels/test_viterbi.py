import itertools

import numpy as np
import pytest
from hypothesis import given

from driftline.kernels.hmm import Chain
from implementations import VITERBIS
from oracles import all_paths, plain_viterbi
from strategies import hmms, make_hmm


def dense_viterbi(chain, log_emission):
    """The full maximum over all predecessors, quick enough for large models."""
    delta = chain.log_initial + log_emission[0]
    deltas = [delta]
    for row in log_emission[1:]:
        deltas.append((deltas[-1][:, None] + chain.log_transition).max(axis=0) + row)
    path = [int((deltas[-1] + chain.log_final).argmax())]
    for delta in reversed(deltas[:-1]):
        path.append(int((delta + chain.log_transition[:, path[-1]]).argmax()))
    return path[::-1], (deltas[-1] + chain.log_final).max()


@pytest.mark.parametrize("viterbi", VITERBIS)
@given(hmms(max_states=6, max_length=10))
def test_the_sparse_step_gives_the_same_bits_as_the_plain_loop(viterbi, hmm):
    """Paths and log-probabilities are exactly those of the plain algorithm, ties included."""
    states, log_probability = viterbi(hmm.chain, hmm.log_emission, hmm.offsets)

    for (a, b), value in zip(itertools.pairwise(hmm.offsets), log_probability, strict=True):
        if b > a:
            path, best = plain_viterbi(*hmm.lists, hmm.log_emission[a:b].tolist())
            assert states[a:b].tolist() == path
            assert value == best


@pytest.mark.parametrize("viterbi", VITERBIS)
@given(hmms(min_length=1, max_documents=2))
def test_viterbi_finds_the_most_probable_of_all_paths(viterbi, hmm):
    """No path of states is more probable than the one returned, and its log-probability is as stated."""
    states, log_probability = viterbi(hmm.chain, hmm.log_emission, hmm.offsets)

    for (a, b), value in zip(itertools.pairwise(hmm.offsets), log_probability, strict=True):
        paths = all_paths(*hmm.lists, hmm.log_emission[a:b].tolist())
        np.testing.assert_allclose(value, max(paths.values()), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(paths[tuple(states[a:b].tolist())], value, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("viterbi", VITERBIS)
def test_of_equally_probable_paths_the_lower_states_win(viterbi):
    """Where everything ties, every sentence gets state 0."""
    chain = Chain(np.zeros(4), np.zeros((4, 4)), np.zeros(4))

    states, _ = viterbi(chain, np.zeros((5, 4)), np.array([0, 2, 5]))

    assert states.tolist() == [0] * 5


@pytest.mark.parametrize("viterbi", VITERBIS)
def test_a_tie_goes_to_the_lower_predecessor_even_where_the_higher_one_has_a_transition_of_its_own(viterbi):
    """A default that ties with a seen transition wins if its state is lower, and loses if it is higher."""
    # Into state 0: from 0 by default -1, from 1 by a gain -1, so both ways tie.
    chain = Chain(np.zeros(2), np.array([[-1.0, -1.0], [-1.0, -2.0]]), np.array([0.0, -9.0]))
    mirrored = Chain(np.zeros(2), np.array([[-1.0, -2.0], [-1.0, -1.0]]), np.array([0.0, -9.0]))

    for tied in (chain, mirrored):
        states, log_probability = viterbi(tied, np.zeros((2, 2)), np.array([0, 2]))

        assert states.tolist() == [0, 0]
        assert log_probability.tolist() == [-1.0]


@pytest.mark.parametrize("viterbi", VITERBIS)
def test_the_last_factor_decides(viterbi):
    """The final probabilities belong to the maximum: they can turn the last state."""
    chain = Chain(np.zeros(2), np.zeros((2, 2)), np.array([-5.0, 0.0]))

    states, log_probability = viterbi(chain, np.array([[0.0, -1.0]]), np.array([0, 1]))

    assert states.tolist() == [1]
    assert log_probability.tolist() == [-1.0]


@pytest.mark.parametrize("viterbi", VITERBIS)
def test_empty_documents_have_no_states_and_are_certain(viterbi):
    """A document without sentences takes no place and has the log-probability 0."""
    hmm = make_hmm(np.random.default_rng(0), 2, [0, 3, 0])

    states, log_probability = viterbi(hmm.chain, hmm.log_emission, hmm.offsets)

    assert states.shape == (3,)
    assert log_probability[[0, 2]].tolist() == [0.0, 0.0]
    assert log_probability[1] < 0.0


@pytest.mark.parametrize("viterbi", VITERBIS)
def test_no_documents_give_no_states(viterbi):
    """An empty collection is no error."""
    hmm = make_hmm(np.random.default_rng(0), 2, [])

    states, log_probability = viterbi(hmm.chain, hmm.log_emission, hmm.offsets)

    assert states.shape == (0,)
    assert log_probability.shape == (0,)


@pytest.mark.parametrize("viterbi", VITERBIS)
def test_one_state_takes_every_sentence(viterbi):
    """With a single state the path is settled, and its log-probability is the sum of all factors."""
    hmm = make_hmm(np.random.default_rng(0), 1, [3])

    states, log_probability = viterbi(hmm.chain, hmm.log_emission, hmm.offsets)

    chain = hmm.chain
    total = chain.log_initial[0] + 2 * chain.log_transition[0, 0] + chain.log_final[0] + hmm.log_emission.sum()
    assert states.tolist() == [0, 0, 0]
    np.testing.assert_allclose(log_probability, [total], rtol=1e-12, atol=0)


@pytest.mark.parametrize("viterbi", VITERBIS)
def test_documents_do_not_influence_each_other(viterbi):
    """A batch of ragged lengths gives, bit for bit, what each of its documents gives alone."""
    rng = np.random.default_rng(1)
    hmm = make_hmm(rng, 5, rng.integers(0, 30, 300).tolist())

    states, log_probability = viterbi(hmm.chain, hmm.log_emission, hmm.offsets)
    alone = [viterbi(hmm.chain, part, np.array([0, len(part)])) for part in hmm.parts()]

    np.testing.assert_array_equal(states, np.concatenate([path for path, _ in alone]))
    np.testing.assert_array_equal(log_probability, np.concatenate([value for _, value in alone]))


@pytest.mark.parametrize("viterbi", VITERBIS)
def test_viterbi_is_stable_on_long_documents_of_long_sentences_in_large_models(viterbi):
    """200 sentences of some 400 words in 500 states give the very path that the full maximum gives."""
    rng = np.random.default_rng(3)
    hmm = make_hmm(rng, 500, [200], low=-4000.0)
    log_transition = np.where(rng.random((500, 500)) < 0.02, rng.uniform(-5.0, 0.0, (500, 500)), -7.0)
    chain = Chain(hmm.chain.log_initial, log_transition, hmm.chain.log_final)

    states, log_probability = viterbi(chain, hmm.log_emission, hmm.offsets)
    path, best = dense_viterbi(chain, hmm.log_emission)

    assert states.tolist() == path
    assert log_probability[0] == best
