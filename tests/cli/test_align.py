"""`driftline align`: how the sentences of human summaries are found in their articles."""

import json

import pytest

ARTICLE = ["A quake shook Izmit, officials said.", "Tea was served.", "Nobody was hurt."]


@pytest.fixture(name="pairs")
def pairs_of_every_kind(tmp_path):
    path = tmp_path / "pairs.jsonl"
    summary = ["A quake shook Izmit.", "Nobody was hurt.", "Elections are held."]
    rows = [{"id": "izmit", "sentences": ARTICLE, "summary": summary}, {"id": "bare", "sentences": ARTICLE}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_every_sentence_is_accounted_for(run, pairs):
    """Each has its source and how close it is; an edited one its source below; what is nowhere says so."""
    assert run("align", pairs).lines == [
        "izmit: 2 of 3 sentences of the summary stand in the text",
        "    1    1  100%      A quake shook Izmit.",
        "       from           A quake shook Izmit, officials said.",
        "    2    3  as it is  Nobody was hurt.",
        "    3  nowhere        Elections are held.",
        "Sentences of their summaries: 1 stand in the article as they are, 1 were edited, 1 are nowhere in it.",
    ]


def test_as_json(run, pairs):
    """With --json every alignment, and the marks that it makes, which can go back into the file."""
    found = run("align", pairs, "--json").document

    assert found["in_summary"] == {"izmit": [True, False, True]}
    assert found["report"]["not_found"] == [["izmit", 2, "Elections are held."]]
    (aligned,) = found["report"]["documents"]
    assert [a["kind"] for a in aligned["sentences"]] == ["edited", "identical", "none"]
    assert [a["article_sentence"] for a in aligned["sentences"]] == [0, 2, None]


def test_nothing_to_align(run, tmp_path):
    """Documents without the wording of a summary are refused, and marks are no wording."""
    path = tmp_path / "marks.jsonl"
    path.write_text(json.dumps({"sentences": ARTICLE, "in_summary": [True, False, False], "summary": [" "]}))

    assert "no document has a `summary`" in run("align", path).refusal
    assert "there is no such file" in run("align", tmp_path / "none.jsonl").refusal
