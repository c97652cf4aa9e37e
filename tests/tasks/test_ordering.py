"""Ordering, against an implementation of its own: the oracle's model and every order there is."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from driftline.baselines.bigram import BigramModel
from driftline.baselines.flat import FlatModel
from driftline.errors import InputError
from driftline.model.content_model import ContentModel
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.settings import Settings
from driftline.tasks.ordering import check_orders, check_time_limit, choose_order, order, score_orders
from driftline.text.corpus import Corpus, Document
from oracles import OracleModel, StreamBigrams, plain_order_scores, quick_order_scores
from strategies import documents, labelled, smoothings

MORE = st.sampled_from([0, 1])


def oracle_scores(oracle, document):
    """The score of every order by the formulas of the paper, with fractions for probabilities."""
    rows = [oracle.log_emission(sentence) for sentence in document]
    return plain_order_scores(oracle.log_initial(), oracle.log_transition(), oracle.log_final(), rows)


@settings(max_examples=40)
@given(labelled(max_documents=4), documents("abcxyz", min_words=1), smoothings, smoothings, st.integers(0, 23))
def test_order_and_scores_are_those_of_the_oracle(case, document, d1, d2, number):
    """Random models and documents, unknown words and like sentences among them."""
    settings_ = {"emission_smoothing": d1, "transition_smoothing": d2}
    model = ContentModel.from_labels(Corpus.from_words(case.documents), case.labels, case.n_states, **settings_)
    every = oracle_scores(OracleModel(case.documents, case.labels, case.n_states, d1, d2), document)
    asked = list(every)[number % len(every)]

    best = order(model, document)

    assert best.proved
    assert sorted(best.order) == list(range(len(document)))
    assert best.log_probability == pytest.approx(max(every.values()), rel=1e-9, abs=1e-9)
    assert every[best.order] == pytest.approx(best.log_probability, rel=1e-9, abs=1e-9)
    assert best.upper_bound == best.log_probability
    scores = score_orders(model, document, [asked, best.order])
    np.testing.assert_allclose(scores, [every[asked], every[best.order]], rtol=1e-9, atol=1e-9)


@pytest.fixture(scope="module", name="quakes")
def quake_model():
    """A model of bundled text, as somebody would fit it."""
    return fit(sample_corpus("earthquakes"), Settings(n_states=20))


def unseen(n):
    """Some sentences of bundled documents that the model has not seen."""
    return [s for document in sample_corpus("earthquakes", "test") for s in document.sentences][:n]


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_documents_of_text(quakes, n):
    """Sentences of real size: the best of all orders is found, and it is worth what enumeration says."""
    sentences, chain = unseen(n), quakes.chain
    every = quick_order_scores(
        chain.log_initial, chain.log_transition, chain.log_final, quakes.log_emission(sentences)
    )

    best = order(quakes, sentences)

    assert best.proved
    assert best.log_probability == pytest.approx(max(every.values()), rel=1e-12)
    assert every[best.order] == pytest.approx(best.log_probability, rel=1e-12)


def test_the_score_is_the_forward_probability(quakes):
    """What `score_orders` says of the order as it stands is what the model says of the document."""
    document = sample_corpus("earthquakes", "test")[2]

    (score,) = score_orders(quakes, document, [range(len(document))])

    assert score == pytest.approx(quakes.log_probability(document), rel=1e-12)


def test_one_sentence(quakes):
    """One sentence has one order, which is proved best."""
    best = order(quakes, unseen(1))

    assert (best.order, best.proved) == ((0,), True)
    assert best.log_probability == best.upper_bound == pytest.approx(quakes.log_probability(unseen(1)), rel=1e-12)


def test_identical_sentences_keep_their_places(quakes):
    """Sentences that cannot be told apart come in the order given; the others go where they belong."""
    one, two = unseen(2)

    best = order(quakes, [two, one, two, one])

    assert best.proved
    assert best.order.index(0) < best.order.index(2)
    assert best.order.index(1) < best.order.index(3)


def test_where_all_orders_tie():
    """To a model that knows nothing each order has the probability 1 / N!, and the given one is as good as any."""
    best = order(FlatModel(), ["a", "b", "c", "d"])

    assert (best.order, best.proved) == ((0, 1, 2, 3), True)
    assert best.log_probability == pytest.approx(-math.log(24), rel=1e-12)


@pytest.mark.parametrize("kind", [list, tuple, Document])
def test_any_kind_of_document(quakes, kind):
    """A list, a tuple and a Document of the same sentences have the same order."""
    sentences = unseen(5)
    document = Document("d", tuple(sentences)) if kind is Document else kind(sentences)

    assert order(quakes, document) == order(quakes, list(sentences))


def test_the_bigram_model_is_ordered_exactly():
    """The rival over the whole word stream is searched by the same method, with proof."""
    training = [[["a", "b"], ["b", "c"], ["c"]], [["c", "a"], ["a"], ["b", "b"]], [["b", "c"], ["c", "a"]]]
    model, oracle = (
        BigramModel.learn(Corpus.from_words(training)),
        StreamBigrams(training, Settings().emission_smoothing),
    )
    document = [["c"], ["a", "b"], ["b"], ["x", "c"], ["b", "c"]]
    every = {o: oracle.log_probability([document[i] for i in o]) for o in itertools.permutations(range(5))}

    best = order(model, document)

    assert best.proved
    assert best.log_probability == pytest.approx(max(every.values()), rel=1e-11)
    assert every[best.order] == pytest.approx(best.log_probability, rel=1e-11)


def test_past_20_sentences_the_bound_holds(quakes):
    """Of a long document the best order found is worth its score, and no order that was tried exceeds the bound."""
    sentences = unseen(30)
    drawn = np.random.default_rng(0).permuted(np.tile(np.arange(30), (200, 1)), axis=1)

    best = order(quakes, sentences, time_limit=0.5)

    assert score_orders(quakes, sentences, [best.order])[0] == pytest.approx(best.log_probability, rel=1e-11)
    assert score_orders(quakes, sentences, drawn).max() < best.log_probability <= best.upper_bound
    assert best.proved == (best.upper_bound == best.log_probability)


@pytest.mark.parametrize("n", [1, 6, 40])
def test_a_time_limit_of_0(quakes, n):
    """With no time an order still comes, with a bound that is true."""
    sentences = unseen(n)

    best = order(quakes, sentences, time_limit=0)

    assert sorted(best.order) == list(range(n))
    assert best.upper_bound >= best.log_probability
    if n <= 6:
        assert best.upper_bound >= order(quakes, sentences).log_probability


# Choosing among candidates


def test_the_most_probable_candidate_is_chosen(quakes):
    """Of some candidate orders the one with the highest score is chosen; others may be better still."""
    sentences, candidates = unseen(6), [[5, 4, 3, 2, 1, 0], [0, 2, 1, 3, 4, 5], [3, 0, 1, 2, 5, 4]]
    scores = score_orders(quakes, sentences, candidates)

    chosen = choose_order(quakes, sentences, candidates)

    assert chosen.order == tuple(candidates[int(scores.argmax())])
    assert chosen.log_probability == chosen.upper_bound == scores.max()
    assert chosen.log_probability <= order(quakes, sentences).log_probability


def test_with_all_orders_as_candidates_the_best_is_chosen(quakes):
    """The search and the choice among all orders agree."""
    every = list(itertools.permutations(range(5)))

    chosen, best = choose_order(quakes, unseen(5), every), order(quakes, unseen(5))

    assert chosen.log_probability == pytest.approx(best.log_probability, rel=1e-12)


def test_of_equal_candidates_the_first():
    """Where candidates tie the first is chosen, whatever rounding says."""
    assert choose_order(FlatModel(), ["a", "b", "c"], [[2, 1, 0], [0, 1, 2]]).order == (2, 1, 0)


# Wrong input


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        ([], "orders: expected at least one order, got none"),
        ([[0, 1]], r"orders: order 1 is \[0, 1\], but an order names each of the places 0 to 2 once"),
        ([[0, 1, 2], [0, 1, 3]], r"orders: order 2 is \[0, 1, 3\]"),
        ([[0, 1, 1]], r"order 1 is \[0, 1, 1\]"),
        ([[-1, 0, 1]], r"order 1 is \[-1, 0, 1\]"),
        ([[0.0, 1.0, 2.0]], r"order 1 is \[0.0, 1.0, 2.0\]"),
        ([0, 1, 2], "order 1 is 0"),
        (["012"], "order 1 is '012'"),
        ([[0, [1], 2]], r"order 1 is \[0, \[1\], 2\]"),
        ([[[0, 1, 2]]], "order 1 is"),
    ],
)
def test_what_is_no_order_is_refused(quakes, orders, message):
    """A candidate that is no order of these sentences is named, with its number and what was expected."""
    for use in (score_orders, choose_order):
        with pytest.raises(InputError, match=message):
            use(quakes, unseen(3), orders)


def test_orders_as_arrays():
    """Orders may be rows of an array."""
    assert check_orders(np.array([[1, 0], [0, 1]]), 2).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("time_limit", [-1, math.nan, "3", None, True, -math.inf])
def test_what_is_no_time_limit_is_refused(quakes, time_limit):
    """A time limit is a number of seconds, 0 or more."""
    with pytest.raises(InputError, match=r"time_limit: expected a number of seconds of at least 0, got"):
        order(quakes, unseen(2), time_limit=time_limit)


@pytest.mark.parametrize("time_limit", [0, 0.5, 10, math.inf])
def test_what_is_a_time_limit(time_limit):
    """Whole numbers, parts of seconds and no limit at all are fine."""
    check_time_limit(time_limit)


@pytest.mark.parametrize("sentences", [[], "one text", [1, 2], None])
def test_what_is_no_list_of_sentences_is_refused(quakes, sentences):
    """Nothing, a text in one piece, and what is no text are refused in a sentence."""
    with pytest.raises(InputError):
        order(quakes, sentences)
