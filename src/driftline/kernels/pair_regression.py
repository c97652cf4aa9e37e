"""Ridge regression on pairs of sentences of one document, by what pairs of known documents were like.

Two pairs (i, j) and (a, b) are alike as far as i is like a and j is like b:

    s(i, a) s(j, b) + bias (s(i, a) + s(j, b)) + scale features(i, j) . features(a, b)

All pairs of a hundred documents would make a matrix of gigabytes. But pairs never cross documents, so that
products with it are products with the much smaller similarity of sentences, and conjugate gradients need
nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from driftline.kernels.hmm import Integers

Values = NDArray[np.float32]
Blocks = list[Values]
"""For each document a value for each pair of its sentences: [sentence, sentence]."""

_MOST_ROUNDS = 100
_PRECISION = 1e-4  # of the residual's square


@dataclass(frozen=True)
class PairKernel:
    """How alike pairs are."""

    antisymmetric: bool
    """Whether the value of (j, i) is minus that of (i, j); otherwise the two have nothing to do with each other."""
    bias: float = 0.05
    scale: float = 0.05
    ridge: float = 1.0


@dataclass(frozen=True)
class PairRegression:
    """What was learned: a weight for every pair of sentences of every document, and one for every feature."""

    kernel: PairKernel
    weights: Blocks
    feature_weights: Values

    def predict(self, similarity: Values, features: Values) -> Values:
        """Return the value of every pair of a new document's sentences.

        `similarity` is [sentence, known sentence], `features` [sentence, sentence, feature].
        """
        return self._values(similarity, self._weighted(similarity), features)

    def predict_known(self, similarity: Values, document_offsets: Integers, features: Blocks) -> Blocks:
        """Return the values of the pairs of all known documents; `similarity` is [sentence, sentence]."""
        weighted = self._weighted(similarity)
        parts = zip(pairwise(document_offsets), features, strict=True)
        return [self._values(similarity[a:b], weighted[a:b], one) for (a, b), one in parts]

    def _values(self, similarity: Values, weighted: Values, features: Values) -> Values:
        ends = np.float32(self.kernel.bias) * (similarity @ self._sums)
        values: Values = ends[:, :1] + ends[:, 1] + weighted @ similarity.T
        if self.kernel.antisymmetric:
            values = np.float32(0.5) * (values - values.T)
        return values + features @ self.feature_weights

    @cached_property
    def _sums(self) -> Values:
        """[known sentence, 2] The sums of the weights by their first and by their second sentence."""
        first = np.concatenate([block.sum(axis=1) for block in self.weights])
        second = np.concatenate([block.sum(axis=0) for block in self.weights])
        return np.column_stack([first, second])

    def _weighted(self, similarity: Values) -> Values:
        """Multiply with the weights, which stand on the diagonal, a block a document."""
        weighted = np.empty_like(similarity)
        edges = np.cumsum([0, *map(len, self.weights)])
        for (start, end), block in zip(pairwise(edges), self.weights, strict=True):
            weighted[:, start:end] = similarity[:, start:end] @ block
        return weighted


def fit_pairs(
    kernel: PairKernel, similarity: Values, document_offsets: Integers, features: Blocks, targets: Blocks
) -> PairRegression:
    """Learn the targets of the pairs of known documents; a sentence makes no pair with itself.

    A pair of a long document counts less, in proportion to the length, so that documents count more alike.
    """
    lengths = np.diff(document_offsets)
    ridges = [np.float32(kernel.ridge * n / lengths.mean()) for n in lengths]
    apart = [1 - np.eye(n, dtype=np.float32) for n in lengths]

    def regression(weights: Blocks) -> PairRegression:
        return PairRegression(kernel, weights, _feature_weights(kernel, weights, features))

    def product(weights: Blocks) -> Blocks:
        values = regression(weights).predict_known(similarity, document_offsets, features)
        return [(v + r * w) * m for v, r, w, m in zip(values, ridges, weights, apart, strict=True)]

    return regression(_conjugate_gradients(product, [t * m for t, m in zip(targets, apart, strict=True)]))


def _feature_weights(kernel: PairKernel, weights: Blocks, features: Blocks) -> Values:
    """Return the weights of the features that weights of pairs come to."""
    total = np.zeros(features[0].shape[2], dtype=np.float32)
    for block, one in zip(weights, features, strict=True):
        total += np.tensordot(block, one, 2)
    return np.float32(kernel.scale) * total


def _conjugate_gradients(product: Callable[[Blocks], Blocks], targets: Blocks) -> Blocks:
    """Solve product(x) = targets."""
    solution = [np.zeros_like(target) for target in targets]
    residual = direction = targets
    left = begun = _dot(residual, residual)
    for _ in range(_MOST_ROUNDS):
        if left <= _PRECISION * begun:
            break
        along = product(direction)
        length = np.float32(left / _dot(direction, along))
        solution = [x + length * d for x, d in zip(solution, direction, strict=True)]
        residual = [r - length * a for r, a in zip(residual, along, strict=True)]
        before, left = left, _dot(residual, residual)
        direction = [r + np.float32(left / before) * d for r, d in zip(residual, direction, strict=True)]
    return solution


def _dot(a: Blocks, b: Blocks) -> float:
    return sum(float(np.vdot(x, y)) for x, y in zip(a, b, strict=True))
