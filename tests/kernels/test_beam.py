import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.kernels.beam import beam_search, may_follow
from driftline.kernels.order_problem import log_scores
from driftline.kernels.relaxation import relax
from driftline.kernels.subset_bounds import subset_bounds
from order_problems import assert_close, make_puzzle, puzzles

GUIDES = {"subsets": subset_bounds, "relaxation": lambda problem: relax(problem, 30)}


@pytest.mark.parametrize("guide", GUIDES)
@given(puzzle=puzzles(), width=st.sampled_from([1, 3, 50]))
def test_what_is_found_are_orders_with_their_scores(guide, puzzle, width):
    """Each order holds every sentence once, none stands twice, and its score is its forward probability."""
    beam = beam_search(puzzle.problem, width, GUIDES[guide](puzzle.problem))
    scores = beam.log_scores

    found = list(map(tuple, beam.orders.tolist()))
    assert 1 <= len(found) == len(set(found)) <= width
    assert_close(scores + puzzle.problem.log_offset, [puzzle.scores[order] for order in found])
    assert scores.tolist() == sorted(scores, reverse=True)


@pytest.mark.parametrize("guide", GUIDES)
@pytest.mark.parametrize("variety", [True, False])
@given(puzzle=puzzles(), width=st.sampled_from([1, 2, 5, 50]))
def test_no_order_that_was_passed_by_exceeds_what_was_dropped(guide, variety, puzzle, width):
    """Every order was found, is a twin of one that was, or is worth no more than the beam says of the rest."""
    beam = beam_search(puzzle.problem, width, GUIDES[guide](puzzle.problem), variety=variety)

    found = {puzzle.kind_of(order) for order in beam.orders.tolist()}
    others = [score for order, score in puzzle.scores.items() if puzzle.kind_of(order) not in found]
    assert max(others, default=-np.inf) <= beam.dropped + puzzle.problem.log_offset + 1e-9


def test_a_beam_without_limits_drops_nothing():
    """Where all beginnings are kept all orders are found, and nothing else is to be had."""
    puzzle = make_puzzle(np.random.default_rng(5), 4, 3)

    beam = beam_search(puzzle.problem, 24, relax(puzzle.problem, 0), variety=False)

    assert len(beam.orders) == 24
    assert beam.dropped == -np.inf
    assert beam.n_nodes == 1 + 4 + 12 + 24


@pytest.mark.parametrize("seed", range(6))
def test_a_wide_beam_finds_the_best(seed):
    """Five sentences have so few sets that a beam of 200 that keeps several of each drops little of use."""
    puzzle = make_puzzle(np.random.default_rng(seed), 5, 3)

    scores = beam_search(puzzle.problem, 200, subset_bounds(puzzle.problem)).log_scores

    assert_close(scores[0] + puzzle.problem.log_offset, puzzle.best)


def test_good_orders_of_documents_past_20():
    """Of 30 sentences a guided beam finds a better order than the best of ten thousand random ones."""
    problem = make_puzzle(np.random.default_rng(0), 30, 5).problem
    rng = np.random.default_rng(1)
    drawn = rng.permuted(np.tile(np.arange(30), (10_000, 1)), axis=1)

    beam = beam_search(problem, 32, relax(problem, 50))

    assert sorted(beam.orders[0].tolist()) == list(range(30))
    assert beam.log_scores[0] + problem.log_offset > log_scores(problem, drawn).max() + 1


def test_out_of_time_one_order_is_finished():
    """A beam that has no time left still ends with an order: the one most promising at each step."""
    problem = make_puzzle(np.random.default_rng(2), 9, 3).problem

    beam = beam_search(problem, 50, relax(problem, 0), out_of_time=lambda: True)

    assert [sorted(order) for order in beam.orders.tolist()] == [list(range(9))]


def test_of_twins_only_the_first_may_follow():
    """A sentence waits for its earlier twin, and the other sentences for nothing but their turn."""
    problem = make_puzzle(np.random.default_rng(3), 5, 3, n_copies=2).problem
    used = np.array([[False] * 5, [True, False, False, False, False]])

    row, sentence = may_follow(problem, used)

    # 4 is the twin of 0, 3 that of 1.
    assert list(zip(row.tolist(), sentence.tolist(), strict=True)) == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (1, 4)]


def test_every_order_of_kinds_is_reached():
    """With twins in their given order a beam without limits still meets each way to arrange the kinds."""
    puzzle = make_puzzle(np.random.default_rng(4), 5, 3, n_copies=2)

    used, arranged = [()], set()
    for order in itertools.permutations(range(5)):
        if order.index(0) < order.index(4) and order.index(1) < order.index(3):
            arranged.add(puzzle.kind_of(order))
    for _ in range(5):
        flags = np.array([[i in order for i in range(5)] for order in used])
        used = [(*used[r], int(i)) for r, i in zip(*may_follow(puzzle.problem, flags), strict=True)]

    assert len(used) == len(arranged) == 30
    assert {puzzle.kind_of(order) for order in used} == arranged
