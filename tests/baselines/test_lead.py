import numpy as np

from driftline.baselines.lead import Chance, Lead
from driftline.tasks.summarization import choose_sentences, parse_length
from driftline.text.corpus import Document

TEXTS = ("one", "two", "three", "four")


def test_lead_takes_the_first_sentences():
    """The choice is the beginning of the text, at any length."""
    for n in range(1, 6):
        assert choose_sentences(Lead().summary_scores(TEXTS), parse_length(n), TEXTS) == list(range(min(n, 4)))


def test_chance_is_the_same_for_the_same_text():
    """A text as a list, a tuple or a document is one text; another seed or text gives another draw."""
    scores = Chance(1).summary_scores(Document("a", TEXTS)).tolist()

    assert Chance(1).summary_scores(list(TEXTS)).tolist() == scores
    assert Chance(1).summary_scores(TEXTS).tolist() == scores
    assert Chance(2).summary_scores(TEXTS).tolist() != scores
    assert Chance(1).summary_scores(TEXTS[::-1]).tolist() != scores


def test_chance_prefers_no_place():
    """Over many texts every place is the first choice about as often."""
    first = [int(Chance().summary_scores([f"text {i}", "b", "c", "d"]).argmax()) for i in range(2000)]

    np.testing.assert_allclose(np.bincount(first, minlength=4) / 2000, 0.25, rtol=0, atol=0.04)
