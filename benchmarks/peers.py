"""SciPy's complete link, fed as frugally as a careful user of it would."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster.hierarchy import linkage

_ROWS_AT_ONCE = 64


def unit_rows(features: sparse.csr_array) -> sparse.csr_array:
    """Scale every row to length 1; a row of zeros stays."""
    length = np.sqrt(features.multiply(features).sum(axis=1))
    unit = sparse.csr_array(sparse.diags_array(1 / np.where(length > 0, length, 1)) @ features)
    # scikit-learn takes no 64-bit indices.
    narrow = (unit.data, unit.indices.astype(np.int32), unit.indptr.astype(np.int32))
    return sparse.csr_array(narrow, shape=unit.shape)


def scipy_linkage(features: sparse.csr_array) -> NDArray[np.float64]:
    """Return SciPy's table of merges, from distances that are filled in block by block."""
    unit = unit_rows(features.astype(np.float64))
    n, transposed, filled = unit.shape[0], unit.T.tocsr(), 0
    distances = np.empty(n * (n - 1) // 2)
    for start in range(0, n, _ROWS_AT_ONCE):
        block = (unit[start : start + _ROWS_AT_ONCE] @ transposed).toarray()
        for i, row in enumerate(block, start):
            part = distances[filled : filled + n - 1 - i]
            np.subtract(1, row[i + 1 :], out=part)
            filled += len(part)
    # Rounding may leave equal sentences a hair below 0, which linkage refuses.
    np.maximum(distances, 0, out=distances)
    return linkage(distances, method="complete")


def cut(merges: NDArray[np.float64], n_clusters: int) -> NDArray[np.int64]:
    """Name the clusters that are left when the table of merges is followed down to this many."""
    n = len(merges) + 1
    parent = np.arange(2 * n - 1)
    for number, (a, b) in enumerate(merges[: n - n_clusters, :2].astype(int), n):
        parent[[a, b]] = number
    # A merged cluster has a higher number than its parts, so one pass from above resolves every chain.
    for i in reversed(range(len(parent))):
        parent[i] = parent[parent[i]]
    return parent[:n]
