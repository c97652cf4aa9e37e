"""Section 4.2 of Barzilay & Lee (2004), "Extractive Summarization", worked by hand.

The states' words do not overlap, so every V-topic can be read off: `fire`, `water`, `earth`, `wind` are
the states 0 to 3, and the insertion state is 4.
"""

from fractions import Fraction

import numpy as np
import pytest

from driftline.model.content_model import ContentModel
from driftline.tasks.summarization import learn_summaries, summarize
from driftline.text.corpus import Corpus, Document

TOPICS = ("fire", "water", "earth", "wind")

# Article, and the places of the sentences that stand in its summary.
PAIRS = [
    ("fire water earth", (0, 1)),
    ("water fire", (1,)),
    ("fire earth fire", (0, 2)),
    ("water earth wind", (1,)),
    ("earth wind", ()),
]


@pytest.fixture(scope="module", name="able")
def model_that_learned():
    """A model of four topics that never holds the pairs, and the pairs as marks."""
    forwards = [[topic, "burns"] for topic in TOPICS]
    training = Corpus.from_words([forwards, forwards[::-1]])
    model = ContentModel.from_labels(
        training, [[0, 1, 2, 3], [3, 2, 1, 0]], n_states=5, emission_smoothing=1e-3, transition_smoothing=100.0
    )
    pairs = Corpus.from_words([[[topic, "burns"] for topic in article.split()] for article, _ in PAIRS])
    marked = [
        Document(d.id, d.sentences, d.words, in_summary=tuple(i in chosen for i in range(len(d))))
        for d, (_, chosen) in zip(pairs, PAIRS, strict=True)
    ]
    return learn_summaries(model, Corpus(tuple(marked)))


def chosen(able, text, length):
    """The topics that a summary takes from an article."""
    article = [[word, "burns"] for word in text.split()]
    return [sentence.split()[0] for sentence in summarize(able, article, length).sentences]


def test_only_states_in_three_articles_have_a_probability(able):
    """The paper: "for each state s such that at least three full training-set articles contained V-topic s"."""
    # articles with    fire 1 2 3    water 1 2 4    earth 1 3 4 5    wind 4, and the last one has no summary at all
    assert able.summaries.known.tolist() == [True, True, True, False, False]


def test_the_probability_is_a_share_of_articles_not_of_sentences(able):
    """The paper: pairs in which article and summary both hold the state, over the articles that hold it."""
    # fire: articles 1, 2, 3; summaries 1, 2, 3 (in 3 twice, which counts once)    3 of 3
    # water: articles 1, 2, 4; summary 1                                           1 of 3
    # earth: articles 1, 3, 4; summary 4                                           1 of 3
    # The fifth article has no sentence in a summary, so it is no pair.
    assert able.summaries.n_pairs == 4
    shares = [Fraction(3, 3), Fraction(1, 3), Fraction(1, 3), 0, 0]
    np.testing.assert_allclose(able.summaries.probability, [float(share) for share in shares], rtol=1e-15, atol=0)


def test_the_most_probable_states_are_taken_and_printed_in_the_order_of_the_text(able):
    """The paper: "selects those l states [...] that have the highest probability"."""
    assert chosen(able, "wind water fire", 1) == ["fire"]
    assert chosen(able, "wind water fire", 2) == ["water", "fire"]
    assert chosen(able, "wind water fire", 3) == ["wind", "water", "fire"]


def test_several_sentences_of_one_state(able):
    """The footnote: more than l sentences are taken "by the summarization probability of their V-topic's state"."""
    assert chosen(able, "water fire earth fire", 2) == ["fire", "fire"]


def test_further_ties_are_broken_by_order_of_appearance(able):
    """The footnote: "we break any further ties by order of appearance in the document"."""
    assert chosen(able, "earth water fire", 2) == ["earth", "fire"]
    assert chosen(able, "water earth fire", 2) == ["water", "fire"]
