"""What two sentences say of their order by themselves."""

import numpy as np
import pytest

from driftline.model.ordering.local_evidence import ADJACENT, ORDERED, Facts, measure
from driftline.model.ordering.sentence_space import Sentence
from driftline.text.tokens import tokenize


def facts(text):
    tokens = tokenize(text)
    return Facts(Sentence(tuple(token.lower() for token in tokens), tuple(tokens)))


@pytest.mark.parametrize(
    ("kind", "first", "second", "expected"),
    [
        ("names in full what the other one names in short", "It was Ami Shapira.", "Then Shapira spoke.", 1),
        ("names in full what the other one names in short", "It was Ami Shapira.", "Then Ami Shapira spoke.", 0),
        ("mentions what the other one calls 'the ...'", "Big quake today.", "Look, the quake was big.", 1),
        ("mentions what the other one calls 'the ...'", "Look, the quake.", "Look, the quake was big.", 0),
        ("says 'a ...' where the other one says 'the ...'", "A quake hit.", "The quake hit.", 1),
        ("has fewer names of its own", "Now Ann left.", "Now Bob and Carl left.", 1),
        ("the second one says 'a ...' where the other one says 'the ...'", "The quake hit.", "A quake hit.", 1),
        ("shares numbers", "There were 12 and 7.", "Only 12 were left.", 1),
        ("both quote", "``We ran,'' he said.", '"So did I."', 1),
        ("both quote", "We ran.", '"So did I."', 0),
        ("opens with a pronoun after a name", "Look, Ann ran.", "She fell.", 1),
        ("opens with a pronoun", "look.", "She fell.", 1),
        ("opens with a connective", "She fell.", "However, nobody was hurt.", 1),
        ("quotes", "She fell.", "“Why?”", 1),
    ],
)
def test_each_kind_of_evidence(kind, first, second, expected):
    """A pair that has it, and one that has not."""
    assert ADJACENT[kind](facts(first), facts(second)) == pytest.approx(expected)


def test_shared_names_count_less_among_many():
    """Of one shared name, more is made where there are no others."""
    few = ADJACENT["shares names"](facts("So Ann ran."), facts("So Ann fell."))
    many = ADJACENT["shares names"](facts("So Ann and Bob ran."), facts("So Ann and Carl fell."))

    assert few > many > 0


def test_evidence_for_an_order_counts_against_its_reverse():
    """Ordered evidence is antisymmetric; of a sentence with itself there is none."""
    known = [facts("A quake hit Athens."), facts("The quake was felt."), facts("")]

    ordered = measure(ORDERED, known, antisymmetric=True)
    adjacent = measure(ADJACENT, known, antisymmetric=False)

    np.testing.assert_array_equal(ordered, -ordered.transpose(1, 0, 2))
    assert (adjacent[np.diag_indices(3)] == 0).all()
