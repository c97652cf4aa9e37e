"""What is too long for a line is cut where it hurts least."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.text.excerpt import excerpt


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("It shook.", 9, "It shook."),
        ("It  \n shook.", 9, "It shook."),
        ("It shook the town.", 9, "It shook…"),
        ("地" * 10, 9, "地" * 8 + "…"),
        ("[3] " + "地" * 10, 9, "[3] 地地地地…"),
        ("", 9, ""),
    ],
)
def test_where_a_text_is_cut(text, width, expected):
    """Between words; within one where more than half of the room would stay empty."""
    assert excerpt(text, width) == expected


@given(st.text(), st.integers(1, 40))
def test_any_text_fits(text, width):
    """No excerpt is wider than the room; a cut one fills more than half of it and says that it is cut."""
    found, whole = excerpt(text, width), " ".join(text.split())

    assert len(found) <= width
    assert found == whole or (found[-1] == "…" and whole.startswith(found[:-1]) and 2 * len(found) > width)
