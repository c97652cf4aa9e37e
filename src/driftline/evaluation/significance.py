"""Intervals by the bootstrap: how far a figure could have been elsewhere with other documents."""

from collections.abc import Sequence

import numpy as np

N_DRAWS = 2000
_CONFIDENCE = 0.95
_BLOCK = 2**20  # groups drawn in one go: all draws at once would take gigabytes for large corpora


def bootstrap_interval(
    values: Sequence[float], weights: Sequence[float], groups: Sequence[str], *, seed: int = 0
) -> tuple[float, float]:
    """Return the percentile interval of sum(values) / sum(weights) when whole groups are drawn again.

    >>> bootstrap_interval([1.0, 1.0], [1.0, 1.0], ["a", "b"])
    (1.0, 1.0)
    """
    names, place = np.unique(np.asarray(groups), return_inverse=True)
    value = np.bincount(place, weights=np.asarray(values, dtype=float))
    weight = np.bincount(place, weights=np.asarray(weights, dtype=float))
    rng, means = np.random.default_rng(seed), np.empty(N_DRAWS)
    step = max(1, _BLOCK // len(names))
    for start in range(0, N_DRAWS, step):
        block = means[start : start + step]
        drawn = rng.integers(len(names), size=(len(block), len(names)))
        block[:] = value[drawn].sum(axis=1) / weight[drawn].sum(axis=1)
    with np.errstate(invalid="ignore"):
        found = np.quantile(means, [(1 - _CONFIDENCE) / 2, (1 + _CONFIDENCE) / 2])
    # A rank past the range of floats is infinite; between two such means NumPy finds no number.
    low, high = np.where(np.isnan(found), np.inf, found).tolist()
    return low, high
