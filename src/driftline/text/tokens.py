"""Cutting a sentence into tokens: words, numbers, codes and punctuation marks."""

import re
import unicodedata

# Marks that belong to the letter before them: accents, Hebrew and Arabic points, Indic vowel signs.
_MARKS = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0a3c-\u0acd"
_MARKS += r"\u0b01-\u0b4d\u0b82\u0bbe-\u0bcd\u0c00-\u0c4d\u0cbc-\u0ccd\u0d3b-\u0d4d\u0dca-\u0ddf"
_LETTER = rf"(?:[^\W_]|[{_MARKS}])"
_POSSESSIVE = rf"['’][sS](?!{_LETTER})"
# Scripts that write no spaces between words: a token a character, so that bigrams still tell something.
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]"

# Alternatives are tried from top to bottom, so the order matters.
_TOKEN = re.compile(
    rf"""
      (?:[^\W\d_]\.){{2,}}                                            # U.S.  a.m.
    | \d{{4}}-\d\d-\d\d(?![-\w])                                      # 1999-08-17
    | \d+(?:[.,:/]\d+)+(?:(?:st|nd|rd|th|s)(?!{_LETTER}))?            # 7.1  15:32  1,200
    | \d+(?:st|nd|rd|th|s)?(?!{_LETTER})                              # 17  5th  1990s
    | {_POSSESSIVE}                                                   # a word of its own
    | {_UNSPACED}
    | {_LETTER}+(?:(?:[-–/&.]|(?!{_POSSESSIVE})['’]){_LETTER}+)*      # quake  in-flight  don't  BE-90  AT&T
    | \S                                                              # any other mark
    """,
    re.VERBOSE,
)


def tokenize(sentence: str) -> list[str]:
    """Cut a sentence into tokens, in their order and spelling.

    >>> tokenize("Turkey's 7.1 quake hit at 3 a.m., officials said.")
    ['Turkey', "'s", '7.1', 'quake', 'hit', 'at', '3', 'a.m.', ',', 'officials', 'said', '.']
    """
    return _TOKEN.findall(unicodedata.normalize("NFC", sentence))


def is_word(token: str) -> bool:
    """Tell whether a token is more than punctuation."""
    return token[:1].isalnum() or any(character.isalnum() for character in token)
