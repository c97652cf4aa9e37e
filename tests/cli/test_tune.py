"""`driftline tune`, and `fit --settings` with what it writes."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from driftline.samples.corpora import sample_corpus
from driftline.storage import load
from driftline.text.corpus import Corpus


def write(path, corpus):
    rows = [{"id": d.id, "sentences": d.sentences} for d in corpus]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture(scope="module", name="parts")
def training_and_development_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drugs")
    dev = Corpus(tuple(d for d in sample_corpus("drugs", "dev") if len(d) <= 8))
    return write(folder / "train.jsonl", sample_corpus("drugs").select(range(40))), write(folder / "dev.jsonl", dev)


def test_from_a_corpus_to_a_model(run, parts, tmp_path):
    """What tune writes is what fit takes, and its report tells both scores."""
    train, dev = parts
    output, model = tmp_path / "tuned.toml", tmp_path / "m"
    lines = run("tune", train, "--dev", dev, "-o", output, "--trials", 4).lines

    assert lines[0].endswith("the best of 4 trials.")
    n_documents = len(dev.read_text("utf-8").splitlines())
    assert f"  chosen on: the development set ({n_documents} documents)" in lines
    assert lines[-1].startswith(f"Saved to {output}. Next: driftline fit {train} --settings {output}")
    assert len((tmp_path / "tuned.toml.trials").read_text("utf-8").splitlines()) == 5
    assert run("fit", train, "--settings", output, "-o", model, "--max-iterations", 3).status == 0
    chosen = load(model).settings
    assert lines[0].startswith(f"k {chosen.n_clusters}, T {chosen.min_cluster_size}, ")
    assert chosen.max_iterations == 3


def test_json(run, parts, tmp_path):
    """With --json the record is one document, with the settings and what they are worth."""
    train, dev = parts
    found = run(
        "tune", train, "--dev", dev, "-o", tmp_path / "t", "--trials", 2, "--search", "sweep", "--json"
    ).document

    assert found["chosen_on"]["tuned"]["value"] >= found["chosen_on"]["default"]["value"]
    assert set(found["held_out"]) == {"on", "tuned", "default"}
    assert found["n_trials"] == 2
    assert found["settings"]["n_clusters"] >= 2


def test_overfitting_is_said(run, parts, tmp_path, monkeypatch):
    """Where the defaults do better on held-out documents, the report says so in words."""
    from driftline.tuning import tuning

    train, dev = parts
    real = tuning.tune

    def worse(*args, **named):
        from dataclasses import replace

        found = real(*args, **named)
        held = replace(found.held_out, tuned=found.held_out.default, default=found.chosen_on.tuned)
        low = type(held.tuned)(-1.0, -1.0, -1.0, held.tuned.n_documents)
        return replace(found, held_out=replace(held, tuned=low))

    monkeypatch.setattr(tuning, "tune", worse)
    lines = run("tune", train, "--dev", dev, "-o", tmp_path / "t", "--trials", 1).lines

    assert any("the defaults do better" in line for line in lines)


def test_refusals(run, parts, tmp_path):
    """Another run's trials, a folder as output and --paper with --settings are refused; nothing is left behind."""
    train, dev = parts
    output = tmp_path / "tuned.toml"
    (tmp_path / "tuned.toml.trials").write_text('{"trials_of": "another"}\n')

    assert "holds the trials of another run (another)" in run("tune", train, "--dev", dev, "-o", output).refusal
    assert "is a folder" in run("tune", train, "-o", tmp_path).refusal
    assert not output.exists()
    assert "is no TOML" in run("fit", train, "--settings", train, "-o", tmp_path / "m").refusal
    assert "expected one of them" in run("fit", train, "--settings", train, "--paper", "-o", tmp_path / "m").misuse


def test_killed_and_resumed(run, parts, tmp_path):
    """Killed in the middle and begun again, a search ends with the same bytes as an undisturbed one."""
    train, dev = parts
    options = ["tune", train, "--dev", dev, "--trials", 9, "--objective", "discrimination", "--folds", 2, "-o"]
    assert run(*options, tmp_path / "whole").status == 0
    trials = tmp_path / "killed.trials"
    code = "from driftline.cli.main import main; main()"
    command = [sys.executable, "-c", code, *map(str, options), str(tmp_path / "killed")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(6000):
        if process.poll() is not None or (trials.exists() and trials.read_bytes().count(b"\n") >= 4):
            break
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    n_kept = trials.read_bytes().count(b"\n")
    assert run(*options, tmp_path / "killed").status == 0

    assert n_kept >= 4
    assert (tmp_path / "killed").read_bytes() == (tmp_path / "whole").read_bytes()
    assert trials.read_bytes() == (tmp_path / "whole.trials").read_bytes()
