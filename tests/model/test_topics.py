import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from driftline.model.content_model import ContentModel
from driftline.model.topics import Neighbour, etcetera_reason, topics
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from strategies import labelled


def from_labels(documents, labels, n_states, **settings):
    """A model of labelled documents of words."""
    return ContentModel.from_labels(
        Corpus.from_words(documents), labels, n_states, settings=Settings(emission_smoothing=0.1, **settings)
    )


def sentences_of(drawn, state):
    """The sentences of a state."""
    pairs = zip(itertools.chain(*drawn.documents), itertools.chain(*drawn.labels), strict=True)
    return [sentence for sentence, given_state in pairs if given_state == state]


@given(labelled())
def test_topics_count_what_they_hold(drawn):
    """Every state is explained, with its sentences, documents and share of all sentences."""
    explained = topics(from_labels(drawn.documents, drawn.labels, drawn.n_states))

    assert [topic.state for topic in explained] == list(range(drawn.n_states))
    assert [topic.is_insertion for topic in explained] == [False] * (drawn.n_states - 1) + [True]
    for topic in explained:
        assert topic.n_sentences == len(sentences_of(drawn, topic.state))
        assert topic.n_documents == sum(topic.state in states for states in drawn.labels)
        np.testing.assert_allclose(sum(topic.positions), min(topic.n_sentences, 1), rtol=1e-12, atol=0)
    np.testing.assert_allclose(sum(topic.share for topic in explained), 1.0, rtol=1e-12, atol=0)


@given(labelled())
def test_telling_bigrams_are_ranked_by_how_much_they_tell(drawn):
    """A topic's bigrams have their counts and lifts, and no bigram that tells more is left out."""
    explained = topics(from_labels(drawn.documents, drawn.labels, drawn.n_states))

    inside = [
        Counter(pair for sentence in sentences_of(drawn, state) for pair in itertools.pairwise(sentence))
        for state in range(drawn.n_states)
    ]
    overall = sum(inside, Counter())
    for topic, counts in zip(explained, inside, strict=True):
        lift = {pair: count / counts.total() / (overall[pair] / overall.total()) for pair, count in counts.items()}
        worth = sorted((count * math.log(lift[pair]) for pair, count in counts.items()), reverse=True)
        assert len(topic.bigrams) == min(8, len(counts))
        for bigram, most in zip(topic.bigrams, worth, strict=False):
            assert bigram.count == counts[bigram.words]
            np.testing.assert_allclose(bigram.lift, lift[bigram.words], rtol=1e-9, atol=0)
            np.testing.assert_allclose(bigram.count * math.log(bigram.lift), most, rtol=1e-6, atol=1e-8)


@given(labelled())
def test_neighbours_are_shares_of_the_documents_that_hold_the_topic(drawn):
    """What comes before and after a topic, beginnings and ends of documents included, most frequent first."""
    explained = topics(from_labels(drawn.documents, drawn.labels, drawn.n_states))

    for topic in explained:
        holding = [states for states in drawn.labels if topic.state in states]
        after, before = Counter(), Counter()
        for states in holding:
            edged = [None, *states, None]
            pairs = set(itertools.pairwise(edged))
            after.update(j for i, j in pairs if i == topic.state)
            before.update(i for i, j in pairs if j == topic.state)
        for shown, counts in ((topic.after, after), (topic.before, before)):
            want = {state: count / len(holding) for state, count in counts.items()}
            assert {neighbour.state: neighbour.share for neighbour in shown} == pytest.approx(want, rel=1e-12)
            shares = [neighbour.share for neighbour in shown]
            assert shares == sorted(shares, reverse=True)


def test_only_the_most_frequent_neighbours_are_shown():
    """A topic that anything follows shows five of them."""
    documents = [[["a", "b"], [f"c{i}"]] for i in range(7)]

    explained = topics(from_labels(documents, [[0, i + 1] for i in range(7)], 9))

    assert len(explained[0].after) == 5


def test_places_tell_beginnings_from_ends():
    """A topic that always opens documents stands near 0, one that closes them near 1."""
    documents = [[["a", "b"]] * 20]

    explained = topics(from_labels(documents, [[0] * 2 + [1] * 16 + [2] * 2], 3))

    assert explained[0].positions == (1.0, *[0.0] * 9)
    assert explained[2].positions == (*[0.0] * 9, 1.0)
    np.testing.assert_allclose([topic.position for topic in explained], [0.05, 0.5, 0.95], rtol=1e-12, atol=0)


def test_a_state_without_sentences_is_explained_too():
    """An empty state has no share, no place, no bigrams and no neighbours, and is no error."""
    explained = topics(from_labels([[["a", "b"]]], [[0]], 3))

    for topic in explained[1:]:
        assert (topic.n_sentences, topic.share, topic.bigrams, topic.before, topic.after) == (0, 0.0, (), (), ())
        assert topic.position == 0.5
    assert explained[1].label == "(no words)"
    assert explained[2].label == "everything else"


def test_a_label_joins_bigrams_that_overlap():
    """Bigrams that continue one another become one phrase, in reading order, at either end."""
    documents = [[["on", "the", "richter", "scale"]] * 3, [["no", "one", "died"]] * 3]

    explained = topics(from_labels(documents, [[0] * 3, [1] * 3], 3))

    assert [topic.label for topic in explained] == ["on the richter scale", "no one died", "everything else"]


def test_a_label_sets_phrases_apart_that_do_not_overlap():
    """Bigrams without a word in common stand side by side."""
    documents = [[["a", "b"], ["c", "d"]], [["x", "y"]]]

    explained = topics(from_labels(documents, [[0, 0], [1]], 3))

    assert explained[0].label == "a b · c d"


def test_a_bigram_that_ends_where_a_phrase_begins_goes_before_it():
    """The most telling bigram need not be the first of its phrase."""
    # "c d" stands twice, "b c" once: it joins from the left.
    documents = [[["c", "d"], ["b", "c", "d"]], [["x", "y"]]]

    explained = topics(from_labels(documents, [[0, 0], [1]], 3))

    assert explained[0].label == "b c d"


def test_a_label_leaves_out_what_every_topic_says():
    """Bigrams of words that many topics use name none of them, while there are others."""
    common = ["of", "the"]
    documents = [[[*common, "quake"]], [[*common, "fire"]], [[*common, "flood"]], [[*common, "crash"]]]

    explained = topics(from_labels(documents, [[0], [1], [2], [3]], 5))

    assert [topic.label for topic in explained[:4]] == ["the quake", "the fire", "the flood", "the crash"]


def test_a_topic_of_common_words_alone_still_has_a_label():
    """Where every bigram is common, the most telling ones of them have to do."""
    documents = [[["of", "the"], ["the", "of"]], [["of", "the"], ["the", "of"]]]

    explained = topics(from_labels(documents, [[0, 0], [1, 1]], 3))

    assert all({"of", "the"} >= set(topic.label.replace("·", " ").split()) for topic in explained[:2])
    assert explained[0].label


def test_a_topic_without_bigrams_is_named_by_an_example():
    """Sentences of one word have no bigrams; one of them is the label."""
    explained = topics(from_labels([[["yes"], ["no", "way"]]], [[0, 1]], 3))

    assert explained[0].label == "yes"
    assert explained[0].bigrams == ()


def test_without_examples_a_topic_without_bigrams_has_no_words():
    """A model that keeps no text cannot quote any."""
    explained = topics(from_labels([[["yes"], ["no", "way"]]], [[0, 1]], 3, n_examples=0))

    assert explained[0].label == "(no words)"
    assert explained[0].examples == ()


def test_examples_come_from_the_model(words_model):
    """The examples of a topic are those that the model keeps of its state."""
    assert tuple(topic.examples for topic in topics(words_model)) == words_model.examples


def test_the_beginning_and_the_end_have_no_state(words_model):
    """None stands for the edge of the document."""
    explained = topics(words_model)

    assert Neighbour(None, 0.75) in explained[0].before
    assert explained[2].after == (Neighbour(None, 1.0),)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "The labels place 1 sentence here."),
        (
            {"ending": "converged", "min_cluster_size": 4, "n_merged": 3, "n_clusters": 9},
            "It began as 3 of 9 clusters, those with fewer than 4 sentences.",
        ),
        (
            {"ending": "cycle", "min_cluster_size": None, "n_merged": 3, "n_clusters": 5},
            "It began as the 3 smallest of 5 clusters, to leave 3 states.",
        ),
        (
            # Re-estimation emptied four of the seven states that the clusters made.
            {"ending": "converged", "min_cluster_size": None, "n_merged": 3, "n_clusters": 9},
            "It began as the 3 smallest of 9 clusters, to leave 7 states.",
        ),
    ],
)
def test_the_reason_for_etcetera_is_told(words_model, changes, reason):
    """What the insertion state began as depends on how the model was made."""
    model = replace(words_model, record=replace(words_model.record, **changes))

    assert etcetera_reason(model).startswith(reason)


def test_an_etcetera_that_lost_all_its_sentences_says_so():
    """A reader of the model must not look for sentences that re-estimation has moved into topics."""
    model = from_labels([[["a", "b"]], [["c", "d"]]], [[0], [1]], 3)
    record = replace(model.record, ending="converged", min_cluster_size=2, n_merged=1, n_clusters=3)

    assert etcetera_reason(replace(model, record=record)).endswith(
        "Re-estimation has left it without a sentence: each is explained by a topic."
    )
