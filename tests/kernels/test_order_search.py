"""The best order, against every order there is."""

import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.kernels import order_search as module
from driftline.kernels.hmm import Chain
from driftline.kernels.order_problem import OrderProblem, log_scores
from driftline.kernels.order_search import ROUNDING, Clock, OutOfTime, best_orders
from order_problems import KINDS, Puzzle, assert_close, make_puzzle, puzzles


def weak_bounds(monkeypatch):
    """Search as for long documents, under the bounds of the relaxation."""
    monkeypatch.setattr(module, "subsets_fit", lambda _: False)


def check_best(puzzle, found):
    """An order that was proved best is as good as the best of all."""
    assert found.proved
    assert sorted(found.orders[0]) == list(range(puzzle.n))
    assert_close(found.log_scores[0], puzzle.scores[found.orders[0]])
    np.testing.assert_allclose(found.log_scores[0], puzzle.best, rtol=1e-11, atol=2 * ROUNDING)
    assert found.upper_bound == found.log_scores[0]


@given(puzzles(max_sentences=6))
def test_the_best_of_all_orders_is_found_and_proved(puzzle):
    """Whatever the chain, with ties, twins and smoothing down to 1e-12, and with a sentence or a state alone."""
    check_best(puzzle, best_orders(puzzle.problem))


@given(puzzles(max_sentences=5))
def test_the_weaker_bounds_prove_the_same(puzzle):
    """The search that long documents get ends with the same order value and a proof too."""
    with pytest.MonkeyPatch.context() as patch:
        weak_bounds(patch)
        check_best(puzzle, best_orders(puzzle.problem))


@pytest.mark.parametrize(("n", "kind", "smoothing"), [*((7, kind, 1e-12) for kind in KINDS), (8, "coarse", 1.0)])
def test_seven_and_eight_sentences(n, kind, smoothing):
    """All 5,040 orders of seven sentences and all 40,320 of eight, in ten states."""
    puzzle = make_puzzle(np.random.default_rng(n), n, 10, kind, smoothing)

    check_best(puzzle, best_orders(puzzle.problem))


@given(puzzles(), st.integers(1, 40))
def test_the_next_best_orders(puzzle, n_best):
    """What is asked for are the best ones, best first, with nothing between them and the rest; twins count once."""
    found = best_orders(puzzle.problem, n_best=n_best)

    kinds = {}
    for order, score in puzzle.scores.items():
        kinds.setdefault(puzzle.kind_of(order), score)
    best = sorted(kinds.values(), reverse=True)[:n_best]
    assert found.proved
    assert len({puzzle.kind_of(order) for order in found.orders}) == len(found.orders) == len(best)
    np.testing.assert_allclose(found.log_scores, best, rtol=1e-11, atol=2 * ROUNDING)
    assert_close(found.log_scores, [puzzle.scores[order] for order in found.orders])


def test_twins_keep_their_given_order():
    """Sentences that cannot be told apart come in the order in which they were given."""
    puzzle = make_puzzle(np.random.default_rng(0), 6, 4, n_copies=2)

    order = best_orders(puzzle.problem).orders[0]

    assert order.index(0) < order.index(5)
    assert order.index(1) < order.index(4)


def test_all_twins_are_one_order():
    """Where all sentences are alike there is nothing to look for: the given order, and no second one."""
    puzzle = make_puzzle(np.random.default_rng(1), 15, 3, "flat")

    found = best_orders(puzzle.problem, n_best=2)

    assert found.orders == (tuple(range(15)),)
    assert found.proved


def tied(n_sentences, n_states):
    """A puzzle in which all orders tie, though no two sentences are alike: what comes before never matters."""
    rng = np.random.default_rng(2)
    anywhere = np.log(rng.dirichlet(np.ones(n_states)))
    chain = Chain(anywhere, np.tile(anywhere, (n_states, 1)), np.full(n_states, -1.0))
    return Puzzle(chain, rng.uniform(-8.0, 0.0, (n_sentences, n_states)))


def test_all_orders_tie():
    """Where what comes before never matters every order is best, and the first one found is proved so."""
    puzzle = tied(7, 5)
    assert_close(list(puzzle.scores.values()), puzzle.best)

    check_best(puzzle, best_orders(puzzle.problem))


def test_ties_are_not_visited():
    """That all orders of fourteen sentences tie is proved by bounds that are precise enough, not by trying them."""
    found = best_orders(tied(14, 5).problem)

    assert found.proved
    assert found.n_nodes < 5000


def test_ties_when_time_is_up(monkeypatch):
    """Where there is no time for precise bounds, what was found stands, with the bound that there is."""
    puzzle, rough = tied(9, 5), module.subset_bounds

    def out_of_time(*_, double=False, **__):
        if double:
            raise OutOfTime
        return rough(puzzle.problem)

    monkeypatch.setattr(module, "subset_bounds", out_of_time)
    monkeypatch.setattr(module, "_CLOSE_ROUNDS", 2)

    found = best_orders(puzzle.problem)

    assert not found.proved
    assert found.log_scores[0] < found.upper_bound < found.log_scores[0] + 1e-3


def test_the_proof_does_not_visit_the_orders():
    """Ten sentences in 30 states: of the beginnings of 3,628,800 orders some thousand are opened at the most."""
    opened = [best_orders(make_puzzle(np.random.default_rng(s), 10, 30).problem).n_nodes for s in range(5)]

    assert max(opened) < 5000


def test_past_20_sentences():
    """Of longer documents the best order found comes with a bound that no order exceeds."""
    problem = make_puzzle(np.random.default_rng(3), 26, 8).problem

    found = best_orders(problem, time_limit=1.0)

    assert sorted(found.orders[0]) == list(range(26))
    assert_close(found.log_scores[0], log_scores(problem, np.array(found.orders))[0])
    assert found.upper_bound >= found.log_scores[0]
    assert found.upper_bound - found.log_scores[0] < 5.0


def test_past_20_sentences_a_proof_may_close():
    """Where the chain all but dictates the order, 30 sentences are ordered with proof."""
    log_step = np.full((30, 30), -9.0)
    wanted = np.random.default_rng(4).permutation(30)
    log_step[wanted[:-1], wanted[1:]] = -0.1
    problem = OrderProblem.of_steps(np.where(np.arange(30) == wanted[0], -0.1, -9.0), log_step, 0.0)

    found = best_orders(problem, time_limit=60.0)

    assert found.proved
    assert found.orders[0] == tuple(wanted.tolist())
    assert found.upper_bound == found.log_scores[0] == pytest.approx(-0.1 * 30, rel=1e-12)


@given(puzzles(max_sentences=6), st.sampled_from([0.0, 1e-3]))
def test_a_time_limit_leaves_an_order_and_a_bound(puzzle, time_limit):
    """However little time there is, the order is one, its score is true and the bound holds."""
    found = best_orders(puzzle.problem, time_limit=time_limit)

    assert sorted(found.orders[0]) == list(range(puzzle.n))
    assert_close(found.log_scores[0], puzzle.scores[found.orders[0]])
    assert found.upper_bound >= puzzle.best - 1e-9
    assert found.upper_bound >= found.log_scores[0]
    if found.proved:
        np.testing.assert_allclose(found.log_scores[0], puzzle.best, rtol=1e-11, atol=2 * ROUNDING)


def test_the_time_limit_is_kept():
    """Eighteen sentences in 100 states would take seconds; with a tenth of one they take about that."""
    problem = make_puzzle(np.random.default_rng(5), 18, 100, "steep", 1e-6).problem
    start = time.monotonic()

    found = best_orders(problem, time_limit=0.1)

    assert time.monotonic() - start < 1.0
    assert found.upper_bound >= found.log_scores[0]


def test_a_full_heap_loses_the_proof_and_nothing_else(monkeypatch):
    """When waiting beginnings are dropped for lack of room, the bound still counts what they could reach."""
    weak_bounds(monkeypatch)
    monkeypatch.setattr(module, "_MAX_WAITING", 4)
    monkeypatch.setattr(module, "_LONG_BEAM_WIDTH", 1)
    short_of_it = 0
    for seed in range(10):
        puzzle = make_puzzle(np.random.default_rng(seed), 7, 4)

        found = best_orders(puzzle.problem)

        assert found.upper_bound >= puzzle.best - 1e-9
        assert not found.proved or found.log_scores[0] >= puzzle.best - 2 * ROUNDING
        short_of_it += not found.proved
    assert short_of_it > 0


@pytest.mark.parametrize("smoothing", [1.0, 1e-12])
def test_200_sentences_in_500_states(smoothing):
    """Long documents of long sentences under any smoothing get an order, its true score and a finite bound."""
    problem = make_puzzle(np.random.default_rng(6), 200, 500, "steep", smoothing).problem

    found = best_orders(problem, time_limit=0.0)

    assert sorted(found.orders[0]) == list(range(200))
    np.testing.assert_allclose(found.log_scores, log_scores(problem, np.array(found.orders)), rtol=1e-12, atol=0)
    assert math.isfinite(found.upper_bound)
    assert found.upper_bound >= found.log_scores[0]


def test_the_same_answer_every_time():
    """Nothing is drawn: the same problem has the same orders, scores and number of steps."""
    problem = make_puzzle(np.random.default_rng(7), 9, 6).problem

    assert best_orders(problem, n_best=3) == best_orders(problem, n_best=3)


def test_given_orders_do_not_matter():
    """Whichever order the sentences are given in, the best score is the same."""
    puzzle = make_puzzle(np.random.default_rng(8), 8, 5)
    scores = [
        best_orders(OrderProblem.of(puzzle.chain, puzzle.log_emission[list(given)])).log_scores[0]
        for given in itertools.islice(itertools.permutations(range(8)), 0, 40320, 9001)
    ]

    np.testing.assert_allclose(scores, scores[0], rtol=1e-12, atol=0)


def test_the_clock():
    """A clock tells when a share of its time is spent, and stops whoever asks it to check."""
    over, far = Clock(0.0), Clock(1e6)

    assert over.spent()
    assert not far.spent(0.5)
    far.check()
    with pytest.raises(OutOfTime):
        over.check()
