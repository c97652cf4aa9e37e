import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.baselines.bigram import BigramModel
from driftline.errors import InputError
from driftline.samples.corpora import sample_corpus
from driftline.settings import Settings
from driftline.tasks.ordering import order, score_orders
from driftline.tasks.ranking import rank
from driftline.text.corpus import Corpus
from oracles import StreamBigrams, better_and_equal
from strategies import UNSEEN, WORDS, collections, documents, smoothings


def learned(texts, smoothing):
    return BigramModel.learn(Corpus.from_words(texts), Settings(emission_smoothing=smoothing))


@given(collections(), documents(WORDS + UNSEEN, max_sentences=4), smoothings)
def test_scores_equal_the_word_stream(texts, document, smoothing):
    """Every order has the probability of its word stream, in which sentences without words leave no trace."""
    model, plain = learned(texts, smoothing), StreamBigrams(texts, smoothing)
    orders = list(itertools.permutations(range(len(document))))
    expected = [plain.log_probability([document[i] for i in o]) for o in orders]

    np.testing.assert_allclose(score_orders(model, document, orders), expected, rtol=1e-9, atol=1e-9)


@given(collections(), documents(WORDS + UNSEEN, max_sentences=4), st.sampled_from([1e-8, 0.1]))
def test_the_search_is_exact(texts, document, smoothing):
    """The best order is proved, and the rank of the original is that among all word streams."""
    model, plain = learned(texts, smoothing), StreamBigrams(texts, smoothing)
    scores = {
        o: plain.log_probability([document[i] for i in o]) for o in itertools.permutations(range(len(document)))
    }
    best, ranked = order(model, document), rank(model, document)

    assert best.proved
    assert best.log_probability == pytest.approx(max(scores.values()), rel=1e-9, abs=1e-9)
    if scores[tuple(range(len(document)))] < -1e-9:  # beside probability 1 the tolerance is another one
        assert (ranked.better, ranked.equal) == better_and_equal(scores, tuple(range(len(document))))


def test_bigrams_cross_the_ends_of_sentences():
    """The last word of a sentence tells which one follows."""
    model = learned([[["a", "b"], ["c", "d"], ["e", "f"]]] * 5, 0.01)

    assert order(model, [["e", "f"], ["c", "d"], ["a", "b"]]).order == (2, 1, 0)


def test_bigrams_do_not_cross_the_ends_of_documents():
    """The first word of a document follows no word of the one before it."""
    one, two = learned([[["a"]], [["b"]]], 0.1), StreamBigrams([[["a"]], [["b"]]], 0.1)

    assert ("a", "b") not in two.pairs
    expected = two.log_probability([["a"], ["b"]])
    assert score_orders(one, [["a"], ["b"]], [[0, 1]])[0] == pytest.approx(expected, rel=1e-12)


def test_documents_in_any_order_make_the_same_model():
    """What is learned does not depend on the order of the files."""
    corpus = sample_corpus("earthquakes", "dev")
    test = sample_corpus("earthquakes", "test")[0]
    one, two = (BigramModel.learn(c) for c in (corpus, Corpus(corpus.documents[::-1])))

    assert order(one, test) == order(two, test)
    assert one.signature_parts == two.signature_parts == {"bigram": f"{corpus.data_hash} d 0.1"}


def test_text_is_masked_as_for_the_content_model():
    """Names and numbers are generic tokens, and a model of text refuses words."""
    model = BigramModel.learn(Corpus.from_sentences([["In Izmit 12 people died.", "In Athens 3 people died."]] * 3))

    assert "izmit" not in model.vocabulary.words
    assert score_orders(model, ["It shook.", "All ran."], [[0, 1]]).shape == (1,)
    with pytest.raises(InputError, match="trained on text"):
        model.order_problem([["it", "shook"]])


@pytest.mark.parametrize("document", [[], "It shook.", 7])
def test_what_is_no_document(document):
    """The same refusals as for the content model."""
    with pytest.raises(InputError, match="document: "):
        learned([[["a"]]], 0.1).order_problem(document)
