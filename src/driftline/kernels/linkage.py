"""Complete-link agglomerative clustering by chains of nearest neighbours, in one float32 matrix."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Similarity = NDArray[np.float32]


class Merge(NamedTuple):
    """Two clusters, each named by its lowest member, that become one under the lower name."""

    kept: int
    gone: int
    similarity: float


def complete_link(similarity: Similarity) -> list[Merge]:
    """Return the merges above similarity 0, most similar first; the matrix is used up.

    `similarity` is symmetric and not negative. The similarity of two clusters is that of their least
    similar members. A merge always comes after the merges that made its parts. Of equally near
    neighbours the lowest is taken, so the result depends on the order of the rows: give them a
    canonical one.
    """
    np.fill_diagonal(similarity, 0.0)
    merges: list[Merge] = []
    chain: list[int] = []
    for start in range(len(similarity)):
        # A round ends when the cluster that it began with has no neighbour left.
        chain.append(start)
        while chain:
            tip = chain[-1]
            row = similarity[tip]
            nearest = int(row.argmax())
            best = row[nearest]
            if best <= 0.0:
                chain.pop()
            # Each is the other's nearest. The one before goes first among equals, or chains could run in circles.
            elif len(chain) > 1 and row[chain[-2]] == best:
                chain.pop()
                merges.append(_merge(similarity, tip, chain.pop()))
                if not chain:
                    chain.append(merges[-1].kept)
            else:
                chain.append(nearest)
    # Children come before parents in the list, and a stable sort keeps it so where similarities tie.
    merges.sort(key=lambda merge: -merge.similarity)
    return merges


def _merge(similarity: Similarity, a: int, b: int) -> Merge:
    """Make the lower of two clusters their union; the other one becomes a row without neighbours."""
    kept, gone = min(a, b), max(a, b)
    value = float(similarity[kept, gone])
    # A minimum with 0 is 0: only the columns of the kept cluster's neighbours can change.
    touched = np.flatnonzero(similarity[kept])
    row = np.minimum(similarity[kept], similarity[gone])
    row[kept] = 0.0
    similarity[kept] = row
    similarity[touched, kept] = row[touched]
    similarity[np.flatnonzero(similarity[gone]), gone] = 0.0
    similarity[gone] = 0.0
    return Merge(kept, gone, value)


def flat_clusters(n: int, merges: list[Merge]) -> NDArray[np.int64]:
    """Name the cluster of each of n items after these merges by the cluster's lowest member."""
    parent = np.arange(n)
    for merge in merges:
        parent[merge.gone] = merge.kept
    # A parent is always lower than its child, so one pass from below resolves every chain.
    for i in range(n):
        parent[i] = parent[parent[i]]
    return parent
