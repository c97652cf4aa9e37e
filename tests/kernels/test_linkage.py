import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from driftline.kernels.linkage import complete_link, flat_clusters
from oracles import plain_complete_link, replay
from strategies import distinct_similarities, tied_similarities

seeds = st.integers(0, 2**32 - 1)


def partition(names):
    """The clusters as a set of sets of places."""
    return {frozenset(np.flatnonzero(names == name).tolist()) for name in np.unique(names)}


@given(seeds, st.integers(1, 14))
def test_complete_link_agrees_with_the_definition(seed, n):
    """Merging the most similar pair of clusters again and again, by the definition, gives the same merges."""
    similarity = distinct_similarities(np.random.default_rng(seed), n)

    merges = complete_link(similarity.copy())

    clusters, heights = plain_complete_link(similarity.tolist())
    assert [merge.similarity for merge in merges] == heights
    assert partition(flat_clusters(n, merges)) == {frozenset(cluster) for cluster in clusters}


@given(seeds, st.integers(1, 12))
def test_with_ties_every_merge_is_one_that_the_definition_allows(seed, n):
    """Whatever ties: each merge is of the most similar pair, at its stated similarity, until none is left."""
    similarity = tied_similarities(np.random.default_rng(seed), n)

    merges = complete_link(similarity.copy())

    pairs = [(merge.kept, merge.gone) for merge in merges]
    for merge, (linkage, best) in zip(merges, replay(similarity.tolist(), pairs), strict=True):
        assert merge.similarity == linkage == best
        assert merge.kept < merge.gone
    rest = partition(flat_clusters(n, merges))
    assert not any(similarity[np.ix_(list(a), list(b))].min() > 0 for a in rest for b in rest if a != b)


@pytest.mark.parametrize("n", [2, 10, 150])
def test_complete_link_agrees_with_scipy(n):
    """SciPy's linkage of the distances has the same heights, and the same clusters at every k."""
    similarity = distinct_similarities(np.random.default_rng(n), n)
    distance = 1.0 - similarity.astype(np.float64)
    np.fill_diagonal(distance, 0.0)

    merges = complete_link(similarity.copy())
    judge = hierarchy.linkage(squareform(distance), method="complete")

    np.testing.assert_allclose([1.0 - merge.similarity for merge in merges], judge[:, 2], rtol=1e-12, atol=0)
    cuts = hierarchy.cut_tree(judge)
    for n_merges in range(n):
        assert partition(flat_clusters(n, merges[:n_merges])) == partition(cuts[:, n_merges])


@given(seeds, st.integers(1, 12), st.data())
def test_every_number_of_merges_leaves_exactly_so_many_clusters(seed, n, data):
    """A cut is by the number of merges, so ties never change how many clusters there are."""
    merges = complete_link(tied_similarities(np.random.default_rng(seed), n))
    n_merges = data.draw(st.integers(0, len(merges)))

    names = flat_clusters(n, merges[:n_merges])

    assert len(np.unique(names)) == n - n_merges


@given(seeds, st.integers(1, 12))
def test_a_cluster_is_named_by_its_lowest_member(seed, n):
    """The name of every cluster is its first place."""
    names = flat_clusters(n, complete_link(tied_similarities(np.random.default_rng(seed), n)))

    for cluster in partition(names):
        assert {int(names[i]) for i in cluster} == {min(cluster)}


@given(seeds, st.integers(2, 14))
def test_without_ties_the_order_of_the_rows_does_not_matter(seed, n):
    """Shuffled rows give the same clusters of the same things."""
    rng = np.random.default_rng(seed)
    similarity = distinct_similarities(rng, n)
    order = rng.permutation(n)
    n_merges = int(rng.integers(0, n))

    names = flat_clusters(n, complete_link(similarity.copy())[:n_merges])
    shuffled = flat_clusters(n, complete_link(similarity[np.ix_(order, order)].copy())[:n_merges])

    back = np.empty(n, dtype=np.int64)
    back[order] = shuffled
    assert partition(names) == partition(back)


def test_of_equal_neighbours_the_lowest_is_taken():
    """Four things that are all alike join in the order of their rows."""
    merges = complete_link(np.ones((4, 4), dtype=np.float32))

    assert [(merge.kept, merge.gone) for merge in merges] == [(0, 1), (0, 2), (0, 3)]


def test_the_least_similar_members_decide():
    """A chain of likes, 0-1-2, does not become one cluster if its ends share nothing."""
    # 0 and 1 merge at 0.9; the similarity of {0, 1} and 2 is then min(0, 0.8) = 0.
    similarity = np.array([[0, 0.9, 0], [0.9, 0, 0.8], [0, 0.8, 0]], dtype=np.float32)

    merges = complete_link(similarity)

    assert [(merge.kept, merge.gone) for merge in merges] == [(0, 1)]


@pytest.mark.parametrize("n", [0, 1, 5])
def test_things_without_likeness_do_not_merge(n):
    """Where nothing is above 0 there are no merges, whatever stands on the diagonal."""
    merges = complete_link(np.eye(n, dtype=np.float32))

    assert merges == []
    assert flat_clusters(n, merges).tolist() == list(range(n))
