"""`driftline states`."""

import json

import pytest

from driftline.samples.corpora import sample_corpus


@pytest.fixture(scope="module", name="path")
def documents(tmp_path_factory):
    path = tmp_path_factory.mktemp("drugs") / "train.jsonl"
    rows = [{"id": d.id, "sentences": d.sentences} for d in sample_corpus("drugs").documents[:25]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_the_table_and_the_record_tell_the_same(run, path):
    """Each size has a line, the advice stands below, and --json has the same figures."""
    options = ["states", path, "--sizes", "4,10", "--folds", 2, "--refits", 2]
    lines = run(*options).lines
    record = run(*options, "--json").document

    assert [line.split()[0] for line in lines[1:3]] == ["4", "10"]
    for line, point in zip(lines[1:3], record["points"], strict=True):
        assert f"{point['discrimination']:.0%} [" in line
        assert (" * " in line) == point["as_good_as_best"]
    assert record["advice"] in lines
    assert record["signature"] == lines[-1]


def test_refusals(run, path):
    """Sizes that are no numbers or cannot be had are refused."""
    assert "expected a whole number, got 'ten'" in run("states", path, "--sizes", "ten").misuse
    assert "sizes: expected whole numbers from 2 to" in run("states", path, "--sizes", "1", "--folds", 2).refusal
