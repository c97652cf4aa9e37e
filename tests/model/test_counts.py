from dataclasses import fields

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from driftline.model.counts import Counts
from oracles import START, plain_counts
from strategies import encoded, labelled


def named(counts, vocabulary):
    """The bigram counts by words and state."""
    size = vocabulary.size
    return {
        (START if bigram // size == vocabulary.start else vocabulary.name(bigram // size),
         vocabulary.name(bigram % size), state): count
        for bigram, state, count in zip(
            counts.bigrams.tolist(), counts.bigram_states.tolist(), counts.bigram_counts.tolist(), strict=True
        )
    }  # fmt: skip


def assert_equal(one, other):
    """All fields hold the same integers, in the same order."""
    for field in fields(Counts):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name), err_msg=field.name)


@given(labelled())
def test_everything_is_counted_as_defined(drawn):
    """Bigrams per cluster, documents per cluster and per pair of clusters, first and last clusters, sentences."""
    corpus = encoded(drawn.documents)

    counts = Counts.of(corpus, drawn.flat_labels, drawn.n_states)

    want = plain_counts(drawn.documents, drawn.labels, drawn.n_states)
    assert named(counts, corpus.vocabulary) == want["bigrams"]
    assert counts.document_counts.tolist() == want["document"]
    assert counts.document_pair_counts.tolist() == want["pair"]
    assert counts.initial_counts.tolist() == want["initial"]
    assert counts.final_counts.tolist() == want["final"]
    assert counts.sentence_counts.tolist() == want["sentence"]
    assert counts.n_documents == len(drawn.documents)
    assert counts.n_states == drawn.n_states


@given(labelled(), st.data())
def test_the_counts_of_two_parts_add_up_to_those_of_the_whole(drawn, data):
    """However documents are dealt out to two shards, the sum of the shards' counts is the count of all."""
    corpus = encoded(drawn.documents)
    n = len(drawn.documents)
    dealt = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))

    def count(which):
        chosen = [i for i in range(n) if dealt[i] == which]
        part = encoded([drawn.documents[i] for i in chosen], drawn.documents)
        states = np.array([s for i in chosen for s in drawn.labels[i]], dtype=np.int64)
        return Counts.of(part, states, drawn.n_states)

    whole = Counts.of(corpus, drawn.flat_labels, drawn.n_states)
    assert_equal(count(which=True) + count(which=False), whole)
    assert_equal(count(which=False) + count(which=True), whole)


@given(labelled())
def test_the_counts_of_single_documents_add_up_in_any_order(drawn):
    """One shard a document, added from either end, gives the same arrays as one pass."""
    parts = [
        Counts.of(encoded([document], drawn.documents), np.array(states, dtype=np.int64), drawn.n_states)
        for document, states in zip(drawn.documents, drawn.labels, strict=True)
    ]
    forwards, backwards = parts[0], parts[-1]
    for part in parts[1:]:
        forwards = forwards + part
    for part in parts[-2::-1]:
        backwards = part + backwards

    assert_equal(forwards, backwards)
    assert_equal(forwards, Counts.of(encoded(drawn.documents), drawn.flat_labels, drawn.n_states))


def test_a_pair_counts_once_a_document():
    """D(c, c') counts documents: a pair that stands twice in one of them counts once."""
    corpus = encoded([[["a"]] * 5, [["a"]] * 2])

    counts = Counts.of(corpus, np.array([0, 1, 0, 1, 0, 0, 1]), 2)

    assert counts.document_pair_counts.tolist() == [[0, 2], [1, 0]]
    assert counts.document_counts.tolist() == [2, 2]


def test_no_pair_spans_two_documents():
    """The last sentence of a document does not precede the first of the next one."""
    counts = Counts.of(encoded([[["a"]], [["b"]]]), np.array([0, 1]), 2)

    assert counts.document_pair_counts.sum() == 0


def test_start_is_the_history_of_the_first_word_and_nothing_follows_the_last():
    """A sentence of n words has n bigrams: START before the first, no end word."""
    corpus = encoded([[["a", "b"], [], ["b"]]])

    counts = Counts.of(corpus, np.array([0, 0, 0]), 1)

    assert named(counts, corpus.vocabulary) == {(START, "a", 0): 1, ("a", "b", 0): 1, (START, "b", 0): 1}


def test_places_are_counted_in_tenths_of_their_documents():
    """The first of ten sentences is in the first tenth, the last in the last; of twenty, two fall into each."""
    corpus = encoded([[["a"]] * 10, [["a"]] * 20])

    counts = Counts.of(corpus, np.array([*range(10), *np.repeat(range(10), 2)]), 10)

    np.testing.assert_array_equal(counts.position_counts, 3 * np.eye(10))


@given(labelled())
def test_every_sentence_has_a_place(drawn):
    """The tenths of a state add up to its sentences."""
    counts = Counts.of(encoded(drawn.documents), drawn.flat_labels, drawn.n_states)

    np.testing.assert_array_equal(counts.position_counts.sum(axis=1), counts.sentence_counts)


def test_documents_without_sentences_are_not_counted():
    """An empty document begins and ends nowhere; it is none of the documents of the initial probabilities."""
    counts = Counts.of(encoded([[], [["a"]], []]), np.array([0]), 1)

    assert counts.n_documents == 1
    assert counts.initial_counts.tolist() == [1]


def test_no_documents_count_nothing():
    """An empty collection has the same arrays, all of zeros."""
    counts = Counts.of(encoded([]), np.array([], dtype=np.int64), 2)

    assert counts.n_documents == 0
    assert counts.document_pair_counts.tolist() == [[0, 0], [0, 0]]
    assert len(counts.bigrams) == 0
