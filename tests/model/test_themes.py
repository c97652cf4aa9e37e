"""What nearly all documents have, against trying everything in the open."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given

from driftline.model import themes as module
from driftline.model.counts import Counts
from driftline.model.themes import find_themes, similarities
from strategies import encoded, labelled

# Two states tell the toll, in turns; one opens every report; one is rare.
TOLD_IN_TURNS = [
    [["quake", "hit", place], ["no", "one", "died"] if n % 2 else ["none", "died", "today"], ["sun", "rose", place]]
    for n, place in enumerate("abcdefghij" * 2)
]
STATES = [[0, 1 + n % 2, 4 if n % 4 else 3] for n in range(20)]


def counted(documents, labels, n_states):
    corpus = encoded(documents)
    return Counts.of(corpus, np.array(list(itertools.chain(*labels))), n_states), corpus.vocabulary.size


def plain_cosine(a, b):
    norms = math.sqrt(sum(x * x for x in a) * sum(x * x for x in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / norms if norms else 0.0


@given(labelled())
def test_topics_are_alike_by_their_words_and_their_neighbours(case):
    """Half the cosine of damped, weighed word counts and half that of damped counts of what stands beside."""
    counts, size = counted(case.documents, case.labels, case.n_states)
    m = case.n_states
    tables = [[0] * size for _ in range(m)]
    for bigram, state, n in zip(
        counts.bigrams.tolist(), counts.bigram_states.tolist(), counts.bigram_counts.tolist(), strict=True
    ):
        tables[state][bigram % size] += n
    users = [sum(table[word] > 0 for table in tables) for word in range(size)]
    words = [
        [math.sqrt(n) * max(math.log((m + 1) / (users[w] + 0.5)), 0) for w, n in enumerate(table)] for table in tables
    ]
    pairs = counts.document_pair_counts.tolist()
    beside = [
        [math.sqrt(n) for n in [*pairs[s], *(pairs[o][s] for o in range(m)), *edges]]
        for s, edges in enumerate(zip(counts.initial_counts.tolist(), counts.final_counts.tolist(), strict=True))
    ]
    expected = [
        [(plain_cosine(words[a], words[b]) + plain_cosine(beside[a], beside[b])) / 2 for b in range(m - 1)]
        for a in range(m - 1)
    ]

    found = similarities(counts, size)

    np.testing.assert_allclose(found, np.array(expected).reshape(m - 1, m - 1), rtol=1e-9, atol=1e-12)


def held_by(labels, n_states):
    return np.array([np.bincount(states, minlength=n_states) for states in labels], dtype=float)


def test_a_topic_of_all_documents_and_two_that_take_turns_are_found():
    """What all have is a theme of its own; what is told in one of two ways is one theme of both; the rest is none."""
    counts, size = counted(TOLD_IN_TURNS, STATES, 5)

    found = find_themes(counts, size, held_by(STATES, 5))

    assert [theme.states for theme in found] == [(0,), (1, 2)]
    assert [theme.share for theme in found] == [1.0, 1.0]


def test_a_theme_of_most_sentences_is_none():
    """States that make up more than a third of all sentences say nothing where they are missing."""
    counts, size = counted(TOLD_IN_TURNS, STATES, 5)
    held = held_by(STATES, 5)
    held[:, 1:3] *= 3

    assert [theme.states for theme in find_themes(counts, size, held)] == [(0,)]


def test_the_share_is_that_of_documents_that_hold_half_a_sentence():
    """A theme is held from an expected half sentence on; nine of ten documents must."""
    counts, size = counted(TOLD_IN_TURNS, STATES, 5)
    held = np.zeros((20, 5))
    held[:18, 0] = 0.5
    assert [(theme.states, theme.share) for theme in find_themes(counts, size, held)] == [((0,), 0.9)]

    held[17, 0] = 0.49
    assert find_themes(counts, size, held) == ()


@given(labelled(max_states=4, max_documents=6))
def test_themes_never_share_a_state(case):
    """Whatever the collection: states stand in one theme at most, none is the insertion state, all shares hold."""
    counts, size = counted(case.documents, case.labels, case.n_states)
    held = held_by(case.labels, case.n_states)

    found = find_themes(counts, size, held)

    states = [state for theme in found for state in theme.states]
    assert len(states) == len(set(states))
    assert all(0 <= state < case.n_states - 1 for state in states)
    for theme in found:
        share = np.mean([any(state in theme.states for state in label) for label in case.labels])
        assert theme.share == pytest.approx(share, abs=1e-6)
        assert theme.share >= module.NEARLY_ALL


def test_very_many_topics_are_not_joined(monkeypatch):
    """Past a bound only single topics are looked at: a similarity of each pair would not fit in memory."""
    counts, size = counted(TOLD_IN_TURNS, STATES, 5)
    monkeypatch.setattr(module, "_MOST_STATES", 3)

    assert [theme.states for theme in find_themes(counts, size, held_by(STATES, 5))] == [(0,)]


def test_one_topic_joins_with_none():
    """A model of one topic and the insertion state has that topic as a theme at the most."""
    counts, size = counted([[["a"]], [["a"]]], [[0], [0]], 2)

    assert [theme.states for theme in find_themes(counts, size, held_by([[0], [0]], 2))] == [(0,)]
    assert find_themes(counts, size, np.zeros((2, 2))) == ()
