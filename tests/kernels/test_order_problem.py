import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp

from driftline.kernels.hmm import Chain
from driftline.kernels.order_problem import OrderProblem, log_scores
from oracles import plain_order_scores
from order_problems import assert_close, make_puzzle, puzzles


@given(puzzles())
def test_the_score_of_an_order_is_its_forward_probability(puzzle):
    """Scaled arrays and the offset together give every order what the plain forward algorithm gives it."""
    orders = np.array(list(puzzle.scores))

    assert_close(log_scores(puzzle.problem, orders), list(puzzle.scores.values()))


def test_the_quick_oracle_is_the_plain_one():
    """The enumeration that judges the larger problems of these tests is the forward algorithm on every order."""
    puzzle = make_puzzle(np.random.default_rng(0), 5, 3, smoothing=1e-12)

    arrays = (puzzle.chain.log_initial, puzzle.chain.log_transition, puzzle.chain.log_final, puzzle.log_emission)
    plain = plain_order_scores(*(array.tolist() for array in arrays))

    assert plain.keys() == puzzle.scores.keys()
    assert_close(list(puzzle.scores.values()), list(plain.values()))


@given(puzzles(smoothings=(1.0, 1e-100)))
def test_what_all_orders_share_is_divided_out(puzzle):
    """The largest value of each sentence's emissions, of the first and of the last step is 1."""
    problem = puzzle.problem

    for largest in (*problem.emission.max(axis=1), problem.initial.max(), problem.final.max()):
        assert largest == 1.0


def test_the_sizes_and_the_transposed_transitions():
    """A problem knows its sizes, and its transitions from the other side."""
    problem = make_puzzle(np.random.default_rng(1), 4, 3).problem

    assert (problem.n_sentences, problem.n_states) == (4, 3)
    np.testing.assert_array_equal(problem.into_states, problem.transition.T)


def twins_of(log_emission):
    chain = Chain(np.zeros(2), np.zeros((2, 2)), np.zeros(2))
    return OrderProblem.of(chain, np.array(log_emission, dtype=float))


def test_twins_are_chained_to_the_next_one():
    """Each of several like sentences knows the next one and the one before, and no other."""
    problem = twins_of([[-1, -2], [-5, -1], [-1, -2], [-9, -9], [-1, -2], [-5, -1]])

    assert problem.later_twin.tolist() == [2, 5, 4, -1, -1, -1]
    assert problem.earlier_twin.tolist() == [-1, -1, 0, -1, 2, 1]


def test_sentences_that_all_states_see_alike_are_twins():
    """What a sentence costs in all states tells no order from another; nor does the last digit."""
    problem = twins_of([[-1, -2], [-401.0, -402.0], [-0.1 - 0.7, -1.8], [-1, -2.001]])

    assert problem.later_twin.tolist() == [1, 2, -1, -1]


def test_swapping_twins_changes_no_score():
    """Orders that differ in twins alone score the same, to the proof's rounding."""
    puzzle = make_puzzle(np.random.default_rng(2), 5, 3, "steep", 1e-12)
    alike = puzzle.log_emission.copy()
    alike[3] = alike[1] - 123.456
    problem = OrderProblem.of(puzzle.chain, alike)
    orders = np.array(list(itertools.permutations(range(5))))
    swapped = np.array([0, 3, 2, 1, 4])[orders]

    assert problem.later_twin[1] == 3
    np.testing.assert_allclose(log_scores(problem, orders), log_scores(problem, swapped), rtol=0, atol=1e-11)


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.sampled_from([3.0, 30.0, 300.0]))
def test_a_problem_of_steps_scores_starts_and_steps(seed, n, spread):
    """With a state a sentence the score of an order is its start, its steps and the offset, and nothing else."""
    rng = np.random.default_rng(seed)
    log_start, log_step = -spread * rng.random(n), -spread * rng.random((n, n))
    orders = list(itertools.permutations(range(n)))

    problem = OrderProblem.of_steps(log_start, log_step, -7.5)

    want = [-7.5 + log_start[o[0]] + sum(log_step[pair] for pair in itertools.pairwise(o)) for o in orders]
    assert_close(log_scores(problem, np.array(orders)), want)


def test_a_step_of_a_sentence_to_itself_plays_no_part():
    """No order takes it, so that its value changes nothing, whatever it is."""
    log_start, log_step = np.log([0.5, 0.5]), np.log([[0.1, 0.2], [0.3, 0.4]])
    orders = np.array([[0, 1], [1, 0]])
    other = log_step.copy()
    other[[0, 1], [0, 1]] = -1e4, 100.0

    got = [log_scores(OrderProblem.of_steps(log_start, steps, 0.0), orders) for steps in (log_step, other)]

    assert_close(got[0], got[1])


@pytest.mark.parametrize("smoothing", [1.0, 1e-12])
def test_scores_neither_underflow_nor_lose_digits(smoothing):
    """200 sentences of some 400 words in 500 states score what the forward algorithm in log space gives."""
    puzzle = make_puzzle(np.random.default_rng(3), 200, 500, "steep", smoothing)
    order = np.random.default_rng(4).permutation(200)

    got = log_scores(puzzle.problem, order[None])

    alpha = puzzle.chain.log_initial + puzzle.log_emission[order[0]]
    for i in order[1:]:
        alpha = logsumexp(alpha[:, None] + puzzle.chain.log_transition, axis=0) + puzzle.log_emission[i]
    np.testing.assert_allclose(got, logsumexp(alpha + puzzle.chain.log_final), rtol=1e-12, atol=0)
