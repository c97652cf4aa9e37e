import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.kernels import subset_bounds as module
from driftline.kernels.order_problem import OrderProblem
from driftline.kernels.order_search import Clock, OutOfTime
from driftline.kernels.subset_bounds import members, sets_by_size, subset_bounds, subsets_fit
from order_problems import make_puzzle, puzzles

KINDS_OF_BOUNDS = [{}, {"double": True}]


def endings(problem, left):
    """What every order of the sentences left makes of each state before them, by hand: [order, state]."""
    found = []
    for order in itertools.permutations(left):
        after = problem.final
        for i in reversed(order):
            after = problem.transition @ (problem.emission[i] * after)
        found.append(after)
    return np.array(found)


def plain_bound(problem, left, choose):
    """The recursion of the module's first lines, a loop a sentence and a state."""
    if not left:
        return problem.final.tolist()
    after = {i: plain_bound(problem, left - {i}, choose) for i in left}

    def through(i, row):
        return math.fsum(row[j] * problem.emission[i, j] * after[i][j] for j in range(problem.n_states))

    return [choose(through(i, row) for i in left) for row in problem.transition]


def unscaled(bounds, bits):
    """A bound without the scale that it is kept in."""
    return bounds.values[bits].astype(float) * math.exp(-bounds.log_step * bits.bit_count())


@given(puzzles(), st.sampled_from(KINDS_OF_BOUNDS))
def test_no_order_of_any_set_exceeds_its_upper_bound(puzzle, kind):
    """From every state, whatever is left, in single and in double precision."""
    bounds = subset_bounds(puzzle.problem, **kind)

    for bits in range(1, 1 << puzzle.n):
        every = endings(puzzle.problem, [i for i in range(puzzle.n) if bits >> i & 1])
        assert (every.max(axis=0) <= unscaled(bounds, bits)).all()


@given(puzzles())
def test_no_order_of_any_set_falls_below_its_lowest_bound(puzzle):
    """From every state, whatever is left."""
    bounds = subset_bounds(puzzle.problem, lowest=True, double=True)

    for bits in range(1, 1 << puzzle.n):
        every = endings(puzzle.problem, [i for i in range(puzzle.n) if bits >> i & 1])
        assert (every.min(axis=0) >= unscaled(bounds, bits)).all()


@pytest.mark.parametrize(("lowest", "choose"), [(False, max), (True, min)])
@pytest.mark.parametrize("kind", ["even", "steep", "coarse"])
def test_bounds_are_what_the_recursion_says(lowest, choose, kind):
    """But for the slack that keeps rounding on the safe side, they are no looser than the formula."""
    problem = make_puzzle(np.random.default_rng(3), 5, 4, kind).problem
    bounds = subset_bounds(problem, lowest=lowest, double=True)

    for bits in range(1 << 5):
        plain = plain_bound(problem, frozenset(i for i in range(5) if bits >> i & 1), choose)
        np.testing.assert_allclose(unscaled(bounds, bits), plain, rtol=1e-11, atol=0)


def test_one_sentence_left_is_bound_exactly():
    """With no choice left both bounds are the probability itself."""
    problem = make_puzzle(np.random.default_rng(4), 1, 5).problem
    exact = problem.transition @ (problem.emission[0] * problem.final)

    for lowest in (False, True):
        got = unscaled(subset_bounds(problem, lowest=lowest, double=True), 1)
        np.testing.assert_allclose(got, exact, rtol=1e-11, atol=0)


def test_blocks_do_not_matter(monkeypatch):
    """However few sets are worked through at once, the bounds are the same."""
    problem = make_puzzle(np.random.default_rng(5), 7, 3).problem
    whole = subset_bounds(problem, double=True).values

    monkeypatch.setattr(module, "_ROWS_AT_ONCE", 5)

    np.testing.assert_allclose(subset_bounds(problem, double=True).values, whole, rtol=1e-14, atol=0)


def test_single_precision_where_its_range_suffices():
    """Single precision guides a search; transitions that are too far apart, and counting, take double."""
    near = make_puzzle(np.random.default_rng(6), 6, 3).problem
    far = make_puzzle(np.random.default_rng(6), 6, 3, smoothing=1e-12).problem

    kinds = [subset_bounds(p, double=d).values.dtype for p, d in [(near, False), (far, False), (near, True)]]

    assert kinds == [np.float32, np.float64, np.float64]


def test_single_precision_holds_for_long_documents():
    """Twelve sentences in 40 states, flat ones and hopeless ones among them: no bound is below that of doubles."""
    puzzle = make_puzzle(np.random.default_rng(10), 12, 40)
    puzzle.log_emission[0], puzzle.log_emission[1, 1:] = 0.0, -1000.0
    rough, precise = (subset_bounds(OrderProblem.of(puzzle.chain, puzzle.log_emission), double=d) for d in (0, 1))
    sets = np.arange(1 << 12)
    sizes = np.array([bits.bit_count() for bits in sets.tolist()])[:, None]

    gap = np.log(rough.values) - rough.log_step * sizes - np.log(precise.values) + precise.log_step * sizes

    assert rough.values.dtype == np.float32
    assert np.isfinite(rough.values).all()
    assert gap.min() >= 0
    assert gap.max() < 1e-4


def test_bounds_stay_above_0_where_products_leave_the_range_of_floats():
    """Twelve steps of 1e-60 each are below the smallest float: an upper bound of 0 would be a lie."""
    problem = make_puzzle(np.random.default_rng(7), 12, 3, smoothing=1e-60).problem

    values = subset_bounds(problem).values

    assert values.min() > 0
    assert np.isfinite(values).all()


def test_the_reach_of_a_beginning():
    """What follows a beginning is at most its alpha times the bound of the set left, as a log."""
    problem = make_puzzle(np.random.default_rng(8), 4, 3).problem
    bounds = subset_bounds(problem, double=True)
    alpha = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
    left = np.array([[True, False, True, True], [False, True, False, False]])

    reach = bounds.reach(alpha, left, left.sum(axis=1))

    expected = np.log([alpha[0] @ unscaled(bounds, 0b1101), alpha[1] @ unscaled(bounds, 0b0010)])
    np.testing.assert_allclose(reach, expected, rtol=1e-12, atol=0)


def test_the_clock_is_asked_between_blocks():
    """Whoever has no time left can stop the work."""
    with pytest.raises(OutOfTime):
        subset_bounds(make_puzzle(np.random.default_rng(9), 3, 2).problem, check_time=Clock(0.0).check)


def problem_of(n_sentences, n_states):
    ones = np.ones(n_states)
    transition = np.full((n_states, n_states), 1 / n_states)
    return OrderProblem(ones, transition, ones, np.ones((n_sentences, n_states)), 0.0, np.full(n_sentences, -1))


@pytest.mark.parametrize(
    ("n_sentences", "n_states", "fit"), [(20, 500, True), (21, 2, True), (21, 500, False), (24, 2, False)]
)
def test_which_documents_get_bounds_for_all_subsets(n_sentences, n_states, fit):
    """All up to 20 sentences, and longer ones whose bounds take little memory."""
    assert subsets_fit(problem_of(n_sentences, n_states)) is fit


@given(st.integers(0, 9))
def test_sets_by_size(n):
    """Every set stands once, among those of its size."""
    groups = sets_by_size(n)

    assert sorted(itertools.chain.from_iterable(g.tolist() for g in groups)) == list(range(1 << n))
    assert [{int(bits).bit_count() for bits in group} for group in groups] == [{size} for size in range(n + 1)]


def test_members_of_sets():
    """The sentences of a set are its bits, the lowest first."""
    assert members(np.array([0b0011, 0b1010]), 2, 4).tolist() == [[0, 1], [1, 3]]
