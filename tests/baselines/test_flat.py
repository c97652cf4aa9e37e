import math

import pytest

from driftline.baselines.flat import FlatModel
from driftline.errors import InputError
from driftline.tasks.ordering import order, score_orders
from driftline.tasks.ranking import rank

SENTENCES = ["One.", "Two.", "Three.", "Four."]


def test_every_order_has_the_same_probability():
    """All orders have 1 / N!, so that together they have 1."""
    scores = score_orders(FlatModel(), SENTENCES, [[0, 1, 2, 3], [3, 1, 0, 2]])
    assert scores == pytest.approx([-math.log(24)] * 2, rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_it_takes_what_it_is_shown(n):
    """The order that is found is the given one, with proof, and all others tie with it."""
    sentences = [f"Number {i}." for i in range(n)]
    best, ranked = order(FlatModel(), sentences), rank(FlatModel(), sentences)

    assert (best.order, best.proved) == (tuple(range(n)), True)
    assert (ranked.better, ranked.equal) == (0, math.factorial(n) - 1)
    assert ranked.exact == (n < 30)


def test_it_learns_nothing(words_corpus):
    """Learning leaves it as it was."""
    assert FlatModel.learn(words_corpus) == FlatModel()
    assert order(FlatModel(), words_corpus[0]).order == (0, 1, 2)


@pytest.mark.parametrize("document", [[], "It shook.", 7])
def test_what_is_no_document(document):
    """An empty list, a bare string and a number are refused."""
    with pytest.raises(InputError, match="document: "):
        FlatModel().order_problem(document)
