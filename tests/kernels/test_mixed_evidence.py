"""One score of all evidence: its best orders and its ranks, against every order there is."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.kernels import mixed_search as module
from driftline.kernels.long_orders import improve, loose_bound, move_gains
from driftline.kernels.mixed_count import MixedCounter
from driftline.kernels.mixed_search import best_mixed_orders
from driftline.kernels.order_search import ROUNDING
from driftline.kernels.pair_terms import PairTerms, RestTable
from mixed_problems import MixedPuzzle, mixed_puzzles


@given(mixed_puzzles(max_sentences=5))
def test_scores_are_the_sums_of_their_terms(puzzle):
    """The score of every order is what its pairs gain and the weighted mean of its forward probabilities."""
    got = puzzle.problem.log_scores(puzzle.orders)

    np.testing.assert_allclose(got, list(puzzle.scores.values()), rtol=1e-11, atol=1e-11)


@given(mixed_puzzles())
def test_the_table_knows_the_best_and_the_worst_rest(puzzle):
    """From every first sentence, the table says exactly what the others can still gain, at most and at least."""
    everything = (1 << puzzle.n) - 1
    gained = puzzle.pairs.scores(puzzle.orders)
    for lowest, choose in ((False, np.max), (True, np.min)):
        table = RestTable.of(puzzle.pairs, lowest=lowest)
        for first in range(puzzle.n):
            found = puzzle.pairs.first[first] + table.values[everything ^ (1 << first), first]
            expected = choose(gained[puzzle.orders[:, 0] == first])
            np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)


def test_no_terms_are_worth_nothing():
    """Empty terms leave every order at 0."""
    assert PairTerms.none(3).scores(np.array([[0, 1, 2], [2, 1, 0]])).tolist() == [0.0, 0.0]


@given(mixed_puzzles(), st.integers(1, 4))
def test_the_best_orders_are_found_and_proved(puzzle, n_best):
    """The first orders that the search returns are the best of all, in their order, with a proof."""
    found = best_mixed_orders(puzzle.problem, n_best=n_best)

    best = sorted(puzzle.scores.values(), reverse=True)[:n_best]
    assert found.proved
    assert len(set(found.orders)) == len(found.orders) == len(best)
    np.testing.assert_allclose(found.log_scores, best, rtol=1e-11, atol=2 * ROUNDING)
    np.testing.assert_allclose(found.log_scores, [puzzle.scores[o] for o in found.orders], rtol=1e-11, atol=1e-11)


@given(mixed_puzzles(max_sentences=5))
def test_weak_bounds_prove_the_same(puzzle):
    """Where strong bounds would take long, the relaxation leads to the same best score and a proof."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_WORK", 0)
        found = best_mixed_orders(puzzle.problem)

    assert found.proved
    np.testing.assert_allclose(found.log_scores[0], max(puzzle.scores.values()), rtol=1e-11, atol=2 * ROUNDING)


@given(mixed_puzzles(max_sentences=6))
def test_a_document_past_the_table_gets_an_honest_bound(puzzle):
    """Without a table the order is a good one, its score its own, and no order is above the bound."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_TABLED", 0)
        found = best_mixed_orders(puzzle.problem, n_best=2)

    assert sorted(found.orders[0]) == list(range(puzzle.n))
    np.testing.assert_allclose(found.log_scores[0], puzzle.scores[found.orders[0]], rtol=1e-11, atol=1e-11)
    assert max(puzzle.scores.values()) <= found.upper_bound + 1e-9


def test_a_search_without_time_still_answers():
    """With no time at all there is an order and a bound, and the gap between them is admitted."""
    puzzle = MixedPuzzle(np.random.default_rng(0), 7, 2)

    found = best_mixed_orders(puzzle.problem, time_limit=0.0)

    assert not found.proved
    assert max(puzzle.scores.values()) <= found.upper_bound


def test_strong_bounds_that_run_out_of_time_are_replaced(monkeypatch):
    """When the table is done but the bounds of the chains are late, the search goes on with weak ones."""
    puzzle = MixedPuzzle(np.random.default_rng(1), 6, 2)
    monkeypatch.setattr(module, "_BOUNDS_END", -1.0)

    found = best_mixed_orders(puzzle.problem, time_limit=60.0)

    assert found.proved
    np.testing.assert_allclose(found.log_scores[0], max(puzzle.scores.values()), rtol=1e-11)


def test_a_full_heap_forgets_and_says_so(monkeypatch):
    """What was dropped for lack of room still counts in the bound."""
    puzzle = MixedPuzzle(np.random.default_rng(2), 7, 1, weight=3.0)
    monkeypatch.setattr(module, "_MAX_WAITING", 4)
    monkeypatch.setattr(module, "_MOST_WORK", 0)

    found = best_mixed_orders(puzzle.problem, n_best=50)

    assert max(puzzle.scores.values()) <= found.upper_bound + ROUNDING


@given(mixed_puzzles(max_sentences=6), st.data())
def test_ranks_are_the_counts_over_all_orders(puzzle, data):
    """How many orders are better, and how many equal, is what counting them one by one gives."""
    order = data.draw(st.permutations(range(puzzle.n)))
    score = puzzle.scores[tuple(order)]
    tally = MixedCounter.of(puzzle.problem, score, 1e-9).count(may_go_on=lambda: True)

    scores = np.array(list(puzzle.scores.values()))
    assert tally.open is None
    assert tally.better == (scores > score + 1e-9).sum()
    assert tally.equal == (np.abs(scores - score) <= 1e-9).sum()


def test_what_was_not_counted_is_sampled():
    """A count that stops early leaves all orders open, and a sample of them has the right share of better ones."""
    puzzle = MixedPuzzle(np.random.default_rng(3), 6, 1)
    scores = np.array(list(puzzle.scores.values()))
    counter = MixedCounter.of(puzzle.problem, float(np.quantile(scores, 0.7)), 1e-9, bounded=False)

    tally = counter.count(may_go_on=lambda: True)
    better, equal = counter.sample(tally.open, 20_000, np.random.default_rng(0))

    assert sum(part.n_orders for part in tally.open) == math.factorial(6)
    assert better / 20_000 == pytest.approx((scores > np.quantile(scores, 0.7)).mean(), abs=0.02)
    assert equal < 200


@given(mixed_puzzles(max_sentences=6), st.data())
def test_what_a_move_gains(puzzle, data):
    """The table of moves says what scoring the moved order says."""
    order = np.array(data.draw(st.permutations(range(puzzle.n))))
    gains = move_gains(puzzle.pairs, order)

    for origin, to in np.ndindex(puzzle.n, puzzle.n):
        if origin != to:
            moved = np.insert(np.delete(order, origin), to, order[origin])
            expected = puzzle.plain_pairs(tuple(moved)) - puzzle.plain_pairs(tuple(order))
            np.testing.assert_allclose(gains[origin, to], expected, rtol=1e-9, atol=1e-9)


@given(mixed_puzzles())
def test_no_order_gains_more_than_the_loose_bound(puzzle):
    """Each kind of term at its own best is a bound on all of them together."""
    assert puzzle.pairs.scores(puzzle.orders).max() <= loose_bound(puzzle.pairs) + 1e-9


def test_a_long_document_is_improved_until_no_move_helps():
    """Forty sentences: the order that comes out cannot be bettered by moving one sentence."""
    puzzle = MixedPuzzle(np.random.default_rng(4), 40, 0)

    orders, scores = improve(puzzle.problem, 1)

    assert move_gains(puzzle.pairs, orders[0]).max() <= 1e-9
    assert scores[0] == pytest.approx(puzzle.plain_pairs(tuple(orders[0])), rel=1e-11)
