"""Texts in a line of limited width."""

from textwrap import shorten


def excerpt(text: str, width: int) -> str:
    """Return a text, or as much of its beginning as there is room for.

    It is cut between words, or within one where little would be left, as in a script that puts no spaces.

    >>> excerpt("A quake shook the town.", 16), excerpt("地震が町を襲った", 5)
    ('A quake shook…', '地震が町…')
    """
    text = " ".join(text.split())
    if len(text) <= width:
        return text
    cut = shorten(text, width, placeholder="…")
    return cut if 2 * len(cut) > width else text[: width - 1] + "…"
