"""How many orders are better and how many equal, against every order there is."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.kernels import order_count as module
from driftline.kernels.order_count import Beginnings, Counter
from driftline.kernels.order_problem import log_scores
from oracles import better_and_equal
from order_problems import KINDS, make_puzzle, puzzles


def always():
    return True


def count(puzzle, order, may_go_on=always, **options):
    """Count the orders better than this one and the others equal to it."""
    own = puzzle.scores[order]
    tally = Counter.of(puzzle.problem, own, 1e-9 * abs(own), **options).count(may_go_on=may_go_on)
    return tally.better, tally.equal - 1, tally.open


@given(puzzles(max_sentences=6), st.randoms(use_true_random=False))
def test_the_counts_are_those_of_all_orders(puzzle, random):
    """Better and equal ones, with twins, ties and smoothing down to 1e-12, for any order asked about."""
    order = random.choice(list(puzzle.scores))

    assert count(puzzle, order) == (*better_and_equal(puzzle.scores, order), None)


@pytest.mark.parametrize(("n", "kind", "smoothing"), [*((7, kind, 1e-12) for kind in KINDS), (8, "coarse", 1.0)])
def test_seven_and_eight_sentences(n, kind, smoothing):
    """Good, middling and bad orders of seven and eight sentences in ten states, two of them alike."""
    puzzle = make_puzzle(np.random.default_rng(n), n, 10, kind, smoothing, n_copies=1)
    ranked = sorted(puzzle.scores, key=puzzle.scores.__getitem__, reverse=True)

    for order in (ranked[0], ranked[17], ranked[len(ranked) // 2], ranked[-1]):
        assert count(puzzle, order) == (*better_and_equal(puzzle.scores, order), None)


def test_all_orders_tie():
    """Where nothing tells orders apart none is better and all are equal, without going through 15! of them."""
    puzzle = make_puzzle(np.random.default_rng(0), 15, 3, "flat")
    own = float(log_scores(puzzle.problem, np.arange(15)[None])[0])

    tally = Counter.of(puzzle.problem, own, 1e-9 * abs(own)).count(may_go_on=always)

    assert (tally.better, tally.equal, tally.open) == (0, math.factorial(15), None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("_ROWS_AT_ONCE", 3),
        ("_ROWS_EXTENDED", 2),
        ("_ROWS_IN_CACHE", 1),
        ("_ENDINGS_KEPT", 1),
        ("_WORTH_TRYING", {1: 0}),
        ("_WORTH_TRYING", {6: 0, 5: 0, 4: 0, 3: 0, 2: 0, 1: 0}),
    ],
)
def test_how_the_work_is_cut_does_not_matter(monkeypatch, name, value):
    """Blocks, caches, and when endings are tried change the speed and no count."""
    monkeypatch.setattr(module, name, value)
    puzzle = make_puzzle(np.random.default_rng(1), 7, 4, "coarse", n_copies=1)
    order = sorted(puzzle.scores, key=puzzle.scores.__getitem__)[-99]

    assert count(puzzle, order) == (*better_and_equal(puzzle.scores, order), None)


def test_what_is_open_when_time_is_up():
    """A count that stops keeps what is settled; with what is still open it makes up all orders."""
    puzzle = make_puzzle(np.random.default_rng(2), 7, 6)
    order = sorted(puzzle.scores, key=puzzle.scores.__getitem__)[2500]
    better, equal = better_and_equal(puzzle.scores, order)
    calls = iter([True] * 3 + [False] * 9)

    got_better, got_equal, left = count(puzzle, order, may_go_on=lambda: next(calls))

    assert left
    n_open = sum(part.n_orders for part in left)
    assert 0 < n_open < math.factorial(7)
    assert got_better <= better <= got_better + n_open
    assert got_equal <= equal <= got_equal + n_open


def test_without_bounds_nothing_is_counted():
    """Documents too long for bounds are left open whole, for a sample."""
    puzzle = make_puzzle(np.random.default_rng(3), 5, 3)

    better, equal, left = count(puzzle, (0, 1, 2, 3, 4), bounded=False)

    assert (better, equal) == (0, -1)
    assert [part.n_orders for part in left] == [math.factorial(5)]


@pytest.mark.parametrize("kind", ["even", "coarse"])
def test_a_sample_agrees_with_the_counts(kind):
    """The shares of better and equal orders in a large sample are those among all, within four deviations."""
    puzzle = make_puzzle(np.random.default_rng(4), 6, 4, kind, n_copies=1)
    n = 20_000
    for order in list(puzzle.scores)[::240]:
        own = puzzle.scores[order]
        counter = Counter.of(puzzle.problem, own, 1e-9 * abs(own), bounded=False)
        left = counter.count(may_go_on=always).open

        hits = counter.sample(left, n, np.random.default_rng(5))

        better, equal = better_and_equal(puzzle.scores, order)
        for hit, expected in zip(hits, (better / 720, (equal + 1) / 720), strict=True):
            assert hit / n == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / n) + 1e-12)


def test_a_sample_of_some_beginnings_is_of_their_orders():
    """Only orders that begin as one of those left open are drawn, those of each beginning by their number."""
    puzzle = make_puzzle(np.random.default_rng(6), 6, 4)
    problem = puzzle.problem
    middle = sorted(puzzle.scores, key=puzzle.scores.__getitem__)[360]
    counter = Counter.of(problem, puzzle.scores[middle], 1e-9 * abs(puzzle.scores[middle]), bounded=False)
    step = math.exp(counter.log_step)

    def begin(*order):
        used, into = np.zeros((1, 6), dtype=bool), problem.initial * step
        for i in order:
            used[0, i] = True
            into = (into * problem.emission[i]) @ problem.transition * step
        return Beginnings(used, into[None])

    n = 20_000
    better, _ = counter.sample([begin(2), begin(0, 4)], n, np.random.default_rng(7))

    begun = [o for o in puzzle.scores if o[0] == 2 or o[:2] == (0, 4)]
    expected = np.mean([puzzle.scores[o] > puzzle.scores[middle] + 1e-9 for o in begun])
    assert better / n == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / n))


def test_beginnings_know_their_orders():
    """Beginnings of the same length count their endings and can be split."""
    part = Beginnings(np.array([[True, False, False, False], [False, True, False, False]]), np.ones((2, 3)))

    assert (part.n_left, part.n_orders, part.rows(slice(1)).n_orders) == (3, 12, 6)
