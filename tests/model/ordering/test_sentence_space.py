"""How alike sentences are, against cosines worked out by hand."""

import math

import numpy as np
import pytest

from driftline.model.ordering.sentence_space import VIEWS, Sentence, SentenceSpace, View


def sentence(text):
    return Sentence(tuple(text.lower().split()), tuple(text.split()))


def test_a_view_is_a_cosine_of_rare_and_frequent_features():
    """A feature counts 1 + log(count) times the log of how rare it is; worked by hand for two sentences."""
    view = View.of([["a", "b"], ["a", "a"]])
    rare, common = math.log(3 / 1.5), math.log(3 / 2.5)
    expected = common / math.hypot(rare, common)

    rows = view.rows([["a", "b"], ["a"]])

    assert (rows[[0]] @ view.known[[1]].T).toarray().item() == pytest.approx(expected)
    assert (rows[[1]] @ view.known[[1]].T).toarray().item() == pytest.approx(1.0)


def test_unseen_features_make_a_sentence_less_like_any():
    """What no known sentence has is part of the length of a row."""
    view = View.of([["a", "b"], ["c"]])

    known, stranger = view.rows([["a", "b"], ["a", "b", "z"]])

    own = view.known[[0]]
    assert (known.reshape((1, -1)) @ own.T).toarray().item() == pytest.approx(1.0)
    assert 0 < (stranger.reshape((1, -1)) @ own.T).toarray().item() < 0.9


def test_the_weights_of_the_views_make_one():
    """So a sentence is like itself by 1, and one that shares nothing by 0."""
    space = SentenceSpace.of([sentence("the quake hit town"), sentence("nobody was hurt")])

    own = space.own_similarity()

    assert sum(weight for weight, _ in VIEWS.values()) == pytest.approx(1.0)
    np.testing.assert_allclose(np.diag(own), 1.0, rtol=1e-6)
    np.testing.assert_allclose(space.similarity([sentence("the quake hit town")])[0], own[0], rtol=1e-6)


def test_sentences_without_words_are_like_nothing():
    """Empty sentences, known or new, divide by nothing."""
    space = SentenceSpace.of([Sentence((), ("!",)), sentence("nobody was hurt")])

    found = space.similarity([Sentence((), ()), sentence("nobody was hurt")])

    assert np.isfinite(found).all()
    assert found[0].max() <= 0.35 + 1e-6  # that they begin and end at once is all that empty ones share
    assert space.inner_similarities([sentence("a b"), sentence("a c")]).shape == (2, 2, len(VIEWS))
