"""How far two partitions of the same sentences agree."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def adjusted_rand(one: ArrayLike, other: ArrayLike) -> float:
    """Return the adjusted Rand index (Hubert and Arabie, 1985): 1 for the same partition, about 0 by chance.

    >>> adjusted_rand([0, 0, 1, 1], [5, 5, 2, 2])
    1.0
    """
    _, a = np.unique(np.asarray(one), return_inverse=True)
    _, b = np.unique(np.asarray(other), return_inverse=True)
    both = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(both, (a, b), 1.0)
    together, in_one, in_other = _pairs(both), _pairs(both.sum(axis=1)), _pairs(both.sum(axis=0))
    chance = in_one * in_other / max(1.0, len(a) * (len(a) - 1) / 2)
    most = (in_one + in_other) / 2
    return 1.0 if most == chance else (together - chance) / (most - chance)


def _pairs(counts: NDArray[np.float64]) -> float:
    return float((counts * (counts - 1) / 2).sum())
