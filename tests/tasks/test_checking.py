"""Checking a draft: each kind of finding where it must be, and strange documents that must not upset it."""

import math
from dataclasses import replace

import numpy as np
import pytest

import driftline
from driftline.errors import InputError
from driftline.model.content_model import ContentModel
from driftline.model.topics import topics
from driftline.tasks import misplaced
from driftline.tasks.checking import CLEAR_ODDS, check
from driftline.tasks.domain import domain_fit
from driftline.tasks.findings import FINDINGS, FOREIGN, NOTHING_FOUND
from driftline.text.corpus import Corpus

GERMAN = (
    "Der wolkenlose himmel blieb den ganzen nachmittag hindurch blau und freundlich.",
    "Niemand dachte daran, vor dem abend nach hause zu gehen, denn es war sommer.",
)
GREEK = ("Ο ουρανός ήταν καταγάλανος όλο το απόγευμα και κανείς δεν ήθελε να γυρίσει στο σπίτι.",)


@pytest.fixture(scope="module", name="quake_model")
def learned_model():
    return driftline.fit(driftline.sample_corpus("earthquakes"))


@pytest.fixture(scope="module", name="report")
def unseen_report():
    return max(driftline.sample_corpus("earthquakes", "test"), key=len)


@pytest.fixture(scope="module", name="told")
def model_of_words():
    """Reports of four sentences, each topic told in its own words."""
    documents = [
        [
            ["a", "strong", "quake", "hit", town],
            ["windows", "broke", "all", "over", town],
            ["no", "one", "was", "hurt"],
            ["soldiers", "came", "to", "help"],
        ]
        for town in ("izmit", "athens", "kobe", "lima", "quito") * 4
    ]
    corpus = Corpus.from_words(documents, ids=[f"d{i}" for i in range(20)])
    corpus = Corpus(tuple(replace(d, story=str(i)) for i, d in enumerate(corpus)))
    return ContentModel.from_labels(corpus, [[0, 1, 2, 3]] * 20, 5, emission_smoothing=0.01, transition_smoothing=0.1)


WHOLE = (
    ("a", "strong", "quake", "hit", "kobe"), ("windows", "broke", "all", "over", "kobe"),
    ("no", "one", "was", "hurt"), ("soldiers", "came", "to", "help"),
)  # fmt: skip


def test_nothing_is_found_in_a_usual_document(told):
    """A report like all others has no finding, and all of its sentences stand where they belong."""
    found = check(told, WHOLE)

    assert (found.status, found.n_findings) == (NOTHING_FOUND, 0)
    assert [suspect.place for suspect in sorted(found.suspects, key=lambda s: s.sentence)] == [0, 1, 2, 3]
    assert {suspect.reason for suspect in found.suspects} == {"no other place is more probable"}
    assert found.verdict.startswith("very typical: ")
    assert found.notes == ()


@pytest.mark.parametrize("topic", range(4))
def test_a_deleted_topic_is_named(told, topic):
    """Whichever topic of all reports is taken out, that one alone is missing, with its place and an example."""
    found = check(told, [*WHOLE[:topic], *WHOLE[topic + 1 :]])

    (missing,) = found.missing
    assert missing.states == (topic,)
    assert missing.share == 1.0
    assert missing.position == pytest.approx(topic / 4 + 0.1, abs=0.1)
    assert missing.example in told.examples[topic]
    assert missing.label == topics(told)[topic].label
    assert missing.reason.startswith("100% of such documents have it, usually ")
    assert found.n_findings >= 1


def test_a_theme_of_several_topics_is_told_by_its_largest(told):
    """Of a theme of three topics the two largest are named; without examples none is given."""
    theme = replace(told.reference.norms.themes[0], states=(0, 1, 2))
    norms = replace(told.reference.norms, themes=(theme,))
    model = replace(told, reference=replace(told.reference, norms=norms), examples=((),) * 5)

    (missing,) = check(model, WHOLE[3:] * 2).missing

    labels = [topic.label for topic in topics(model)]
    assert missing.label == f"{labels[0]} / {labels[1]} / …"
    assert missing.example is None


def test_a_sentence_at_the_wrong_end_is_found(told):
    """The last sentence put first is the first suspect, with its own place proposed, and no other is blamed."""
    found = check(told, [WHOLE[3], *WHOLE[:3]])

    first = found.suspects[0]
    assert (first.sentence, first.place, first.clear) == (0, 3, True)
    assert first.doubt > math.log(CLEAR_ODDS)
    assert first.reason.startswith(
        'it would stand better after sentence 4, "no one was hurt"; what it is about, [3] '
    )
    assert [s.sentence for s in found.suspects if s.clear] == [0]


def test_a_first_sentence_at_the_end_is_sent_to_the_beginning(told):
    """Where the beginning is the best place, that is said."""
    found = check(told, [*WHOLE[1:], WHOLE[0]])

    assert found.suspects[0].reason.startswith("it would stand better at the beginning; ")


def test_a_step_that_nobody_takes_is_abrupt(told):
    """From the last topic to the first is a step that no training document has; what usually follows is said."""
    found = check(told, [WHOLE[0], WHOLE[3], WHOLE[1], WHOLE[2]])

    assert {step.sentence for step in found.abrupt} == {1, 2}
    first = found.abrupt[0]
    assert " follows [0] " in first.reason
    assert " in 0 of 20 training documents; what usually follows: [1] " in first.reason
    assert first.worth < told.reference.norms.abrupt


def test_a_sentence_of_other_words_is_unlike(quake_model, report):
    """One German sentence in a report is unlike the domain, and its unknown words are named."""
    texts = [*report.sentences[:4], GERMAN[0], *report.sentences[4:]]

    found = check(quake_model, texts)

    assert [sentence.sentence for sentence in found.unlike if sentence.text == GERMAN[0]] == [4]
    (unlike,) = (sentence for sentence in found.unlike if sentence.sentence == 4)
    assert {"wolkenlose", "himmel"} <= set(unlike.unknown_words)
    assert unlike.percentile < 0.01
    assert "stand in no training document: der, wolkenlose, himmel" in unlike.reason
    assert not found.domain.foreign


def test_known_words_can_be_unlike_too(told):
    """A sentence all of whose words few documents use is unlike; that is said, as no word is unknown."""
    scale = told.reference.norms.sentences
    picky = replace(scale, values=tuple(value + 1e6 for value in scale.values))
    norms = replace(told.reference.norms, sentences=picky)
    model = replace(told, reference=replace(told.reference, norms=norms))

    found = check(model, WHOLE)

    assert {unlike.reason for unlike in found.unlike} == {
        "all of its words are known, but few documents of the domain use them"
    }


def test_without_a_ruler_for_sentences_none_is_unlike(told):
    """Where no ruler for sentences was learned, nothing is said of them."""
    norms = replace(told.reference.norms, sentences=None)
    model = replace(told, reference=replace(told.reference, norms=norms))

    assert check(model, [["wholly", "other", "words", "stand", "here"]] * 3).unlike == ()


@pytest.mark.parametrize("texts", [GERMAN, GREEK], ids=["German", "Greek"])
def test_another_language_is_foreign(quake_model, texts):
    """A text in a language that the domain is not written in raises the alarm, and the reason gives the shares."""
    found = check(quake_model, texts)

    assert (found.status, found.domain.foreign, found.domain.percentile) == (FOREIGN, True, 0.0)
    assert found.domain.unknown_share > 0.8
    assert "its words are less familiar than those of any of them" in found.domain.reason
    assert found.verdict.startswith("very unusual: ")


@pytest.mark.parametrize(
    "texts",
    [["Help."], ["Quake.", "Nobody hurt."], ["1999 17:30 7.1", "12 Aug 1999"], ["...", "?!"], ["Izmit Ankara Paris"]],
)
def test_very_short_and_fully_masked_texts_raise_no_alarm(quake_model, texts):
    """Texts of few words, or of names, numbers and marks alone, cannot be judged, and the reason says so."""
    found = check(quake_model, texts)

    assert found.domain.foreign is None
    assert "too few to tell where they come from" in found.domain.reason
    assert (found.percentile, found.verdict) == (None, "no score: too few words")
    assert (found.domain.percentile, found.domain.unknown_share) == (None, None)
    assert found.unlike == ()
    assert found.status in {NOTHING_FOUND, FINDINGS}


def test_one_sentence_has_no_place_to_move_to(quake_model, report):
    """A document of one sentence has no suspects and no steps; what is missing is still told."""
    found = check(quake_model, report.sentences[:1])

    assert (found.suspects, found.abrupt) == ((), ())
    assert len(found.missing) >= 1


def test_three_hundred_sentences(quake_model):
    """A very long document is read in seconds, each sentence has its doubt, and no number is lost."""
    texts = [text for document in driftline.sample_corpus("earthquakes") for text in document.sentences][:300]

    found = check(quake_model, texts)

    assert sorted(suspect.sentence for suspect in found.suspects) == list(range(300))
    assert all(math.isfinite(suspect.doubt) for suspect in found.suspects)
    assert found.percentile is not None
    assert found.domain.foreign is False


def test_too_long_to_move(quake_model, report, monkeypatch):
    """Where moves cannot be afforded, all else is told, and a note says what is not."""
    monkeypatch.setattr(misplaced, "_MOST_WORK", 1)

    found = check(quake_model, report)

    assert found.suspects == ()
    assert found.notes == (f"{len(report)} sentences are too many to try other places for each",)
    assert found.percentile is not None


def test_a_model_without_a_ruler(words_model):
    """A model of four documents ranks sentences and says why there is nothing else."""
    found = check(words_model, [["no", "one", "died"], ["a", "quake", "hit"]])

    assert (found.domain.foreign, found.percentile, found.missing, found.abrupt) == (None, None, (), ())
    assert [suspect.sentence for suspect in found.suspects] == [0, 1]
    assert "does not know what is usual" in found.notes[-1]
    assert found.verdict == "no score, since what is usual in the domain is not known"


def test_words_that_nobody_ever_used(told):
    """A document of unknown words alone, empty sentences among them, is foreign and no more."""
    found = check(told, [["lorem", "ipsum", "dolor", "sit", "amet"], [], ["consectetur", "elit", "sed", "do"]])

    assert found.domain.foreign is True
    assert found.domain.unknown_share == 1.0
    assert len(found.missing) == 4


@pytest.mark.parametrize("document", ["a text", None, [], 3, [1, 2], [["words"], "text"]])
def test_what_is_no_document_is_refused(quake_model, document):
    """Anything that is no list of sentences is refused in a sentence."""
    with pytest.raises(InputError, match="document"):
        check(quake_model, document)


def test_what_is_no_model_is_refused(report):
    """A rival that orders sentences knows nothing of a domain."""
    with pytest.raises(InputError, match=r"model: expected a driftline.ContentModel"):
        check("model", report)


def test_the_percentile_is_one_of_training_documents(quake_model):
    """Own documents fall over the whole range, about the middle; in a random order they fall."""
    tests = driftline.sample_corpus("earthquakes", "test").select(range(12))
    rng = np.random.default_rng(0)

    places = [check(quake_model, document).percentile for document in tests]
    shuffled = [
        check(quake_model, [document.sentences[i] for i in rng.permutation(len(document))]).percentile
        for document in tests
    ]

    assert 0.25 < np.mean(places) < 0.75
    assert np.mean(shuffled) < np.mean(places) - 0.2


@pytest.mark.parametrize(
    ("place", "words"),
    [(0.0, "very unusual"), (0.05, "unusual"), (0.2, "below average"), (0.5, "usual"), (0.99, "very typical")],
)
def test_the_verdict_is_the_percentile_in_words(told, place, words):
    """A verdict for each part of the range."""
    below = round(100 * place)
    marks = (-1e15,) * below + (1e15,) * (100 - below)
    norms = replace(told.reference.norms, overall=marks)

    found = check(replace(told, reference=replace(told.reference, norms=norms)), WHOLE)

    assert found.verdict == (
        f"{words}: words and order fit the domain better than in {place:.0%} of its 20 training documents"
    )


def test_the_alarm_alone_says_the_same(quake_model, report):
    """`domain_fit` is what a check says of the domain."""
    for texts in (report, GERMAN, ["Help."]):
        assert domain_fit(quake_model, texts) == check(quake_model, texts).domain
