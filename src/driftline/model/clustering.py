"""Initial topic induction (section 3): complete-link clustering of sentences by their word bigrams.

The result does not depend on the order of the documents: sentences are brought into a canonical order
first, and every tie goes to the first of them.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from driftline.errors import SettingsError
from driftline.kernels.linkage import Merge, Similarity, complete_link, flat_clusters
from driftline.settings import Settings
from driftline.text.encoding import EncodedCorpus

Integers = NDArray[np.int64]

_ROWS_AT_ONCE = 128
_DEFAULT_MIN_SIZE = 3
_FEWEST_TOPICS = 4
_MOST_LONE_TOPICS = 500  # time and memory grow with the square of the states, and a lone sentence tells little
_SENTENCES_A_CLUSTER = 8
_MUCH_ALIKE = 0.5


@dataclass(frozen=True)
class Clustering:
    """A state for each sentence; the last state is etcetera."""

    states: Integers
    n_states: int
    n_clusters: int
    """[k] How many clusters there were before small ones went to etcetera."""
    min_cluster_size: int | None
    """[T] The size that was asked of a cluster; None if the number of states was set or limited instead."""
    n_merged: int
    """How many clusters went to etcetera."""
    n_arbitrary_merges: int
    """Merges of clusters of which some sentences share no bigram: the similarity no longer told which."""


def cluster(corpus: EncodedCorpus, settings: Settings) -> Clustering:
    """Cut the sentences into k clusters and merge the small ones into etcetera."""
    n = corpus.n_sentences
    order = canonical_order(corpus)
    features = bigram_features(corpus)[order]
    merges = merges_of(features)
    n_natural = n - len(merges)
    k = settings.n_clusters or default_n_clusters(n, merges, settings.n_states)
    if k > n:
        raise SettingsError(f"n_clusters: {k} clusters were asked for, but there are only {n} sentences")
    # By the number of merges, not by height: heights tie, and a cut by height may return one cluster for any k.
    groups = flat_clusters(n, merges[: n - k])
    if k < n_natural:
        groups = _merge_unlike(features, groups, k)
    labels = np.empty(n, dtype=np.int64)
    labels[order] = _by_size(groups)
    sizes = np.bincount(labels)
    n_topics, min_size = _n_topics(sizes, settings)
    return Clustering(
        states=np.minimum(labels, n_topics),
        n_states=n_topics + 1,
        n_clusters=k,
        min_cluster_size=min_size,
        n_merged=k - n_topics,
        n_arbitrary_merges=max(0, n_natural - k),
    )


def default_n_clusters(n_sentences: int, merges: Sequence[Merge], n_states: int | None) -> int:
    """Choose k where the user does not: see docs/decisions/defaults.md.

    A cluster for every eight sentences; but sentences that have nothing in common are kept apart, and clusters
    of sentences that are much alike are not cut again, however many sentences there are.
    """
    n_natural = n_sentences - len(merges)
    n_alike = n_sentences - sum(merge.similarity >= _MUCH_ALIKE for merge in merges)
    wanted = min(n_sentences // _SENTENCES_A_CLUSTER, max(n_alike, _FEWEST_TOPICS))
    return min(max(n_natural, wanted, n_states or 1), n_sentences)


def canonical_order(corpus: EncodedCorpus) -> Integers:
    """Sort sentences by their words, then their documents' words, then their place: not by file order."""
    words, offsets = corpus.words, corpus.sentence_offsets
    # Big-endian bytes sort as the numbers do.
    sentences = [words[a:b].astype(">i8").tobytes() for a, b in itertools.pairwise(offsets)]
    edges = corpus.document_offsets
    documents = [b"|".join(sentences[a:b]) for a, b in itertools.pairwise(edges)]
    home = corpus.document_of_sentence
    keys = [(sentences[i], documents[home[i]], i - edges[home[i]]) for i in range(len(sentences))]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def bigram_features(corpus: EncodedCorpus) -> sparse.csr_array:
    """Count the word bigrams within each sentence (START makes none): [sentence, bigram]."""
    inside = corpus.histories != corpus.vocabulary.start
    types, column = np.unique(corpus.bigrams[inside], return_inverse=True)
    features = sparse.csr_array(
        (np.ones(len(column), dtype=np.float32), (corpus.sentence_of_word[inside], column)),
        shape=(corpus.n_sentences, len(types)),
    )
    features.sum_duplicates()
    return features


def cosine(features: sparse.csr_array) -> Similarity:
    """Return the cosine of every pair of rows, in the one dense matrix that clustering needs."""
    length = np.sqrt(np.asarray(features.multiply(features).sum(axis=1)).ravel())
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0).astype(np.float32)
    unit = sparse.csr_array(sparse.diags_array(scale) @ features)
    unit.sort_indices()  # so that a pair and its mirror image add the same products in the same order
    columns = unit.T.tocsr()
    similarity = np.zeros((unit.shape[0], unit.shape[0]), dtype=np.float32)
    for start in range(0, unit.shape[0], _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        (unit[rows] @ columns).toarray(out=similarity[rows])  # in place: a dense block costs time and memory
    return similarity


def merges_of(features: sparse.csr_array) -> list[Merge]:
    """Return the merges of complete link above cosine 0; of equal rows only the first needs a place in the matrix."""
    first = _first_equal(features)
    distinct, twins = np.unique(first), np.flatnonzero(first != np.arange(len(first)))
    # Sentences with the same bigrams are at similarity 1 and merge first, so a matrix of one of each will do.
    merges = [Merge(int(first[twin]), int(twin), 1.0) for twin in twins]
    others = complete_link(cosine(features[distinct]))
    return merges + [Merge(int(distinct[m.kept]), int(distinct[m.gone]), m.similarity) for m in others]


def _first_equal(features: sparse.csr_array) -> Integers:
    """Name for each row the first one that is equal to it; rows without bigrams are equal to no other."""
    seen: dict[bytes, int] = {}
    edges = itertools.pairwise(features.indptr)
    keys = [features.indices[a:b].tobytes() + features.data[a:b].tobytes() for a, b in edges]
    return np.array([seen.setdefault(key, i) if key else i for i, key in enumerate(keys)], dtype=np.int64)


def _merge_unlike(features: sparse.csr_array, groups: Integers, k: int) -> Integers:
    """Go on below similarity 0, where complete link ties: cluster the clusters by their summed bigrams.

    Each round treats a cluster as one long sentence. Clusters that share nothing at all with any other
    are merged in the end, the smallest first; they are etcetera in all but name.
    """
    while (names := np.unique(groups)).size > k:
        place = np.searchsorted(names, groups)
        member = sparse.csr_array((np.ones(len(groups), np.float32), (place, np.arange(len(groups)))))
        merges = complete_link(cosine(sparse.csr_array(member @ features)))[: names.size - k]
        if merges:
            groups = names[flat_clusters(names.size, merges)][place]
        else:
            sizes = np.bincount(place)
            smallest = np.argsort(sizes, kind="stable")[: names.size - k + 1]
            groups = np.where(np.isin(place, smallest), names[smallest.min()], groups)
    return groups


def _by_size(groups: Integers) -> Integers:
    """Number clusters from the largest to the smallest; of equal ones the canonically first comes first."""
    _, place, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return rank[place]


def _n_topics(sizes: Integers, settings: Settings) -> tuple[int, int | None]:
    """Decide how many of the clusters, largest first, stay topics of their own, and by which T."""
    if settings.n_states is not None:
        if settings.n_states > len(sizes) + 1:
            raise SettingsError(
                f"n_states: {settings.n_states} states need at least {settings.n_states - 1} clusters, "
                f"but n_clusters is {len(sizes)}"
            )
        return settings.n_states - 1, None
    if settings.min_cluster_size is not None:
        return int((sizes >= settings.min_cluster_size).sum()), settings.min_cluster_size
    for min_size in range(_DEFAULT_MIN_SIZE, 0, -1):
        if (n_topics := int((sizes >= min_size).sum())) >= _FEWEST_TOPICS:
            break
    if min_size == 1 and n_topics > _MOST_LONE_TOPICS:
        return _MOST_LONE_TOPICS, None
    return n_topics, min_size
