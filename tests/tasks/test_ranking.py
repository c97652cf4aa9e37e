"""Ranks, against the oracle's model and every order there is."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from driftline.baselines.bigram import BigramModel
from driftline.baselines.flat import FlatModel
from driftline.errors import InputError
from driftline.model.content_model import ContentModel
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.settings import Settings
from driftline.tasks import ranking as module
from driftline.tasks.ordering import order
from driftline.tasks.ranking import Rank, binomial_interval, rank, tie_tolerance
from driftline.text.corpus import Corpus
from oracles import OracleModel, better_and_equal, plain_order_scores, quick_order_scores
from strategies import documents, labelled, smoothings


@settings(max_examples=40)
@given(labelled(max_documents=4), documents("abcxyz", min_words=1), smoothings, smoothings, st.integers(0, 23))
def test_the_rank_is_that_of_the_oracle(case, document, d1, d2, number):
    """Of random models and documents, for the order as it stands and for another one."""
    settings_ = {"emission_smoothing": d1, "transition_smoothing": d2}
    model = ContentModel.from_labels(Corpus.from_words(case.documents), case.labels, case.n_states, **settings_)
    oracle = OracleModel(case.documents, case.labels, case.n_states, d1, d2)
    rows = [oracle.log_emission(sentence) for sentence in document]
    every = plain_order_scores(oracle.log_initial(), oracle.log_transition(), oracle.log_final(), rows)
    asked = list(every)[number % len(every)]

    for given_order in (None, asked):
        found = rank(model, document, order=given_order)

        better, equal = better_and_equal(every, given_order or tuple(range(len(document))))
        assert found == Rank(better, equal, math.factorial(len(document)), exact=True, interval=(better, better))


@pytest.fixture(scope="module", name="quakes")
def quake_model():
    """A model of bundled text, as somebody would fit it."""
    return fit(sample_corpus("earthquakes"), Settings(n_states=20))


def unseen(n):
    """Some sentences of bundled documents that the model has not seen."""
    return [s for document in sample_corpus("earthquakes", "test") for s in document.sentences][:n]


def every_score(model, sentences):
    chain = model.chain
    rows = model.log_emission(sentences)
    return quick_order_scores(chain.log_initial, chain.log_transition, chain.log_final, rows)


@pytest.mark.parametrize("sentences", [unseen(7), [*unseen(5), *unseen(3)]], ids=["all different", "three twice"])
def test_documents_of_text(quakes, sentences):
    """The counts are those of all orders, with equal sentences too."""
    scores = every_score(quakes, sentences)

    found = rank(quakes, sentences)

    assert found.exact
    assert (found.better, found.equal) == better_and_equal(scores, tuple(range(len(sentences))))
    assert found.n_orders == len(scores)


def test_the_best_order_has_rank_0(quakes):
    """What `order` finds has nothing before it."""
    sentences = unseen(9)

    assert rank(quakes, sentences, order=order(quakes, sentences).order).better == 0


def test_one_and_two_sentences(quakes):
    """One sentence is before nothing; two have one other order, better or not."""
    two = unseen(2)

    assert rank(quakes, two[:1]) == Rank(0, 0, 1, exact=True, interval=(0, 0))
    ranks = [rank(quakes, sentences) for sentences in (two, two[::-1])]
    assert sorted(r.better for r in ranks) == [0, 1]
    assert {r.n_orders for r in ranks} == {2}


def test_identical_sentences_tie(quakes):
    """Exchanging two equal sentences makes another order that is equally probable."""
    sentence = unseen(1)

    found = rank(quakes, sentence * 4)

    assert (found.better, found.equal, found.exact) == (0, 23, True)


def test_where_all_orders_tie():
    """To a model that knows nothing no order is better, and all others are equal, in exact integers."""
    found = rank(FlatModel(), ["a sentence"] * 18)

    assert (found.better, found.equal, found.exact) == (0, math.factorial(18) - 1, True)


def test_other_models_are_ranked_too():
    """The bigram model is asked in the same way, and the counts are those of all its orders."""
    documents_ = [[["a", "b"], ["b", "c"], ["c"]], [["c", "a"], ["a"], ["b", "b"]]]
    model = BigramModel.learn(Corpus.from_words(documents_))
    document = [["c"], ["a", "b"], ["b"], ["b", "c"], ["a"]]
    problem = model.order_problem(document)
    with np.errstate(divide="ignore"):
        arrays = [np.log(a) for a in (problem.initial, problem.transition, problem.final, problem.emission)]
        scores = quick_order_scores(*arrays)
    shifted = {o: score + problem.log_offset for o, score in scores.items()}

    found = rank(model, document)

    assert (found.better, found.equal) == better_and_equal(shifted, (0, 1, 2, 3, 4))


# Past what is exact


def test_an_estimate_says_so_and_covers_the_count(quakes, monkeypatch):
    """Without time, shares of a sample stand for the counts: of 20 intervals at 95 % nearly all hold the truth."""
    monkeypatch.setattr(module, "_n_samples", lambda _: 2_000)
    sentences = unseen(7)
    rng, covered = np.random.default_rng(0), 0
    for _ in range(20):
        asked = rng.permutation(7).tolist()
        truth = rank(quakes, sentences, order=asked)

        estimate = rank(quakes, sentences, order=asked, time_limit=0)

        low, high = estimate.interval
        assert (estimate.exact, truth.exact, estimate.n_orders) == (False, True, 5040)
        assert low <= estimate.better <= high
        covered += low <= truth.better <= high
    assert covered >= 16


def test_what_was_counted_is_kept(quakes, monkeypatch):
    """When time runs out on the way, only what was still open is estimated."""
    monkeypatch.setattr(module, "_n_samples", lambda _: 5_000)
    sentences = unseen(8)
    asked = np.random.default_rng(1).permutation(8).tolist()
    truth, spent = rank(quakes, sentences, order=asked), iter([False] * (2 * 8 + 2) + [True] * 99)
    # It is asked for each of the eight sizes of sets, twice, and then for each step of counting.
    monkeypatch.setattr(module.Clock, "spent", lambda *_: next(spent))

    partly = rank(quakes, sentences, order=asked)

    whole = rank(quakes, sentences, order=asked, time_limit=0)
    assert not partly.exact
    assert partly.interval[0] <= truth.better <= partly.interval[1]
    assert partly.interval[1] - partly.interval[0] < whole.interval[1] - whole.interval[0]


def test_an_estimate_repeats(quakes):
    """The sample depends on the question alone."""
    assert rank(quakes, unseen(25), time_limit=0) == rank(quakes, unseen(25), time_limit=0)


@pytest.mark.parametrize("n", [19, 30])
def test_long_documents_are_estimated(quakes, n):
    """Past 18 sentences the rank is an estimate within its interval, whatever the time."""
    found = rank(quakes, unseen(n))

    assert not found.exact
    assert 0 <= found.interval[0] <= found.better <= found.interval[1] <= found.n_orders == math.factorial(n)


def test_200_sentences_and_no_overflow(quakes, monkeypatch):
    """200! is far past the range of floats; the estimate is a whole number all the same."""
    monkeypatch.setattr(module, "_n_samples", lambda _: 100)

    found = rank(quakes, (unseen(70) * 3)[:200])

    assert found.n_orders == math.factorial(200)
    assert 0 <= found.interval[0] <= found.better <= found.interval[1] <= found.n_orders
    assert isinstance(found.better, int)


def test_too_far_below_the_best_to_be_counted(monkeypatch):
    """Where the order asked about is further below the best than floats reach, a sample still answers."""
    monkeypatch.setattr(module, "_MOST_NATS", 0.0)

    found = rank(FlatModel(), list("abc"))

    assert (found.exact, found.better, found.equal) == (True, 0, 5)
    model = ContentModel.from_labels(Corpus.from_words([[["a"], ["b"], ["a", "b"]]] * 3), [[0, 1, 0]] * 3, n_states=3)
    assert not rank(model, [["b"], ["a"], ["a", "b"]]).exact


# What a rank says


@pytest.mark.parametrize(
    ("better", "equal", "mean_rank", "credit"), [(0, 0, 0.0, 1.0), (0, 3, 1.5, 0.25), (2, 1, 2.5, 0.0)]
)
def test_mean_rank_and_credit(better, equal, mean_rank, credit):
    """Ties count half in the mean rank, and share the credit for the best place."""
    found = Rank(better, equal, 24, exact=True, interval=(better, better))

    assert (found.mean_rank, found.credit) == (mean_rank, credit)


def test_a_mean_rank_past_the_range_of_floats():
    """It is infinite, and no error."""
    huge = math.factorial(200)

    assert Rank(huge, 0, huge, exact=False, interval=(0, huge)).mean_rank == math.inf


@pytest.mark.parametrize(("log_score", "expected"), [(-200.0, 2e-7), (0.0, 1e-11), (-1e-5, 1e-11)])
def test_the_tolerance_of_ties(log_score, expected):
    """A billionth of the log, but never less than rounding."""
    assert tie_tolerance(log_score) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("hits", "n"), [(0, 50), (1, 50), (17, 50), (50, 50)])
def test_the_interval_of_a_share(hits, n):
    """Clopper-Pearson by its definition: at either end so many hits, or more extreme ones, have 2.5 %."""
    low, high = binomial_interval(hits, n, 0.95)

    assert low <= hits / n <= high
    assert binom.sf(hits - 1, n, low) == pytest.approx(0.025 if hits else 1.0, rel=1e-6)
    assert binom.cdf(hits, n, high) == pytest.approx(0.025 if hits < n else 1.0, rel=1e-6)


# Wrong input


def test_what_is_no_order_is_refused(quakes):
    """The order to rank names each sentence once."""
    with pytest.raises(InputError, match=r"order 1 is \[0, 0\], but an order names each of the places 0 to 1 once"):
        rank(quakes, unseen(2), order=[0, 0])


@pytest.mark.parametrize("time_limit", [-0.1, math.nan, "x"])
def test_what_is_no_time_limit_is_refused(quakes, time_limit):
    """A time limit is a number of seconds, 0 or more."""
    with pytest.raises(InputError, match="time_limit: expected a number of seconds"):
        rank(quakes, unseen(2), time_limit=time_limit)


def test_nothing_is_refused(quakes):
    """A document has sentences."""
    with pytest.raises(InputError):
        rank(quakes, [])
