"""Why an order, in words, from all evidence."""

import numpy as np
import pytest

import driftline
from driftline.model.content_model import as_evidence
from driftline.model.ordering.local_evidence import Facts
from driftline.model.ordering.sentence_space import Sentence
from driftline.tasks.reasons import _WORDS, Grounds
from driftline.text.tokens import tokenize


def facts(text):
    return Facts(Sentence((), tuple(tokenize(text))))


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("Look, Ana Valencia spoke.", "Then Valencia left.", "names 'Ana Valencia' in full before 'Valencia'"),
        ("Big quake today.", "Look, the quake was big.", "mentions 'quake' before it is a known one"),
        ("A quake hit.", "The quake was big.", "says 'a quake' before 'the quake'"),
        ("Ann ran.", "She fell.", "opens with 'she', which needs somebody named before"),
        ("Ann ran.", "However, she fell.", "opens with 'however', which goes on from something"),
    ],
)
def test_local_evidence_is_told_with_its_words(first, second, words):
    """Each kind names the words that it rests on, and says nothing where it is not there."""
    told = [show(facts(first), facts(second)) for show in _WORDS.values()]

    assert words in told
    assert not any(show(facts("tea is hot."), facts("nobody cares.")) for show in _WORDS.values())


def test_the_general_reasons_add_up_to_the_cost_of_a_swap(best_model):
    """What sentences like these do, as ordered pairs, neighbours, openings and topics, is the whole score."""
    document = driftline.sample_corpus("earthquakes", "test")[0]
    best = driftline.order(best_model, document)
    explained = driftline.explain_order(best_model, document, best)
    grounds = Grounds(
        best_model.order_mix, best_model.order_problem(document), as_evidence(document, best_model.masker)
    )

    for place, step in enumerate(explained.steps):
        if place == 0:
            assert step.reasons == ()
            continue
        order = np.array(best.order)
        both = np.vstack([order, order])
        both[1, [place - 1, place]] = order[[place, place - 1]]
        general = list(grounds._general(both, int(order[place - 1]), int(order[place])))
        assert sum(reason.gain for reason in general) == pytest.approx(step.swap_cost, abs=1e-6)
        gains = [abs(reason.gain) for reason in step.reasons]
        assert gains == sorted(gains, reverse=True)


def test_a_plain_model_has_no_further_reasons(best_model):
    """With the content model alone, steps are explained by topics only."""
    document = driftline.sample_corpus("earthquakes", "test")[0]
    plain = best_model.with_ordering("content")

    explained = driftline.explain_order(plain, document, driftline.order(plain, document))

    assert all(step.reasons == () for step in explained.steps)
