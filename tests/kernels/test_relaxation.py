import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.kernels.relaxation import Relaxation, relax
from driftline.kernels.threads import one_blas_thread
from order_problems import make_puzzle, puzzles

ROUNDS = 60


def best_of(puzzle):
    """The best score of all orders without the problem's offset, by enumeration."""
    return puzzle.best - puzzle.problem.log_offset


@given(puzzles(), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1.0, 30.0]))
def test_whatever_the_multipliers_no_order_exceeds_the_bound(puzzle, seed, spread):
    """Prices do not change what an order is worth, so that every price list gives an upper bound."""
    multipliers = np.random.default_rng(seed).normal(0.0, spread, puzzle.n)

    bound = Relaxation.of(puzzle.problem, multipliers).upper_bound

    assert bound >= best_of(puzzle) - 1e-9


@given(puzzles(max_sentences=4))
def test_no_ending_exceeds_its_reach(puzzle):
    """After any first sentence, no order of the others is worth more than the relaxation says."""
    problem = puzzle.problem
    found = relax(problem, 20)
    alpha = problem.initial * problem.emission
    left = ~np.eye(puzzle.n, dtype=bool)

    reach = found.reach(alpha, left, np.full(puzzle.n, puzzle.n - 1))

    for first in range(puzzle.n):
        best = max(score for order, score in puzzle.scores.items() if order[0] == first) - problem.log_offset
        assert reach[first] >= best - 1e-9


def test_rounds_bring_the_bound_closer():
    """Prices found in some rounds bound closer than none: over some problems by a third at the least."""
    puzzles = [make_puzzle(np.random.default_rng(seed), 7, 4) for seed in range(5)]

    gaps = np.array([[relax(p.problem, rounds).upper_bound - best_of(p) for rounds in (0, ROUNDS)] for p in puzzles])

    assert (gaps[:, 1] < gaps[:, 0]).all()
    assert gaps[:, 1].sum() < gaps[:, 0].sum() * 2 / 3


def test_the_best_of_all_rounds_is_kept():
    """More rounds never end with a worse bound."""
    problem = make_puzzle(np.random.default_rng(5), 8, 4, "steep").problem

    bounds = [relax(problem, rounds).upper_bound for rounds in range(0, ROUNDS, 10)]

    assert bounds == sorted(bounds, reverse=True)


def test_one_sentence_is_bound_exactly():
    """What can be used once only is used once: nothing was forgotten, and no round is needed."""
    puzzle = make_puzzle(np.random.default_rng(6), 1, 4)

    found = relax(puzzle.problem, ROUNDS)

    assert found.upper_bound == pytest.approx(best_of(puzzle), rel=1e-12)
    assert found.multipliers.tolist() == [0.0]


def test_no_time_no_rounds():
    """Without time the bound is that without prices: loose, but a bound."""
    problem = make_puzzle(np.random.default_rng(7), 6, 3).problem

    assert relax(problem, ROUNDS, out_of_time=lambda: True).upper_bound == relax(problem, 0).upper_bound


def test_200_sentences_in_500_states():
    """Nothing leaves the range of floats where sentences have 400 words and smoothing is next to nothing."""
    problem = make_puzzle(np.random.default_rng(8), 200, 500, "steep", 1e-12).problem

    with one_blas_thread():
        found = Relaxation.of(problem, np.random.default_rng(9).normal(0.0, 30.0, 200))

    assert math.isfinite(found.upper_bound)
    assert np.isfinite(found.suffix).all()
    assert np.isfinite(found.log_suffix).all()
    np.testing.assert_array_equal(found.suffix[1:].max(axis=1), 1.0)
