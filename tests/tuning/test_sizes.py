import warnings

import numpy as np
import pytest

from driftline.errors import DriftlineWarning, InputError
from driftline.evaluation.comparison import Plan, cross_validate
from driftline.evaluation.folds import folds
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from driftline.tuning.sizes import SizePoint, _advice, states_curve


@pytest.fixture(scope="module", name="corpus")
def a_few_documents():
    return sample_corpus("drugs").select(range(30))


@pytest.fixture(scope="module", name="curve")
def curve_of_two_sizes(corpus):
    return states_curve(corpus, [12, 4], n_folds=2, n_refits=2)


def test_the_discrimination_is_that_of_the_exam(corpus, curve):
    """What is told of the order of unseen documents is what cross-validation with this number of states finds."""
    for point in curve.points:
        settings = Settings(n_states=point.n_states)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DriftlineWarning)
            (result,) = cross_validate(corpus, ["content"], settings, Plan(task="discrimination"), n_folds=2).results
        figure = result.figures[0]
        np.testing.assert_allclose(point.discrimination, figure.value, rtol=1e-12)
        np.testing.assert_allclose((point.low, point.high), (figure.low, figure.high), rtol=1e-9)


def test_the_log_probability_is_that_of_unseen_documents(corpus, curve):
    """It is the mean over all words of documents that the model has not seen."""
    total, n_words = 0.0, 0
    for train, test in folds(corpus, 2, 0):
        with pytest.warns(DriftlineWarning, match="only 15 documents"):
            model = fit(train, Settings(n_states=4))
        total += sum(model.log_probability(document) for document in test)
        n_words += sum(len(model.encode([document]).words) for document in test)

    np.testing.assert_allclose(curve.points[0].log_probability, total / n_words, rtol=1e-12)


def test_the_curve(curve):
    """Sizes are in order, each has its intervals, and the recommended one is as good as the best."""
    assert [point.n_states for point in curve.points] == [4, 12]
    for point in curve.points:
        assert point.log_low <= point.log_probability <= point.log_high < 0
        assert point.low <= point.discrimination <= point.high
        assert -0.2 < point.stability <= 1
    best = max(curve.points, key=lambda point: point.discrimination)
    assert best.as_good_as_best
    assert next(p for p in curve.points if p.n_states == curve.recommended).as_good_as_best
    assert curve.advice.startswith(f"Take {curve.recommended} states: ")
    assert f"The default settings make {curve.default}." in curve.advice


def test_processes_move_nothing(corpus, curve):
    """Two processes find what one finds; another seed cuts otherwise, and its signature says so."""
    assert states_curve(corpus, [4, 12], n_folds=2, n_refits=2, workers=2) == curve
    other = states_curve(corpus, [4], n_folds=2, n_refits=2, seed=1)
    assert other.points[0] != curve.points[0]
    assert other.signature != curve.signature
    unmasked = states_curve(corpus, [4], Settings(masking="none"), n_folds=2, n_refits=2, seed=1)
    assert unmasked.signature != other.signature


def test_sizes_that_are_chosen_for_a_corpus():
    """Without sizes there is a curve up to what the clusters allow; lone sentences are scored but not ordered."""
    lines = [["A quake hit.", "Nobody died.", "It was felt far."], ["A quake hit."], ["Tea was served."]] * 3
    curve = states_curve(Corpus.from_sentences(lines), n_folds=2, n_refits=2)

    assert next(point.n_states for point in curve.points) in {2, 3}


def point(n_states, stability, *, good):
    return SizePoint(n_states, -5.0, -5.1, -4.9, 0.8, 0.7, 0.9, stability, good)


def test_advice():
    """Of sizes that are equally good the most stable one is named, with the others; an end of the curve is told."""
    three = [point(5, 0.2, good=True), point(10, 0.5, good=True), point(20, 0.9, good=False)]

    assert "cannot show that any of 5, 10 is better" in _advice(three, 10, 33)
    assert "end of what was tried: fewer" in _advice(three, 5, 33)
    alone = [point(5, 0.2, good=False), point(10, 0.5, good=True)]
    assert "more often than any other number" in _advice(alone, 10, 33)
    assert "end of what was tried: more" in _advice(alone, 10, 33)


@pytest.mark.parametrize("sizes", [[1], [4, 10**6], [2.5]])
def test_sizes_that_cannot_be_had(corpus, sizes):
    """A size needs as many clusters, in every part of the documents."""
    with pytest.raises(InputError, match=r"sizes: expected whole numbers from 2 to the \d+ clusters there are, got "):
        states_curve(corpus, sizes, n_folds=2, n_refits=2)


def test_what_shows_no_curve(corpus):
    """One refit agrees with nothing, and lone sentences have no order."""
    with pytest.raises(InputError, match="refits: expected a whole number of at least 2, got 1"):
        states_curve(corpus, n_refits=1)
    with pytest.raises(InputError, match="only documents of one sentence"):
        states_curve(Corpus.from_sentences([["A quake hit."]] * 5))
