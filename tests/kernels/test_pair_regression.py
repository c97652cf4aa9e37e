"""Regression on pairs, against the big matrix that it avoids, and the weights of a log-linear score."""

from itertools import pairwise

import numpy as np
import pytest

from driftline.kernels.log_linear import learn_weights
from driftline.kernels.pair_regression import PairKernel, fit_pairs

LENGTHS = (3, 2, 4)


def plain_values(kernel, similarity, features, weights, rows, row_features):
    """What the weights of all known pairs make of new ones: a sum over all pairs of pairs."""
    start, values = 0, np.zeros((len(rows), len(rows)))
    for block, one in zip(weights, features, strict=True):
        for i, j in np.ndindex(values.shape):
            for a, b in np.ndindex(block.shape):
                first, second = rows[:, start + a], rows[:, start + b]
                alike = first[i] * second[j] + kernel.bias * (first[i] + second[j])
                if kernel.antisymmetric:
                    alike -= first[j] * second[i] + kernel.bias * (first[j] + second[i])
                    alike /= 2
                values[i, j] += block[a, b] * (alike + kernel.scale * row_features[i, j] @ one[a, b])
        start += len(block)
    return values


@pytest.fixture(name="known")
def make_known():
    """Nine sentences of three documents, with similarities and features."""
    rng = np.random.default_rng(0)
    points = rng.random((sum(LENGTHS), 4)).astype(np.float32)
    offsets = np.cumsum([0, *LENGTHS])
    features = [rng.normal(size=(n, n, 2)).astype(np.float32) for n in LENGTHS]
    return points, offsets, features


@pytest.mark.parametrize("antisymmetric", [True, False])
def test_the_fit_solves_the_whole_system(known, antisymmetric):
    """At the solution every known pair's value and its share of ridge make its target."""
    points, offsets, features = known
    kernel = PairKernel(antisymmetric)
    if antisymmetric:
        features = [f - f.transpose(1, 0, 2) for f in features]
        targets = [np.triu(np.ones((n, n), np.float32)) - np.tril(np.ones((n, n), np.float32)) for n in LENGTHS]
    else:
        targets = [np.eye(n, k=1, dtype=np.float32) - np.float32(1 / n) for n in LENGTHS]
    similarity = points @ points.T

    learned = fit_pairs(kernel, similarity, offsets, features, targets)

    for (a, b), n, one, target, weights in zip(
        pairwise(offsets), LENGTHS, features, targets, learned.weights, strict=True
    ):
        plain = plain_values(kernel, similarity, features, learned.weights, similarity[a:b], one)
        np.testing.assert_allclose(learned.predict(similarity[a:b], one), plain, rtol=1e-4, atol=1e-4)
        apart = ~np.eye(n, dtype=bool)
        whole = plain + kernel.ridge * n / np.mean(LENGTHS) * weights
        np.testing.assert_allclose(whole[apart], target[apart], atol=0.05)
        assert (np.diag(weights) == 0).all()


def test_what_comes_first_is_learned(known):
    """A new pair like the known first and last sentences is put in their order, and its reverse against it."""
    points, offsets, features = known
    points[:, 0] = np.concatenate([np.linspace(0, 3, n) for n in LENGTHS])
    none = [np.zeros_like(f) for f in features]
    targets = [np.triu(np.ones((n, n), np.float32)) - np.tril(np.ones((n, n), np.float32)) for n in LENGTHS]

    learned = fit_pairs(PairKernel(antisymmetric=True), points @ points.T, offsets, none, targets)
    values = learned.predict(points[[0, 2]] @ points.T, np.zeros((2, 2, 2), np.float32))

    assert values[0, 1] > 0
    assert values[1, 0] == -values[0, 1]


def test_weights_favour_what_tells_true_orders():
    """A feature that true orders have more of gets a weight, one that they have less of gets none."""
    rng = np.random.default_rng(0)
    advantages = [np.column_stack([rng.normal(1, 1, 30), rng.normal(-1, 1, 30), np.zeros(30)]) for _ in range(9)]

    weights = learn_weights(advantages)

    assert weights[0] > 0.5
    assert weights[1:].tolist() == [0.0, 0.0]


def test_weights_do_not_depend_on_units():
    """A feature in other units gets the weight that makes up for it."""
    rng = np.random.default_rng(1)
    advantages = [rng.normal(0.5, 1, (20, 2)) for _ in range(5)]

    weights, scaled = learn_weights(advantages), learn_weights([a * [1000, 1] for a in advantages])

    np.testing.assert_allclose(scaled * [1000, 1], weights, rtol=1e-3)
