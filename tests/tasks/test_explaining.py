"""An order, explained: each claim is checked by scoring orders."""

import itertools
import math

import numpy as np
import pytest

from driftline.errors import InputError
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.settings import Settings
from driftline.tasks.explaining import explain_order
from driftline.tasks.ordering import choose_order, order, score_orders
from oracles import plain_viterbi


@pytest.fixture(scope="module", name="quakes")
def quake_model():
    """A model of bundled text, as somebody would fit it."""
    return fit(sample_corpus("earthquakes"), Settings(n_states=20))


@pytest.fixture(scope="module", name="sentences")
def unseen_sentences():
    """Six sentences that the model has not seen, in a bad order."""
    return [s for document in sample_corpus("earthquakes", "test") for s in document.sentences][5::-1]


def test_each_sentence_has_its_topic(quakes, sentences):
    """The steps follow the order, with the states of the best path through it and what they are worth."""
    best = order(quakes, sentences)

    steps = explain_order(quakes, sentences, best).steps

    assert [step.sentence for step in steps] == list(best.order)
    rows = quakes.log_emission(sentences)[list(best.order)].tolist()
    chain = [quakes.log_initial.tolist(), quakes.log_transition.tolist(), quakes.log_final.tolist()]
    states, _ = plain_viterbi(*chain, rows)
    assert [step.state for step in steps] == states
    into = [chain[0][states[0]], *(chain[1][i][j] for i, j in itertools.pairwise(states))]
    assert [step.probability for step in steps] == pytest.approx([math.exp(value) for value in into], rel=1e-12)


def test_what_a_swap_costs(quakes, sentences):
    """The cost of a step is what swapping it with the one before takes from the log-probability."""
    best = order(quakes, sentences)

    steps = explain_order(quakes, sentences, best).steps

    assert steps[0].swap_cost is None
    for place in range(1, 6):
        swapped = list(best.order)
        swapped[place - 1 : place + 1] = swapped[place - 1 : place + 1][::-1]
        (score,) = score_orders(quakes, sentences, [swapped])
        assert steps[place].swap_cost == pytest.approx(best.log_probability - score, rel=1e-9)
    assert min(step.swap_cost for step in steps[1:]) >= 0


def test_the_runner_up_is_the_second_of_all(quakes, sentences):
    """No order but the best one is better than the runner-up, by enumeration."""
    best = order(quakes, sentences)
    every = [list(o) for o in itertools.permutations(range(6))]
    scores = score_orders(quakes, sentences, every)

    explained = explain_order(quakes, sentences, best)

    assert explained.runner_up_proved
    assert explained.runner_up != best.order
    first, second = np.sort(scores)[::-1][:2]
    assert explained.runner_up_gap == pytest.approx(first - second, abs=1e-9)
    assert scores[every.index(list(explained.runner_up))] == pytest.approx(second, rel=1e-12)


def test_a_candidate_is_explained_beside_the_best(quakes, sentences):
    """To an order that is not the best, the runner-up is the best, and the gap says how much better that is."""
    best = order(quakes, sentences)
    chosen = choose_order(quakes, sentences, [best.order[::-1]])

    explained = explain_order(quakes, sentences, chosen)

    assert explained.runner_up == best.order
    assert explained.runner_up_gap == pytest.approx(chosen.log_probability - best.log_probability, rel=1e-9)
    assert explained.runner_up_gap < 0


@pytest.mark.parametrize("copies", [1, 3])
def test_no_other_order(quakes, sentences, copies):
    """One sentence, or equal ones, have one order."""
    alike = sentences[:1] * copies

    explained = explain_order(quakes, alike, order(quakes, alike))

    assert (explained.runner_up, explained.runner_up_gap, explained.runner_up_proved) == (None, None, True)
    assert len(explained.steps) == copies
    assert [step.swap_cost for step in explained.steps[1:]] == pytest.approx([0.0] * (copies - 1), abs=1e-9)


def test_without_time(quakes, sentences):
    """With no time for a proof the runner-up, if one was met, says that it is not proved to be the second."""
    long = sentences * 5

    explained = explain_order(quakes, long, order(quakes, long, time_limit=0), time_limit=0)

    assert len(explained.steps) == 30
    assert not explained.runner_up_proved


def test_wrong_time_limit(quakes, sentences):
    """A time limit is a number of seconds, 0 or more."""
    with pytest.raises(InputError, match="time_limit"):
        explain_order(quakes, sentences, order(quakes, sentences), time_limit=-1)
