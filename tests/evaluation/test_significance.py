import numpy as np
import pytest

from driftline.evaluation import significance
from driftline.evaluation.significance import N_DRAWS, bootstrap_interval


def plain_interval(values, weights, groups, seed):
    """The percentile bootstrap with loops: whole groups are drawn, as often as there are groups."""
    names = sorted(set(groups))
    rng, means = np.random.default_rng(seed), []
    for row in rng.integers(len(names), size=(N_DRAWS, len(names))).tolist():
        chosen = [i for name in row for i, group in enumerate(groups) if group == names[name]]
        means.append(sum(values[i] for i in chosen) / sum(weights[i] for i in chosen))
    return np.quantile(means, [0.025, 0.975])


def test_it_equals_loops():
    """Sums by group are drawn as whole groups of documents would be."""
    values, weights, groups = [1.0, 3.0, 0.0, 2.0], [1.0, 4.0, 2.0, 2.0], ["b", "a", "b", "c"]

    np.testing.assert_allclose(
        bootstrap_interval(values, weights, groups, seed=5), plain_interval(values, weights, groups, 5), rtol=1e-12
    )


def test_blocks_move_nothing(monkeypatch):
    """Draws come in blocks, so that memory does not grow with the corpus; how large they are moves no interval."""
    values, groups = np.random.default_rng(1).normal(size=40).tolist(), list(map(str, range(40)))
    whole = bootstrap_interval(values, [1.0] * 40, groups, seed=3)
    monkeypatch.setattr(significance, "_BLOCK", 41 * 7)

    assert bootstrap_interval(values, [1.0] * 40, groups, seed=3) == whole


def test_it_covers_what_it_should():
    """The true mean lies in about 95 % of the intervals of samples."""
    rng, covered = np.random.default_rng(0), 0
    for i in range(200):
        sample = rng.normal(size=60).tolist()
        low, high = bootstrap_interval(sample, [1.0] * 60, list(map(str, range(60))), seed=i)
        covered += low <= 0 <= high
    assert 0.90 <= covered / 200 <= 0.985


def test_copies_of_a_story_are_no_evidence():
    """Four copies of each document in its story leave the interval as wide as it was; alone they would halve it."""
    values = [0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0]
    once = bootstrap_interval(values, [1.0] * 8, list("abcdefgh"))
    stories = bootstrap_interval(values * 4, [1.0] * 32, list("abcdefgh") * 4)
    apart = bootstrap_interval(values * 4, [1.0] * 32, list(map(str, range(32))))

    assert stories == once
    assert apart[1] - apart[0] < 0.6 * (once[1] - once[0])


def test_one_group_has_no_width():
    """A single story tells nothing of how far the figure could have been elsewhere."""
    assert bootstrap_interval([0.0, 1.0], [1.0, 1.0], ["a", "a"]) == (0.5, 0.5)


def test_the_order_of_documents_does_not_matter():
    """The same documents in another order have the same interval."""
    values = [0.1, 0.9, 0.4, 0.7]
    assert bootstrap_interval(values, [1.0] * 4, list("abcd")) == pytest.approx(
        bootstrap_interval(values[::-1], [1.0] * 4, list("dcba")), rel=1e-12
    )


def test_seeds():
    """A seed repeats itself, and another one draws otherwise."""
    given = np.linspace(0, 1, 30).tolist(), [1.0] * 30, list(map(str, range(30)))
    first, again, other = (bootstrap_interval(*given, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first != other
