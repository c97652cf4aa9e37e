import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.model.counts import Counts
from driftline.model.emissions import Emissions
from oracles import OracleModel
from strategies import SMOOTHINGS, UNSEEN, WORDS, encoded, labelled, sentences, smoothings


def estimate(documents, labels, n_states, smoothing):
    """Emissions of labelled documents, and a function that scores sentences with them."""
    corpus = encoded(documents)
    states = np.array([state for states in labels for state in states], dtype=np.int64)
    emissions = Emissions.estimate(Counts.of(corpus, states, n_states), corpus.vocabulary.size, smoothing)
    return emissions, lambda asked: emissions.score(encoded([asked], documents))


@given(labelled(), smoothings, st.lists(sentences(WORDS + UNSEEN, max_size=8), min_size=1, max_size=5))
def test_log_emission_is_what_the_formulas_give(drawn, smoothing, asked):
    """Every state's probability of seen and unseen sentences, unknown words included, is the paper's."""
    _, score = estimate(drawn.documents, drawn.labels, drawn.n_states, smoothing)
    oracle = OracleModel(drawn.documents, drawn.labels, drawn.n_states, smoothing, 1)

    asked = [*asked, *drawn.documents[0]]
    want = [oracle.log_emission(sentence) for sentence in asked]
    np.testing.assert_allclose(score(asked), want, rtol=1e-9, atol=1e-12)


@given(labelled(), st.sampled_from([*SMOOTHINGS, 1e-100]))
def test_no_sentence_is_more_than_certain(drawn, smoothing):
    """A log-probability is never above 0, however small the smoothing is."""
    _, score = estimate(drawn.documents, drawn.labels, drawn.n_states, smoothing)

    assert max(score(document).max() for document in drawn.documents) <= 0.0


@pytest.mark.parametrize("smoothing", [1e-8, 1e-12, 1e-100])
def test_a_sentence_that_a_state_has_always_seen_is_not_more_than_certain(smoothing):
    """Where rounding is all that is left, it does not lift a log-probability above 0."""
    for n_words in range(1, 30):
        documents = [[[f"word{i}" for i in range(n_words)]]] * 3 + [[["other"]]]
        _, score = estimate(documents, [[0]] * 3 + [[1]], 3, smoothing)

        assert score(documents[0]).max() <= 0.0


@given(labelled(), smoothings, sentences())
def test_what_may_follow_a_history_sums_to_one(drawn, smoothing, history):
    """In every state, the insertion state too, the words of V after any history have probability 1 together."""
    _, score = estimate(drawn.documents, drawn.labels, drawn.n_states, smoothing)
    vocabulary = [*encoded(drawn.documents).vocabulary.words, "never seen"]

    before = score([history])
    after = score([[*history, word] for word in vocabulary])

    np.testing.assert_allclose(np.exp(after - before).sum(axis=0), 1.0, rtol=1e-9, atol=0)


@given(labelled(), smoothings)
def test_a_sentence_without_words_is_certain(drawn, smoothing):
    """An empty product is 1 in every state."""
    _, score = estimate(drawn.documents, drawn.labels, drawn.n_states, smoothing)

    assert score([[]]).tolist() == [[0.0] * drawn.n_states]


@given(labelled(), smoothings)
def test_sentences_do_not_influence_each_other(drawn, smoothing):
    """A sentence has the same scores, bit for bit, alone and among others."""
    _, score = estimate(drawn.documents, drawn.labels, drawn.n_states, smoothing)

    for document in drawn.documents:
        alone = np.concatenate([score([sentence]) for sentence in document])
        np.testing.assert_array_equal(score(document), alone)


def test_the_contents_of_etcetera_are_ignored():
    """Two models that differ only in what their etcetera clusters hold emit the same."""
    topics = [[["a", "b"]], [["c", "d"]]]
    one, other = [[["a", "d"]], [["b", "c"]]], [[["c", "b", "a"]], [["d"]]]
    labels = [[0], [1], [2], [2]]

    _, score = estimate(topics + one, labels, 3, 0.5)
    _, score_other = estimate(topics + other, labels, 3, 0.5)

    asked = [["a", "b"], ["a", "d"], ["d", "c", "b"]]
    np.testing.assert_array_equal(score(asked), score_other(asked))


def test_a_single_state_gives_every_word_the_same():
    """With no other state there is no complement: the insertion state is uniform over V."""
    _, score = estimate([[["a", "b"], ["a"]]], [[0, 0]], 1, 0.1)

    # The vocabulary is a, b and UNK.
    np.testing.assert_allclose(score([["a", "b", "x"]]), [[-3 * np.log(3)]], rtol=1e-12, atol=0)


def test_a_vocabulary_of_nothing_but_unk_is_certain():
    """Documents without any words leave UNK as the only type, and that has probability 1."""
    _, score = estimate([[[], []]], [[0, 1]], 2, 0.1)

    assert score([["x", "y"]]).tolist() == [[0.0, 0.0]]


def test_empty_topics_are_uniform():
    """States that no sentence was placed in have seen nothing, and everything is alike to them."""
    _, score = estimate([[["a", "b"]]], [[2]], 3, 0.1)

    np.testing.assert_allclose(score([["a", "b"]]), np.full((1, 3), -2 * np.log(3)), rtol=1e-12, atol=0)


@pytest.mark.parametrize("smoothing", [1e-2, 1e-6, 1e-8, 1e-12])
def test_a_sentence_that_is_almost_certain_keeps_its_digits(smoothing):
    """Where a cluster repeats one sentence, its log-probability is near 0 and still right to nine digits."""
    documents = [[list("abcdef")]] * 3 + [[list("ghij")]] * 2 + [[list("klm")]]
    labels = [[0]] * 3 + [[1]] * 2 + [[2]]

    _, score = estimate(documents, labels, 3, smoothing)

    want = OracleModel(documents, labels, 3, smoothing, 1).log_emission(list("abcdef"))
    np.testing.assert_allclose(score([list("abcdef")]), [want], rtol=1e-9, atol=0)


def test_long_sentences_keep_their_digits():
    """400 words in a row neither underflow nor lose precision."""
    rng = np.random.default_rng(0)
    documents = [[[WORDS[i] for i in rng.integers(0, 5, 12)] for _ in range(4)] for _ in range(5)]
    labels = [rng.integers(0, 3, 4).tolist() for _ in range(5)]
    long = [(WORDS + UNSEEN)[i] for i in rng.integers(0, 8, 400)]

    _, score = estimate(documents, labels, 3, 1e-12)

    want = OracleModel(documents, labels, 3, 1e-12, 1).log_emission(long)
    assert min(want) < -4000
    np.testing.assert_allclose(score([long]), [want], rtol=1e-12, atol=0)


def test_only_what_was_seen_is_stored():
    """The terms are those of seen bigrams and histories: never a number for each pair of words and state."""
    rng = np.random.default_rng(0)
    documents = [[[f"word{i}" for i in rng.integers(0, 2000, 10)] for _ in range(5)] for _ in range(60)]
    labels = [rng.integers(0, 20, 5).tolist() for _ in range(60)]

    emissions, _ = estimate(documents, labels, 20, 0.1)

    # 3,000 words: at most one term a word in its state and one in the insertion state, for bigram and history.
    assert emissions.terms.nnz <= 4 * 3000
    assert emissions.terms.shape[1] == 20
