"""Moves of single sentences, against the probability of every order that one move makes."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings

from driftline.model.content_model import ContentModel
from driftline.tasks import misplaced as module
from driftline.tasks.misplaced import moved, rank_moves
from driftline.text.corpus import Corpus
from oracles import OracleModel, log_sum, plain_order_scores
from strategies import documents, labelled, smoothings


@settings(max_examples=40)
@given(labelled(max_documents=4), documents("abcxyz", min_words=1), smoothings, smoothings)
def test_each_sentence_has_the_best_of_its_places(case, document, d1, d2):
    """The gain, the place and the doubt are those of all orders in which that sentence alone has moved."""
    smoothing = {"emission_smoothing": d1, "transition_smoothing": d2}
    model = ContentModel.from_labels(Corpus.from_words(case.documents), case.labels, case.n_states, **smoothing)
    oracle = OracleModel(case.documents, case.labels, case.n_states, d1, d2)
    rows = [oracle.log_emission(sentence) for sentence in document]
    every = plain_order_scores(oracle.log_initial(), oracle.log_transition(), oracle.log_final(), rows)
    n = len(document)
    own = every[tuple(range(n))]

    found = rank_moves(model, document, n, case.n_states)

    assert sorted(move.sentence for move in found) == (list(range(n)) if n > 1 else [])
    assert all(before.doubt >= after.doubt - 1e-8 for before, after in itertools.pairwise(found))
    for move in found:
        gains = {p: every[tuple(moved(n, move.sentence, p))] - own for p in range(n) if p != move.sentence}
        tolerance = 1e-8 * max(1, abs(own))
        assert move.gain == pytest.approx(max(gains.values()), abs=tolerance)
        assert move.doubt == pytest.approx(log_sum(list(gains.values())), abs=tolerance)
        if move.place == move.sentence:
            assert move.gain <= tolerance
        else:
            assert gains[move.place] == pytest.approx(move.gain, abs=tolerance)


def test_moving_takes_out_and_puts_in():
    """The sentence stands at its new place afterwards, and the others keep their order."""
    for n in range(2, 6):
        for sentence in range(n):
            for place in range(n):
                order = moved(n, sentence, place)
                assert order[place] == sentence
                assert [other for other in order if other != sentence] == [o for o in range(n) if o != sentence]


def test_of_long_documents_some_places_are_tried(words_model, monkeypatch):
    """Where all moves cost too much, places spread over the document are tried, its ends always."""
    asked = []

    def scores(_, __, orders):
        asked.extend(orders)
        return np.zeros(len(orders))

    monkeypatch.setattr(module, "score_orders", scores)
    monkeypatch.setattr(module, "_MOST_WORK", 4 * 20**2 * 3**2)

    found = rank_moves(words_model, [["quake"]] * 20, 20, 3)

    assert len(found) == 20
    assert {order.index(0) for order in asked} >= {0, 6, 13, 19}
    assert len(asked) == 1 + 4 * 20 - 4  # four places each, their own left out
    assert found[0].doubt == pytest.approx(math.log(4))


def test_too_long_documents_are_not_tried(words_model, monkeypatch):
    """Where fewer than four places could be afforded, nothing is said."""
    monkeypatch.setattr(module, "_MOST_WORK", 4 * 20**2 * 3**2 - 1)

    assert rank_moves(words_model, [["quake"]] * 20, 20, 3) is None


def test_one_sentence_has_no_other_place(words_model):
    """A document of one sentence has no moves."""
    assert rank_moves(words_model, [["a", "quake"]], 1, 3) == ()
