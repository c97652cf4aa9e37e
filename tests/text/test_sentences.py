"""Cutting text into spans."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from driftline.text.sentences import sentencex_splitter, split

TEXT = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from(list(" .!?\n\r\t\"'()“”aA1\x00\x0b\x0c\x1c\x85\u2028\u061f\u0964\u3002🙂\u202e\u200d")),
    )
)
SPANS = st.sampled_from(["sentences", "lines", "paragraphs"])


@pytest.fixture(scope="module", name="english")
def english_splitter():
    return sentencex_splitter()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It shook. It stopped.", ("It shook.", "It stopped.")),
        ("Dr. Yilmaz of the U.S. came.", ("Dr. Yilmaz of the U.S. came.",)),
        ("It shook at 7.1.\nIt\nstopped.", ("It shook at 7.1.", "It stopped.")),
        ("A heading\n\nIt shook.", ("A heading", "It shook.")),
        ("A heading\r\n \r\nIt shook.", ("A heading", "It shook.")),
        ("A heading\r\rIt shook.", ("A heading", "It shook.")),
        ("  It \t shook.  ", ("It shook.",)),
        ("", ()),
        (" \n\n \t", ()),
    ],
)
def test_sentences(english, text, sentences):
    """A sentence ends where English ends it or at a blank line, never at a single line break."""
    assert sentences == split(text, "sentences", english)


def test_lines(english):
    """With one sentence a line, a line is a span whatever stands in it, and blank lines are none."""
    assert split("It shook. It\nstopped.\r\n\n  So  \n", "lines", english) == ("It shook. It", "stopped.", "So")


def test_paragraphs(english):
    """A paragraph goes up to the next blank line, and its line breaks become spaces."""
    assert split("One. Two\nhalves.\n  \n\n\nThree.\n", "paragraphs", english) == ("One. Two halves.", "Three.")


def test_the_splitter_sees_tidy_paragraphs():
    """A splitter of one's own gets one paragraph at a time, with white space folded."""
    seen = []

    split("a\n b\n\nc", "sentences", lambda text: seen.append(text) or [text])

    assert seen == ["a b", "c"]


def test_what_a_splitter_returns_is_tidied():
    """White space at the edges of a splitter's pieces, and pieces of nothing else, are left out."""
    assert split("ab", "sentences", lambda _: [" a\n", "", "\t", "b "]) == ("a", "b")


def test_other_languages_have_their_own_rules():
    """The named language decides where a sentence ends."""
    text = "Das war am 3. Mai bzw. später. Dann kam nichts."

    assert split(text, "sentences", sentencex_splitter("de")) == (
        "Das war am 3. Mai bzw. später.",
        "Dann kam nichts.",
    )


@given(TEXT, SPANS)
@example("\ufeff", "sentences")
def test_no_character_is_lost(english, text, spans):
    """For any text and kind of span, the spans hold all characters but white space, in order, and none is empty."""
    pieces = split(text, spans, english)

    assert "".join(text.split()) == "".join("".join(piece.split()) for piece in pieces)
    assert all(piece and piece == " ".join(piece.split()) for piece in pieces)


@given(TEXT, SPANS)
def test_text_with_lone_surrogates_is_split(english, text, spans):
    """Half a surrogate pair, as damaged JSON may hold it, is cut like any other character, or shown as U+FFFD."""
    text += "a \ud800 b"

    pieces = "".join("".join(split(text, spans, english)).split())

    assert "".join(text.split()).replace("\ud800", "\ufffd") == pieces.replace("\ud800", "\ufffd")
