"""Tokens: nothing of a sentence is lost, and what belongs together stays together."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from driftline.text.tokens import is_word, tokenize

# Every code point there is, lone surrogates included, and more than its share of what a rule of ours names.
ANY_TEXT = st.text(
    st.one_of(st.characters(), st.sampled_from(list("aZ19.,:/'’-–&_ \t\n\x00\x85\u0301\u05d0\u0e01中🙂\u202e\ud800")))
)


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("It shook.", ["It", "shook", "."]),
        ("U.S. and U.N. aid", ["U.S.", "and", "U.N.", "aid"]),
        ("at 3 a.m.", ["at", "3", "a.m."]),
        ("7.1, 1,200 and 15:32", ["7.1", ",", "1,200", "and", "15:32"]),
        ("the 5th of the 1990s", ["the", "5th", "of", "the", "1990s"]),
        ("on 3/4/1999", ["on", "3/4/1999"]),
        ("Turkey's quake", ["Turkey", "'s", "quake"]),
        ("Turkey’s quake", ["Turkey", "’s", "quake"]),
        ("the boys' don't", ["the", "boys", "'", "don't"]),
        ("'sixties", ["'", "sixties"]),
        ("an in-flight BE-90 of AT&T", ["an", "in-flight", "BE-90", "of", "AT&T"]),
        ("a 747-400ER", ["a", "747", "-", "400ER"]),
        ("snake_case", ["snake", "_", "case"]),
        ("(said)“so”…", ["(", "said", ")", "“", "so", "”", "…"]),
        ("地震です", ["地", "震", "で", "す"]),
        ("แผ่น", ["แ", "ผ", "่", "น"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("हिन्दी समाचार", ["हिन्दी", "समाचार"]),
        ("🙂🙂", ["🙂", "🙂"]),
        ("", []),
        (" \t\n\u2028 ", []),
    ],
)
def test_worked_examples(sentence, tokens):
    """Words, numbers, abbreviations, possessives and scripts without spaces are cut as written here."""
    assert tokens == tokenize(sentence)


def test_composed_and_decomposed_letters_are_one_word():
    """A letter with its accent is one token in either spelling of Unicode, and the same one."""
    assert ["Café"] == tokenize("Cafe\u0301") == tokenize("Caf\u00e9")


@given(ANY_TEXT)
@example("1" * 500 + "a")
@example("9" * 5000)
@example("'s" * 200)
def test_nothing_is_lost(sentence):
    """The tokens of any text, joined, are its characters (composed) without white space."""
    tokens = tokenize(sentence)

    assert "".join(unicodedata.normalize("NFC", sentence).split()) == "".join(tokens)
    assert all(tokens)


@given(ANY_TEXT, ANY_TEXT)
def test_a_space_always_separates(left, right):
    """What stands on the two sides of a space never becomes one token or changes the other side's tokens."""
    assert tokenize(left) + tokenize(right) == tokenize(f"{left} {right}")


@pytest.mark.parametrize(
    ("token", "expected"), [("quake", True), ("7", True), ("'s", True), ("…", False), ("🙂", False)]
)
def test_is_word(token, expected):
    """A token with a letter or a digit is a word; a token of marks alone is none."""
    assert expected is is_word(token)
