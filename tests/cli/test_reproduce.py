"""`driftline reproduce`: what it prints, what it leaves behind, and what it says of data that is not there."""

import json

import pytest

from driftline.samples.corpora import sample_corpus

EXPERIMENT = """
title = "Counts"
where = "Table 1"
order = 1
about = "Counts."
measures = ["statistics"]
domains = ["drugs"]
figures = ["vocabulary"]
"""


@pytest.fixture(name="experiments")
def folder_of_experiments(tmp_path):
    folder = tmp_path / "experiments"
    folder.mkdir()
    (folder / "counts.toml").write_text(EXPERIMENT, "utf-8")
    (folder / "two.toml").write_text(EXPERIMENT.replace('["drugs"]', '["drugs", "mars"]'), "utf-8")
    return folder


def test_the_page_and_its_lines(run, experiments, tmp_path):
    """Each table has a line, and the last one says where the page is and of what kind of text."""
    out = tmp_path / "out"
    lines = run("reproduce", "--experiments", experiments, "--only", "counts", "-o", out).lines

    assert lines == [
        "Table 1: Counts, 1 figures",
        f"Wrote {out / 'index.html'}, report.md and report.json (synthetic documents).",
    ]
    assert {path.name for path in out.iterdir()} == {"index.html", "report.md", "report.json", "cells"}


def test_json(run, experiments, tmp_path):
    """With --json the report is one document, the same as the file."""
    done = run("reproduce", "--experiments", experiments, "--only", "counts", "-o", tmp_path / "out", "--json")

    assert done.document == json.loads((tmp_path / "out" / "report.json").read_bytes())
    assert done.document["sections"][0]["rows"][0]["figure"] == "vocabulary"


def test_what_is_missing_is_told_and_the_rest_runs(run, experiments, tmp_path):
    """A domain that is not there is a warning; a table that is not there makes the exit status 1."""
    options = ["reproduce", "--experiments", experiments, "-o", tmp_path / "out"]
    missing = run(*options)
    unknown = run(*options, "--only", "counts,table9")

    assert missing.status == 0
    assert missing.err.startswith("driftline: warning: two: domain 'mars': the bundled corpora are earthquakes, ")
    assert len(missing.err.splitlines()) == 1
    assert unknown.status == 1
    assert "Table 1: Counts, 1 figures" in unknown.out
    assert unknown.err == "driftline: 'table9' is no table or figure; expected some of counts, two\n"


def test_real_data(run, experiments, tmp_path):
    """A folder of domains is read in place of the bundled ones, a variant of it from inside of each."""
    folder = tmp_path / "data" / "drugs" / "body"
    folder.mkdir(parents=True)
    for split in ("train", "dev", "test"):
        rows = [{"id": d.id, "sentences": d.sentences} for d in sample_corpus("drugs", split).documents[:3]]
        (folder / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    options = ["reproduce", "--experiments", experiments, "--only", "counts", "--data", tmp_path / "data", "-o"]

    assert "(real documents)" in run(*options, tmp_path / "out", "--variant", "body").out
    refused = run(*options, tmp_path / "none")
    assert refused.status == 1
    assert "lacks the split 'train' (train.jsonl)" in refused.err


def test_misuse(run, experiments, tmp_path):
    """How data is read says nothing of the bundled corpora; a folder of data that is not there is refused."""
    options = ["reproduce", "--experiments", experiments, "-o", tmp_path / "out"]

    assert "the bundled corpora are as they are" in run(*options, "--split", "random").misuse
    assert "there is no such folder of data" in run(*options, "--data", tmp_path / "none").refusal
    assert not (tmp_path / "out").exists()
