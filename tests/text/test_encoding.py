"""Flat arrays, judged by plain loops over nested lists."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.text.encoding import EncodedCorpus, Vocabulary, encode

WORD = st.text(max_size=2) | st.sampled_from(["a", "b", "<NUM>", "\ud800", "<UNK>"])
DOCUMENTS = st.lists(st.lists(st.lists(WORD, max_size=4), max_size=4), max_size=4)


def same(left: EncodedCorpus, right: EncodedCorpus):
    for name in ("words", "sentence_offsets", "document_offsets", "histories", "bigrams"):
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name))
    return left.vocabulary == right.vocabulary


def test_a_vocabulary_is_sorted_and_has_two_more_numbers():
    """Words are numbered in alphabetical order, then come UNK, a type, and START, which is none."""
    vocabulary = Vocabulary.of([[["b", "a"], []], [["c", "a"]]])

    assert vocabulary.words == ("a", "b", "c")
    assert (vocabulary.unknown, vocabulary.start, vocabulary.size) == (3, 4, 4)
    assert [vocabulary.name(i) for i in range(5)] == ["a", "b", "c", "<UNK>", "<START>"]


def test_a_vocabulary_has_no_more_names():
    """A number beyond START names nothing."""
    with pytest.raises(IndexError):
        Vocabulary(("a",)).name(3)


def test_worked_example():
    """The arrays of a small corpus, with an unknown word and an empty sentence, are as worked out by hand."""
    vocabulary = Vocabulary(("quake", "shook"))

    encoded = encode([[["shook", "quake"], []], [["tea", "quake"]]], vocabulary)

    assert encoded.words.tolist() == [1, 0, 2, 0]
    assert encoded.sentence_offsets.tolist() == [0, 2, 2, 4]
    assert encoded.document_offsets.tolist() == [0, 2, 3]
    assert encoded.histories.tolist() == [3, 1, 3, 2]
    assert encoded.bigrams.tolist() == [10, 3, 11, 6]
    assert (encoded.n_sentences, encoded.n_documents) == (3, 2)
    assert encoded.sentence_of_word.tolist() == [0, 0, 2, 2]
    assert encoded.document_of_sentence.tolist() == [0, 0, 1]


@given(DOCUMENTS, DOCUMENTS)
def test_words_can_be_read_back(training, documents):
    """Every word stands at its place under its own number, or as UNK if training did not hold it."""
    vocabulary = Vocabulary.of(training)

    encoded = encode(documents, vocabulary)

    known = {word for document in training for sentence in document for word in sentence}
    flat = [word for document in documents for sentence in document for word in sentence]
    assert sorted(known) == list(vocabulary.words)
    expected = [word if word in known else None for word in flat]
    assert expected == [vocabulary.words[i] if i < vocabulary.unknown else None for i in encoded.words]
    sentences = [sentence for document in documents for sentence in document]
    assert [len(s) for s in sentences] == np.diff(encoded.sentence_offsets).tolist()
    assert [len(d) for d in documents] == np.diff(encoded.document_offsets).tolist()


@given(DOCUMENTS)
def test_bigrams_name_history_and_word(documents):
    """A bigram's number tells its history, START at the beginning of each sentence, and its word."""
    vocabulary = Vocabulary.of(documents)

    encoded = encode(iter(documents), vocabulary)

    pairs = [(vocabulary.name(b // vocabulary.size), vocabulary.name(b % vocabulary.size)) for b in encoded.bigrams]
    sentences = [sentence for document in documents for sentence in document]
    assert [pair for s in sentences for pair in zip(["<START>", *s], s, strict=False)] == pairs


@given(DOCUMENTS.filter(bool), st.data())
def test_selecting_is_encoding_a_part(documents, data):
    """Some of the documents, in any order and more than once, are as if they alone had been encoded."""
    vocabulary = Vocabulary.of(documents)
    chosen = data.draw(st.lists(st.integers(0, len(documents) - 1), min_size=1))

    selected = encode(documents, vocabulary).select(np.array(chosen))

    assert same(encode([documents[i] for i in chosen], vocabulary), selected)


def test_selecting_nothing():
    """No document selected is a corpus without documents."""
    vocabulary = Vocabulary(("a",))

    assert same(encode([], vocabulary), encode([[["a"]]], vocabulary).select(np.array([], dtype=np.int64)))
