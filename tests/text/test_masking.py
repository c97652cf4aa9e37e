"""The built-in masker: the rules one by one, then what must hold for any text."""

import random
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from driftline.text.masking import (
    DATE,
    NAME,
    NUMBER,
    BuiltinMasker,
    NameEvidence,
    PlainMasker,
    learn_masker,
    learn_names,
    mask,
    token_classes,
)
from driftline.text.spacy_masking import SpacyMasker
from driftline.text.tokens import tokenize

NOTHING_KNOWN = NameEvidence(frozenset(), frozenset())
GENERIC = {NAME, NUMBER, DATE}
ANY_TEXT = st.text(
    st.one_of(
        st.characters(), st.sampled_from(list("aAIİßZ19.,:/'’-–& \t\n\x00\u0301\u05d0\u0e01中🙂\u202e\ud800ΑΣς"))
    ),
    max_size=60,
)
PHRASES = st.lists(
    st.sampled_from(
        "The the quake Izmit U.S. May may March 17 1999 , . 3 p.m. Monday Gov. BE-90 I ten -- 7:30".split()
    )
).map(" ".join)


def masked(sentence, *collection):
    return " ".join(mask(sentence, learn_names([*collection, sentence])))


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("the town of Izmit shook", "the town of <NAME> shook"),
        ("the Red Cross, the U.N. and I", "the <NAME> the <NAME> and i"),
        ("near New York City they wept", "near <NAME> they wept"),
        ("a BE-90 and the b52", "a <NAME> and the b52"),
        ("they met Col. Smith there", "they met <NAME> there"),
        ("he asked Gov. Brown. Nobody spoke", "he asked <NAME> nobody spoke"),
        ("Turkey's quake", "turkey 's quake"),
        ("in Turkey's quake", "in <NAME> 's quake"),
    ],
)
def test_a_capital_inside_a_sentence_marks_a_name(sentence, words):
    """A word with a capital inside a sentence is a name, a run of them is one name, and "I" is none."""
    assert words == masked(sentence)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("it took 7.1 seconds", "it took <NUM> seconds"),
        ("1,200 of the 15th", "<NUM> of the <NUM>"),
        ("for 2-1/2 miles, then 3/4 mile", "for <NUM> miles then <NUM> mile"),
        ("it had 2.5kg of it", "it had <NUM> kg of it"),
        ("twenty-one or three hundred thousand", "twenty-one or <NUM>"),
        ("Four died and zero lived", "<NUM> died and <NUM> lived"),
        ("a 3-2 vote", "a <NUM> vote"),
    ],
)
def test_numbers(sentence, words):
    """Figures and number words become one generic token, and a run of them a single one."""
    assert words == masked(sentence)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("on Aug. 17, 1999 it shook", "on <DATE> it shook"),
        ("on 17 August 1999 it shook", "on <DATE> it shook"),
        ("it was 3 p.m. there", "it was <DATE> there"),
        ("it was 3:44pm there", "it was <DATE> there"),
        ("it was 15:32 GMT there", "it was <DATE> there"),
        ("since 8/17/99 it shook", "since <DATE> it shook"),
        ("since 1999-08-17 it shook", "since <DATE> it shook"),
        ("in 1999 and 2024", "in <DATE> and <DATE>"),
        ("the 1400 and the 2100 men", "the <NUM> and the <NUM> men"),
        ("it rained Monday night", "it rained <DATE> night"),
        ("Monday began", "<DATE> began"),
        ("a score of 7.30 or 120:12 points", "a score of <NUM> or <NUM> points"),
        ("at 1500 hours", "at <DATE>"),
        ("gmt is a word", "gmt is a word"),
    ],
)
def test_dates(sentence, words):
    """Years, days, clock times, months and weekdays, with the numbers beside them, become one date."""
    assert words == masked(sentence)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("it was in May they said", "it was in <DATE> they said"),
        ("it was on May 5 they said", "it was on <DATE> they said"),
        ("May 5 came", "<DATE> came"),
        ("they met Theresa May there", "they met <NAME> there"),
        ("they may march", "they may march"),
        ("on the March he sang", "on the <NAME> he sang"),
        ("it was a July day", "it was a <DATE> day"),
    ],
)
def test_months_that_are_words(sentence, words):
    """May and March are months only beside a number or after a word that goes before months."""
    assert words == masked(sentence, "they may march on")


@pytest.mark.parametrize(
    ("sentence", "collection", "words"),
    [
        ("Rescuers dug.", ["the rescuers dug"], "rescuers dug"),
        ("Turkey shook.", ["they went to Turkey"], "<NAME> shook"),
        ("Turkey shook.", [], "turkey shook"),
        ("Turkey shook.", ["in Turkey", "a turkey"], "turkey shook"),
        ("Turkey shook.", ["in Turkey", "of Turkey", "a turkey"], "<NAME> shook"),
        ("NATO flew.", [], "<NAME> flew"),
        ("A man flew.", [], "a man flew"),
        ("John Smith flew.", [], "<NAME> flew"),
        ('"Rescuers dug," he said.', ["the rescuers"], "rescuers dug he said"),
        ("It shook -- Turkey too", ["in Turkey"], "it shook <NAME> too"),
        ("«» ... Turkey shook", [], "turkey shook"),
    ],
)
def test_the_collection_decides_on_sentence_starts(sentence, collection, words):
    """A capital where any word would have one says nothing; how the collection writes the word decides."""
    assert words == masked(sentence, *collection)


def test_headlines_are_no_evidence():
    """Words with capitals in a line of capitals do not become names, there or elsewhere."""
    headline = "Rescuers Dig For Trapped People"

    evidence = learn_names([headline, "the rescuers dig for trapped people"])

    assert frozenset() == evidence.names
    assert mask(headline, evidence) == ["rescuers", "dig", "for", "trapped", "people"]
    assert mask("Rescuers Dig For Trapped People", NOTHING_KNOWN)[:1] == [NAME]


def test_a_name_in_a_headline_is_found():
    """In a line of capitals the words that the collection knows as names are masked, the others are not."""
    evidence = learn_names(["they dig in Izmit for people", "people of Izmit"])

    assert mask("PEOPLE DIG IN IZMIT FOR PEOPLE", evidence) == ["people", "dig", "in", NAME, "for", "people"]


def test_evidence_is_counted():
    """A tie between the spellings makes a common word, and one more capital makes a name."""
    evidence = learn_names(["a turkey in Turkey", "a bush, the Bush, the Bush"])

    assert NameEvidence(common=frozenset({"a", "in", "turkey", "the"}), names=frozenset({"bush"})) == evidence


def test_token_classes_leave_words_alone():
    """Every token has its own class, and None stands for a word or mark that stays as it is."""
    tokens = tokenize("it shook Izmit, Turkey on Aug. 17")

    assert token_classes(tokens, NOTHING_KNOWN) == [None, None, NAME, None, NAME, None, DATE, None, DATE]


def test_runs_collapse_over_marks():
    """Names with nothing but marks between them are one token; a word between them keeps them apart."""
    assert mask("(Paris, Lyon; Nice and Lille)", learn_names(["in Paris"])) == [NAME, "and", NAME]


@given(st.lists(ANY_TEXT | PHRASES, max_size=5), ANY_TEXT | PHRASES)
@example(["İİ a İİ"], "a İİ")
@example([], "1" * 5000)
def test_any_text_is_masked(collection, sentence):
    """Masked words are generic tokens or lower-cased words with a letter or digit; no generic one is doubled."""
    words = mask(sentence, learn_names(collection))

    for word in words:
        assert word in GENERIC or (word == word.lower() and any(c.isalnum() for c in word))
    assert not any(a == b and a in GENERIC for a, b in pairwise(words))


@given(st.lists(PHRASES, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_the_collection_does_not_matter(collection, rng):
    """Evidence is the same for any order of the sentences, and no word is both common and a name."""
    shuffled = random.Random(rng.random()).sample(collection, len(collection))

    evidence = learn_names(collection)

    assert evidence == learn_names(shuffled)
    assert not evidence.common & evidence.names


@given(ANY_TEXT)
def test_plain_masking_keeps_every_word(sentence):
    """Without masking every word stays, lower-cased, in its place."""
    words = [t.lower() for t in tokenize(sentence) if any(c.isalnum() for c in t)]

    assert [words] == PlainMasker().words([sentence])


def test_settings_name_the_masker():
    """Each value of `Settings.masking` makes its masker; the built-in one learns from the sentences."""
    sentences = ["they went to Turkey"]

    assert BuiltinMasker(learn_names(sentences)) == learn_masker("builtin", sentences)
    assert PlainMasker() == learn_masker("none", sentences)
    assert SpacyMasker("en_core_web_sm") == learn_masker("spacy:en_core_web_sm", sentences)


def test_the_masker_masks_each_sentence():
    """A masker returns the words of each sentence, an empty list where a sentence has none."""
    masker = learn_masker("builtin", ["they went to Turkey"])

    assert masker.words(["Turkey shook.", "...", "All is well."]) == [[NAME, "shook"], [], ["all", "is", "well"]]
