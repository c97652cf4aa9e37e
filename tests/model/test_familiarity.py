"""How familiar words are, against counting anew without the story that is left out."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import driftline
from driftline.model.familiarity import Line, Measured, Scale, WordStories, kept_values, percentile
from driftline.text.encoding import Vocabulary, encode
from strategies import collections, encoded

MASKED = ("<NAME>", "<NUM>", "<DATE>")


def plain_stories(collection, stories):
    """The stories that hold each word, as sets."""
    held = {}
    for document, story in zip(collection, stories, strict=True):
        for word in (word for sentence in document for word in sentence):
            held.setdefault(word, set()).add(story)
    return held


def plain_figures(words, held, n_stories):
    """The number of words, the share of unknown ones, and the mean log share of stories."""
    told = [word for word in words if word.isalpha()]
    shares = [math.log((len(held.get(word, ())) + 0.5) / (n_stories + 1)) for word in told]
    unknown = sum(not held.get(word) for word in told)
    return len(told), unknown / max(len(told), 1), math.fsum(shares) / max(len(told), 1)


def check_figures(measured, expected):
    for found, wanted in zip(
        (measured.n_words, measured.unknown, measured.spread), zip(*expected, strict=True), strict=True
    ):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@st.composite
def told_stories(draw):
    """Documents, some of one story; the stories are numbered from 0 without gaps."""
    collection = draw(collections(words=[*"abcde", ",", "<NUM>"], min_documents=2))
    drawn = draw(st.lists(st.integers(0, 3), min_size=len(collection), max_size=len(collection)))
    return collection, np.unique(drawn, return_inverse=True)[1]


@given(told_stories())
def test_what_is_left_out_is_as_if_it_had_never_been_counted(case):
    """Documents and sentences are measured by the words of all other stories; masks and marks do not count."""
    collection, stories = case
    corpus, n_stories = encoded(collection), int(stories.max()) + 1
    words = WordStories.of(corpus, stories)
    of_documents, of_sentences = [], []
    for document, story in zip(collection, stories, strict=True):
        others = [(d, s) for d, s in zip(collection, stories, strict=True) if s != story]
        held = plain_stories([d for d, _ in others], [s for _, s in others])
        of_documents.append(plain_figures([w for s in document for w in s], held, n_stories - 1))
        of_sentences += [plain_figures(sentence, held, n_stories - 1) for sentence in document]

    check_figures(words.documents(corpus, left_out=True), of_documents)
    check_figures(words.sentences(corpus, left_out=True), of_sentences)


@given(told_stories(), collections(words="abcxyz"))
def test_new_documents_are_measured_by_all_stories(case, new):
    """A document that was not counted is measured by all stories, words that none holds included."""
    collection, stories = case
    corpus = encoded(collection)
    words, held = WordStories.of(corpus, stories), plain_stories(collection, stories)
    expected = [plain_figures([w for s in d for w in s], held, int(stories.max()) + 1) for d in new]

    check_figures(words.documents(encode(new, corpus.vocabulary)), expected)


@given(told_stories(), told_stories())
def test_added_stories_are_as_if_all_had_been_counted_at_once(first, second):
    """Stories that are added later, with new words, give what counting both together gives."""
    (old, old_stories), (new, new_stories) = first, second
    words = WordStories.of(encoded(old), old_stories)
    vocabulary = Vocabulary.of([*old, *new])

    grown = words.grown(vocabulary, encode(new, vocabulary), new_stories)

    together = np.concatenate([old_stories, new_stories + old_stories.max() + 1])
    expected = WordStories.of(encode([*old, *new], vocabulary), together)
    assert grown.counts.tolist() == expected.counts.tolist()
    assert grown.n_stories == expected.n_stories


def test_words_that_a_bounded_vocabulary_leaves_out_are_unknown():
    """All words without a place in the vocabulary are one to the model; they are no word that every story holds."""
    documents = [[["common", f"rare{number}"]] for number in "abcdef"]
    vocabulary = Vocabulary.of(documents, max_words=1)
    corpus = encode(documents, vocabulary)

    words = WordStories.of(corpus, np.arange(6))

    assert words.counts.tolist() == [6, 0]
    assert words.documents(corpus, left_out=True).unknown.tolist() == [0.5] * 6


def test_the_alarm_works_with_a_bounded_vocabulary():
    """A model of few words flags another domain and not its own."""
    model = driftline.fit(driftline.sample_corpus("earthquakes"), driftline.Settings(max_words=150))

    strange, own = (driftline.sample_corpus(name, "test").select(range(10)) for name in ("finance", "earthquakes"))
    assert all(driftline.check(model, document).domain.foreign for document in strange)
    assert sum(driftline.check(model, document).domain.foreign for document in own) <= 1


def test_a_line_is_found_again():
    """Values on a line have its level and slope, and hardly a spread."""
    n = np.array([8.0, 20, 50, 100, 400, 900])

    line = Line.fit(n, 0.3 - 0.05 * np.log(n))

    assert (line.level, line.slope) == pytest.approx((0.3, -0.05), abs=1e-6)
    np.testing.assert_allclose(line.usual(n), 0.3 - 0.05 * np.log(n), rtol=0, atol=1e-5)
    assert max(line.noise, line.floor) <= 1e-6


@pytest.mark.parametrize("power", [1.0, 2.0, 0.0, -1.0])
def test_the_spread_follows_the_length_and_is_never_negative(power):
    """Noise that shrinks faster, as fast or slower than 1 / n, or grows, gives two parts of at least 0."""
    n = np.repeat(np.array([8.0, 20, 50, 100, 400, 900]), 2)
    sign = np.tile([1.0, -1.0], 6)

    line = Line.fit(n, 0.5 + sign * np.sqrt(n**-power))

    assert min(line.noise, line.floor) >= 0
    assert max(line.noise, line.floor) > 0
    if power == 1.0:
        assert (line.noise, line.floor) == pytest.approx((1, 0), abs=1e-5)
        np.testing.assert_allclose(line.standardise(n, 0.5 + sign / np.sqrt(n)), sign, rtol=1e-3)


def test_texts_of_one_length_still_have_a_line():
    """Where all texts are of one length, what is usual at that length is their mean."""
    n, values = np.full(10, 20.0), np.linspace(0.1, 0.3, 10)

    line = Line.fit(n, values)

    np.testing.assert_allclose(line.usual(n), 0.2, rtol=0, atol=1e-5)
    assert np.isfinite(line.standardise(n, values)).all()


def test_equal_texts_have_a_scale():
    """A corpus of one text many times over has no spread; what differs is far off, and nothing is infinite."""
    n = np.full(12, 30.0)
    scale = Scale.fit(Measured(n, np.zeros(12), np.full(12, -0.5)), fewest_words=8)

    strange = scale.familiarity(Measured(np.array([30.0]), np.array([0.9]), np.array([-3.0])))[0]

    assert scale.values == pytest.approx([0.0] * 12, abs=0.01)
    assert -math.inf < strange < -100


def test_too_few_texts_have_no_scale():
    """Texts with fewer words do not count, and fewer than ten others say nothing."""
    n = np.array([7.0] * 20 + [8.0] * 9)
    zeros = np.zeros(29)

    assert Scale.fit(Measured(n, zeros, zeros), fewest_words=8) is None
    assert Scale.fit(Measured(n, zeros, zeros), fewest_words=7) is not None


def test_the_order_of_texts_does_not_show():
    """The same texts in any order give the same scale to the last bit."""
    rng = np.random.default_rng(0)
    n, unknown, spread = rng.integers(8, 90, 200).astype(float), rng.random(200), -rng.random(200)
    shuffled = rng.permutation(200)

    one, other = Measured(n, unknown, spread), Measured(n[shuffled], unknown[shuffled], spread[shuffled])

    assert Scale.fit(one, 8) == Scale.fit(other, 8)


def test_more_unknown_words_are_less_familiar():
    """The share of unknown words lowers the familiarity, and frequent words raise it."""
    line = Line(0.2, 0.0, 0.0, 1.0)
    scale = Scale(line, Line(-1.0, 0.0, 0.0, 1.0), (-1.0, 0.0, 1.0))

    found = scale.familiarity(
        Measured(np.array([9.0, 9, 9, 0]), np.array([0.2, 1.2, 0.2, 0.2]), np.array([-1.0, -1, 0, -1]))
    )

    np.testing.assert_allclose(found, [0, -1, 1, 0], rtol=0, atol=1e-5)
    assert scale.percentile(0.5) == pytest.approx(2 / 3)
    assert scale.threshold(0.5) == 0.0


def test_few_values_are_kept_of_many():
    """Of thousands of values five hundred quantiles are kept, the ends included, in ascending order."""
    values = np.random.default_rng(1).random(5000)

    kept = kept_values(values)

    assert len(kept) == 500
    assert kept == tuple(sorted(kept))
    assert (kept[0], kept[-1]) == pytest.approx((values.min(), values.max()), abs=1e-6)
    assert kept_values(np.array([3.0, 1.0, 2.0])) == (1.0, 2.0, 3.0)


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(-1, 6))
def test_a_percentile_is_the_share_below_and_half_of_the_equal_ones(values, value):
    """As counted one by one; without values it is 0."""
    below, equal = sum(v < value for v in values), values.count(value)
    expected = (below + equal / 2) / len(values) if values else 0.0

    assert percentile(tuple(sorted(map(float, values))), float(value)) == pytest.approx(expected)


def test_masks_and_marks_are_no_words():
    """Names, numbers, dates and marks tell nothing of a domain; an unknown word does."""
    words = WordStories.of(encoded([[["quake", *MASKED, ",", "..."]]]), np.array([0]))

    told = {word for word, tells in zip(words.vocabulary.words, words.telling, strict=False) if tells}

    assert told == {"quake"}
    assert bool(words.telling[words.vocabulary.unknown])
