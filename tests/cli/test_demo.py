"""`driftline demo`: the whole main job, shown to somebody who has only just arrived."""

import re
import shlex
from pathlib import Path
from textwrap import shorten

import pytest

from driftline import storage
from driftline.cli.demo import program
from driftline.samples.corpora import DOMAINS, sample_corpus


@pytest.fixture(name="at_home", autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_whole_main_job(run, domain):
    """The demo learns from a bundled corpus, which it calls synthetic, and says how many topics it found there."""
    train = sample_corpus(domain, "train")

    text = "\n".join(run("demo", "--domain", domain).lines)

    assert f"synthetic corpus: 100 {domain} reports, {train.n_sentences:,} sentences" in text
    assert any(all(f"  {sentence}\n" in text for sentence in document.sentences) for document in train)
    model = storage.load("demo.driftline")
    assert (model.record.n_documents, model.record.n_sentences) == (100, train.n_sentences)
    assert f"Learned {model.n_states - 1} topics from 100 documents, {train.n_sentences:,} sentences" in text


def test_earthquakes_come_first(run):
    """Without a domain the demo is about earthquakes."""
    assert "100 earthquakes reports" in run("demo").lines[0]


def test_it_fits_a_screen(run):
    """All of it can be taken in at one glance: at most 55 lines."""
    assert 20 < len(run("demo").lines) <= 55


def test_the_flow(run):
    """The topics stand in the order in which they stand in a report, with what tends to follow each."""
    lines = run("demo").lines

    header = next(i for i, line in enumerate(lines) if line.startswith("topic "))
    rows = [re.match(r" *(\d+) +(\d+\.\d)%  ([▁-█]{10})  (.+?)  +(.*)", line) for line in lines[header + 1 :]]
    rows = [row for row in rows if row]
    model = storage.load("demo.driftline")
    first_half = [sum(model.estimate.counts.position_counts[int(row[1])][:5]) for row in rows]
    held = [int(model.estimate.counts.sentence_counts[int(row[1])]) for row in rows]

    assert len(rows) >= 10
    assert [f"{n / 1049:.1%}" for n in held] == [f"{row[2]}%" for row in rows]
    early = [a / n for a, n in zip(first_half, held, strict=True)]
    assert sum(early[:5]) > sum(early[-5:])
    assert all(re.search(r"(\[\d+\]|end) \d+%", row[5]) for row in rows)


def test_an_unseen_document_is_tagged(run):
    """Every sentence of a report that was not learned from is shown with the topic that the model gives it."""
    lines = run("demo").lines
    model = storage.load("demo.driftline")

    tagged = [match for line in lines if (match := re.match(r" +\[ *(\d+)\] +(\d+)%  .{34}  (.*)", line))]
    shown = [match[3] for match in tagged]
    document = next(
        document
        for document in sample_corpus("earthquakes", "test")
        if [shorten(text, 72, placeholder="…") for text in document.sentences] == shown
    )

    assert model.v_topics(document).tolist() == [int(match[1]) for match in tagged]


def test_what_to_try_next_works(run, at_home, monkeypatch):
    """The commands that the demo suggests for its model can be run."""
    monkeypatch.setattr("driftline.explorer.serving.serve", lambda *_, **__: None)  # it would go on until Ctrl-C
    suggested = [line.strip() for line in run("demo").lines if line.startswith("  driftline ")]
    commands = [shlex.split(re.split(r"   +", line)[0])[1:] for line in suggested]
    (at_home / "report.txt").write_text("A quake shook Izmit. Nobody was hurt.")
    (at_home / "FOLDER").mkdir()
    (at_home / "FOLDER" / "a.txt").write_text("A quake shook Izmit. Nobody was hurt.")

    assert [command[0] for command in commands] == ["explore", "show", "tag", "fit"]
    for command in commands:
        done = run(*command)
        assert done.status == 0
        assert done.out


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [(".venv/bin/driftline", ".venv/bin/driftline"), ("/anywhere/bin/driftline", "driftline"), ("-c", "driftline")],
)
def test_suggestions_can_be_typed_where_the_demo_was(monkeypatch, typed, suggested):
    """`make demo` runs a program that is on nobody's path, so it is named as typed; an installed one by name."""
    monkeypatch.setattr("sys.argv", [typed, "demo"])

    assert program() == suggested


def test_another_place_for_the_model(run, at_home):
    """The model is saved where the user wants it, and the suggestions name that place."""
    text = run("demo", "-o", "mine.driftline").out

    assert [path.name for path in at_home.iterdir()] == ["mine.driftline"]
    assert "saved in mine.driftline" in text
    assert "driftline show mine.driftline" in text
    assert "demo.driftline" not in text


def test_nothing_is_left_to_chance(run):
    """Two runs of the demo save the same bytes."""
    run("demo", "-o", "one")
    run("demo", "-o", "two")

    assert Path("one").read_bytes() == Path("two").read_bytes()
