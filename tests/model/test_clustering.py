import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.errors import SettingsError
from driftline.model.clustering import _DEFAULT_MIN_SIZE as D
from driftline.model.clustering import bigram_features, canonical_order, cluster, cosine
from driftline.settings import Settings
from oracles import plain_complete_link, plain_cosine
from strategies import collections, encoded


def cosines(documents):
    """The similarity matrix of documents of words."""
    return cosine(bigram_features(encoded(documents)))


def clusters(documents, **settings):
    """Cluster documents of words."""
    return cluster(encoded(documents), Settings(**settings))


def by_document(documents, states):
    """The states of each document beside its words, in an order of their own."""
    ends = list(itertools.accumulate(map(len, documents)))
    return sorted((d, states[b - len(d) : b].tolist()) for d, b in zip(documents, ends, strict=True))


def sizes(clustering):
    """How many sentences each state holds."""
    return np.bincount(clustering.states, minlength=clustering.n_states).tolist()


def test_features_are_the_bigrams_within_a_sentence():
    """A sentence of n words has n - 1 bigrams: START makes none, and repeated ones count again."""
    features = bigram_features(encoded([[["a", "b", "a", "b"], ["b"], []], [["b", "a"]]]))

    # columns: (a, b), (b, a)
    assert features.toarray().tolist() == [[2, 1], [0, 0], [0, 0], [0, 1]]


@given(collections(max_documents=5))
def test_similarity_is_the_cosine_of_bigram_counts(documents):
    """Every pair of sentences has the cosine of its bigram counts, 0 where one of them has no bigram."""
    counts = [Counter(itertools.pairwise(sentence)) for document in documents for sentence in document]

    got = cosines(documents)

    assert got.dtype == np.float32
    np.testing.assert_allclose(got, [[plain_cosine(a, b) for b in counts] for a in counts], rtol=1e-6, atol=1e-7)


@given(collections(max_documents=8))
def test_similarity_is_symmetric_to_the_last_bit(documents):
    """A pair and its mirror image have the same float, so no tie depends on which side is looked at."""
    got = cosines(documents)

    np.testing.assert_array_equal(got, got.T)


def test_similarity_is_the_same_in_blocks():
    """More sentences than one block of rows has give the same cosines as few."""
    few = [[["a", "b", "c"], ["b", "c", "d"], ["a", "b", "d"]]]

    many = cosines(few * 400)

    assert many.shape == (1200, 1200)
    np.testing.assert_array_equal(many, np.tile(cosines(few), (400, 400)))


@given(collections(), st.data())
def test_there_are_exactly_k_clusters(documents, data):
    """There are k clusters and not fewer, whatever ties and however little the sentences share."""
    n = sum(map(len, documents))
    k = data.draw(st.integers(1, n))

    made = clusters(documents, n_clusters=k, min_cluster_size=1)

    assert made.n_clusters == k
    assert made.n_states == k + 1
    assert len(np.unique(made.states)) == k
    assert made.n_merged == 0


@given(collections(max_documents=5), st.data())
def test_arbitrary_merges_are_those_that_similarity_did_not_decide(documents, data):
    """Above cosine 0 no merge is arbitrary; below, each merge on the way to k is one."""
    n = sum(map(len, documents))
    k = data.draw(st.integers(1, n))

    made = clusters(documents, n_clusters=k)
    whole = clusters(documents, n_clusters=1)

    n_natural = whole.n_arbitrary_merges + 1
    assert made.n_arbitrary_merges == max(0, n_natural - k)


@given(collections(max_documents=5, min_words=2))
def test_without_arbitrary_merges_no_cluster_holds_strangers(documents):
    """Down to the number of clusters where similarity ends, any two sentences of a cluster share a bigram."""
    n_natural = clusters(documents, n_clusters=1).n_arbitrary_merges + 1

    made = clusters(documents, n_clusters=n_natural, min_cluster_size=1)

    alike = cosines(documents) > 0
    same = made.states[:, None] == made.states[None, :]
    assert alike[same].all()


def test_clusters_are_those_of_the_definition():
    """Sentences without ties in their cosines fall into the clusters that complete link by definition makes."""
    documents = [["a b c d e".split(), "a b c d f".split()], ["a b c x y".split(), "g h i".split()], [["h", "i"]]]
    flat = [sentence for document in documents for sentence in document]
    counts = [Counter(itertools.pairwise(sentence)) for sentence in flat]
    judge, heights = plain_complete_link([[plain_cosine(a, b) for b in counts] for a in counts])

    made = clusters(documents, n_clusters=len(flat) - len(heights), min_cluster_size=1)

    # 3/4 joins the first two, 1/sqrt(2) the last two, min(2/4, 2/4) the third to the first two.
    np.testing.assert_allclose(heights, [0.75, 0.5**0.5, 0.5], rtol=1e-12, atol=0)
    assert {frozenset(c) for c in judge} == {frozenset({0, 1, 2}), frozenset({3, 4})}
    assert made.states.tolist() == [0, 0, 0, 1, 1]
    assert made.n_arbitrary_merges == 0


def test_states_are_numbered_from_the_largest_cluster_down():
    """State 0 is the largest topic; of equal ones the canonically first comes first."""
    made = clusters([[["c", "d"]], [["b", "c"]] * 3, [["a", "b"]]], n_clusters=3, min_cluster_size=1)

    assert made.states.tolist() == [2, 0, 0, 0, 1]


def test_small_clusters_become_etcetera():
    """Clusters with fewer than T sentences are merged into the last state."""
    documents = [[["a", "b"]] * 3, [["b", "c"]] * 2, [["c", "d"]]]

    made = clusters(documents, n_clusters=3, min_cluster_size=2)

    assert made.states.tolist() == [0, 0, 0, 1, 1, 2]
    assert (made.n_states, made.n_merged, made.min_cluster_size) == (3, 1, 2)


def test_a_cluster_of_exactly_t_sentences_stays():
    """Fewer than T means fewer: T sentences are enough."""
    made = clusters([[["a", "b"]] * 3, [["b", "c"]] * 3], n_clusters=2, min_cluster_size=3)

    assert sizes(made) == [3, 3, 0]


def test_everything_can_be_etcetera():
    """A T that no cluster reaches leaves the insertion state alone."""
    made = clusters([[["a", "b"], ["b", "c"]]], n_clusters=2, min_cluster_size=5)

    assert (made.n_states, made.states.tolist(), made.n_merged) == (1, [0, 0], 2)


@pytest.mark.parametrize(
    ("group_sizes", "min_size", "n_topics"),
    [
        ([D + 4, D + 3, D + 1, D, D - 1, 1], D, 4),
        ([D + 4, D + 3, D + 1, D - 1, D - 1, 1], D - 1, 5),
        ([D + 4, D, 3, 2, 1], 2, 4),
        ([D + 4, 2, 1, 1, 1], 1, 5),
        ([D + 4, 2], 1, 2),
    ],
)
def test_the_default_t_leaves_a_few_topics(group_sizes, min_size, n_topics):
    """T is as stated, or less where fewer than four topics would remain."""
    documents = [[[f"a{i}", f"b{i}"]] * size for i, size in enumerate(group_sizes)]

    made = clusters(documents, n_clusters=len(group_sizes))

    assert (made.min_cluster_size, made.n_states) == (min_size, n_topics + 1)


def test_sentences_that_are_alone_do_not_make_topics_without_end():
    """Where T has to fall to 1, the most frequent sentences stay topics and the rest of a large number does not."""
    strangers = [[[f"a{i}", f"b{i}"]] for i in range(900)]
    formulas = [[["it", "shook"]] * 3, [["it", "stopped"]] * 2]

    made = clusters(formulas + strangers)

    assert (made.n_states, made.n_clusters, made.min_cluster_size) == (501, 902, None)
    assert made.states[:5].tolist() == [0, 0, 0, 1, 1]
    assert sizes(made) == [3, 2] + [1] * 498 + [402]


def test_a_t_of_1_that_is_asked_for_is_kept():
    """Only the T that nobody chose is held back."""
    made = clusters([[[f"a{i}", f"b{i}"]] for i in range(600)], min_cluster_size=1)

    assert (made.n_states, made.min_cluster_size) == (601, 1)


@given(collections(min_documents=2), st.data())
def test_a_fixed_model_size_is_kept(documents, data):
    """With n_states the clustering has that many states, etcetera included, and T plays no part."""
    n = sum(map(len, documents))
    k = data.draw(st.integers(1, n))
    m = data.draw(st.integers(1, k + 1))

    made = clusters(documents, n_clusters=k, n_states=m, min_cluster_size=3)

    assert (made.n_states, made.n_merged, made.min_cluster_size) == (m, k - m + 1, None)
    kept = sizes(made)[:-1]
    assert len(kept) == m - 1
    assert all(kept)


def test_a_fixed_model_size_merges_the_smallest_clusters():
    """The largest clusters stay topics of their own."""
    documents = [[["a", "b"]] * 3, [["b", "c"]], [["c", "d"]] * 2, [["d", "e"]]]

    made = clusters(documents, n_clusters=4, n_states=3)

    assert made.states.tolist() == [0, 0, 0, 2, 1, 1, 2]


def test_a_fixed_model_size_without_k_makes_enough_clusters():
    """Where only n_states is given, k is chosen so that all of its topics can be filled."""
    made = clusters([[["a", "b"]] * 4, [["b", "c"]] * 4], n_states=6)

    assert (made.n_states, made.n_clusters) == (6, 6)
    assert all(sizes(made))


def test_k_by_default_ends_where_similarity_ends():
    """Without k no merge is arbitrary: sentences that share nothing stay apart, however few there are."""
    made = clusters([[[f"a{i}", f"b{i}"]] for i in range(6)])

    assert (made.n_clusters, made.n_arbitrary_merges) == (6, 0)


def test_k_by_default_is_one_cluster_for_eight_sentences():
    """Sentences that all share a little, one bigram of five, are not one cluster: there is one for every eight."""
    made = clusters([[["a", "b", f"c{i}", f"d{i}", f"e{i}", f"f{i}"]] for i in range(80)])

    assert (made.n_clusters, made.n_arbitrary_merges) == (10, 0)


def test_k_by_default_cuts_no_formula():
    """Sentences that share most of their bigrams stay together, however many there are: here two of three."""
    formulas = [[[f"a{f}", f"b{f}", f"c{f}", f"d{i}"]] for f in range(5) for i in range(16)]

    made = clusters(formulas)

    assert made.n_clusters == 5
    assert sizes(made) == [16] * 5 + [0]


def test_k_by_default_leaves_a_few_topics():
    """Where all sentences are alike, up to four clusters are made all the same, if there are sentences enough."""
    assert [clusters([[["a", "b"]]] * n).n_clusters for n in (80, 24, 7)] == [4, 3, 1]


def test_more_clusters_than_sentences_are_refused():
    """The error names the setting, its value and the number of sentences."""
    with pytest.raises(SettingsError, match=r"n_clusters: 3 clusters were asked for, but there are only 2 sentences"):
        clusters([[["a"], ["b"]]], n_clusters=3)


def test_more_states_than_clusters_are_refused():
    """The error names both settings and their values."""
    with pytest.raises(SettingsError, match=r"n_states: 5 states need at least 4 clusters, but n_clusters is 2"):
        clusters([[["a"], ["b"]]], n_clusters=2, n_states=5)


@given(collections(min_documents=2, max_documents=7), st.data())
def test_the_order_of_the_documents_does_not_matter(documents, data):
    """Shuffled documents, duplicates among them, get the same states, with the same numbers."""
    documents = documents + documents[:1]
    shuffled = data.draw(st.permutations(documents))
    n = sum(map(len, documents))
    k = data.draw(st.integers(1, n))
    chosen = data.draw(st.sampled_from([{}, {"min_cluster_size": 2}, {"n_states": k // 2 + 1}]))

    one, other = clusters(documents, n_clusters=k, **chosen), clusters(shuffled, n_clusters=k, **chosen)

    assert by_document(documents, one.states) == by_document(shuffled, other.states)
    assert one.n_states == other.n_states


@given(collections(min_documents=2), st.data())
def test_the_canonical_order_is_that_of_words_then_document_then_place(documents, data):
    """The same sentences stand at the same canonical places, however the documents are shuffled."""
    shuffled = data.draw(st.permutations(documents))

    def canonical(collection):
        flat = [(sentence, document, i) for document in collection for i, sentence in enumerate(document)]
        return [flat[i] for i in canonical_order(encoded(collection))]

    assert canonical(documents) == canonical(shuffled)
    assert [sentence for sentence, _, _ in canonical(documents)] == sorted(s for d in documents for s in d)


def test_below_similarity_clusters_that_share_something_merge_first():
    """Two clusters whose sentences have some bigram in common are joined before complete strangers are."""
    # "a b c" and "c d e" share nothing, and "b c d" stands between them: complete link stops at two clusters.
    documents = [[["a", "b", "c"], ["b", "c", "d"], ["c", "d", "e"], ["x", "y", "z"]]]

    made = clusters(documents, n_clusters=2, min_cluster_size=1)

    assert made.states.tolist() == [0, 0, 0, 1]
    assert made.n_arbitrary_merges == 1


def test_strangers_merge_smallest_first():
    """Where nothing at all is shared, the smallest clusters become one; they are etcetera in all but name."""
    documents = [[["a", "b"]] * 4, [["c", "d"]], [["e", "f"]] * 2, [["g"]]]

    made = clusters(documents, n_clusters=2, min_cluster_size=1)

    assert made.states.tolist() == [0] * 4 + [1] * 4
    assert made.n_arbitrary_merges == 2


def test_sentences_without_bigrams_are_clusters_of_their_own():
    """One word, or none, has no bigram and so no likeness to anything, not even to itself."""
    made = clusters([[["a"], ["a"], [], ["a", "b"], ["a", "b"]]], min_cluster_size=1)

    assert made.n_clusters == 4
    assert sizes(made) == [2, 1, 1, 1, 0]


def test_below_similarity_no_more_is_merged_than_was_asked_for():
    """A round that could join three pairs of clusters stops as soon as k are left."""
    # In each group "x y z" and "z q r" share nothing, and "y z q" shares a bigram with either.
    triples = [
        [[f"x{i}", f"y{i}", f"z{i}"], [f"y{i}", f"z{i}", f"q{i}"], [f"z{i}", f"q{i}", f"r{i}"]] for i in range(3)
    ]
    made = clusters(triples, n_clusters=1, min_cluster_size=1)
    assert made.n_arbitrary_merges == 5

    for k in range(1, 7):
        made = clusters(triples, n_clusters=k, min_cluster_size=1)

        assert len(np.unique(made.states)) == k
        assert made.n_arbitrary_merges == 6 - k
