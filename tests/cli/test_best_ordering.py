"""Learning and using all evidence on the command line."""

import json

import pytest

import driftline


@pytest.fixture(scope="module", name="files")
def make_files(tmp_path_factory, best_model):
    folder = tmp_path_factory.mktemp("best")
    best_model.save(folder / "model")
    report = driftline.sample_corpus("earthquakes", "test")[0]
    (folder / "report.txt").write_text("\n".join(sorted(report.sentences)), "utf-8")
    return folder


def test_fit_learns_it(run, tmp_path):
    """`--ordering best` saves a model that orders by all evidence."""
    documents = driftline.sample_corpus("earthquakes").select(range(20))
    lines = [json.dumps({"id": d.id, "sentences": d.sentences}) for d in documents]
    (tmp_path / "reports.jsonl").write_text("\n".join(lines), "utf-8")

    run("fit", tmp_path / "reports.jsonl", "--output", tmp_path / "model", "--ordering", "best")

    assert driftline.load(tmp_path / "model").ordering == "best"


def test_order_says_which_evidence_decided(run, files):
    """`--explain` tells reasons in words, and speaks of a score, not of a probability."""
    told = run("order", files / "model", files / "report.txt", "--explain").out

    assert "sentences like" in told
    assert "proved best (score " in told


def test_the_paper_is_one_switch_away(run, files):
    """`--ordering content` orders and ranks by the content model alone, in JSON too."""
    plain = run("order", files / "model", files / "report.txt", "--ordering", "content", "--explain").out
    whole = run("order", files / "model", files / "report.txt", "--explain", "--json").document
    ranked = run("rank", files / "model", files / "report.txt", "--ordering", "content", "--json").document

    assert "sentences like" not in plain
    assert "proved best (log-probability " in plain
    assert whole["documents"][0]["explanation"]["steps"][1]["reasons"][0]["evidence"]
    assert "ordering:best" in whole["signature"]
    assert "ordering:best" not in ranked["signature"]


def test_evaluate_takes_it_from_the_model(run, files, tmp_path):
    """`best` and `content` are two systems of one model; a model without it is refused for `best`."""
    test = driftline.sample_corpus("earthquakes", "test").select(range(3))
    lines = [json.dumps({"id": d.id, "sentences": d.sentences}) for d in test]
    (tmp_path / "test.jsonl").write_text("\n".join(lines), "utf-8")
    asked = ("--task", "discrimination", "--systems", "content,best", "--json")

    found = run("evaluate", files / "model", tmp_path / "test.jsonl", *asked).document

    assert [result["system"] for result in found["results"]] == ["content", "best"]
    assert found["results"][0]["figures"] != found["results"][1]["figures"]
    driftline.load(files / "model").with_ordering("content").save(tmp_path / "plain")
    refused = run("evaluate", tmp_path / "plain", tmp_path / "test.jsonl", *asked)
    assert "learned without it" in refused.refusal


def test_a_corpus_in_pieces_is_refused(run, tmp_path):
    """All evidence is learned in memory: asking for several workers beside it is told at once."""
    (tmp_path / "reports.jsonl").write_text('{"sentences": ["One.", "Two."]}\n', "utf-8")

    refused = run(
        "fit", tmp_path / "reports.jsonl", "--output", tmp_path / "model", "--ordering", "best", "--workers", "2"
    )

    assert "--ordering best learns from documents in memory" in refused.refusal
