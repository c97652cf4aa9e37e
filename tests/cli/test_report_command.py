"""`driftline report` on the command line: one file, or none."""

import subprocess
import sys


def test_one_file(run, model, corpora, tmp_path):
    """The pages are written into one HTML file, and it is said where."""
    path = tmp_path / "report.html"

    lines = run("report", model, corpora[".jsonl"], "-o", path, "--documents", "3").lines

    text = path.read_text("utf-8")
    assert lines == [f"{path}: {len(text.encode()) / 1e6:.1f} MB, opens in any browser"]
    assert text.startswith("<!doctype html>")
    assert '"/documents/2"' in text
    assert '"/documents/3"' not in text
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_refused_before_the_work(run, model, tmp_path):
    """A place that cannot be written, or a corpus that is not there, leaves no file."""
    assert "does not exist" in run("report", model, "-o", tmp_path / "none" / "report.html").refusal
    assert "none.jsonl" in run("report", model, tmp_path / "none.jsonl", "-o", tmp_path / "report.html").refusal
    assert "no such model file" in run("report", tmp_path / "none", "-o", tmp_path / "report.html").refusal
    assert "--documents" in run("report", model, "-o", tmp_path / "r", "--documents", "-1").misuse
    assert list(tmp_path.iterdir()) == []


def test_without_its_library(run, model, tmp_path, monkeypatch):
    """A report needs Jinja alone of the extra, and says so where it is missing."""
    monkeypatch.setattr("driftline.explorer.extras.find_spec", lambda name: None if name == "jinja2" else name)

    refusal = run("report", model, "-o", tmp_path / "r").refusal

    assert refusal == "a report needs jinja2: pip install 'driftline[explore]'"


def test_without_a_server(model, tmp_path):
    """Where the libraries of the server are missing, a report is written all the same."""
    blocked = "import sys; sys.modules.update(starlette=None, uvicorn=None); "
    command = blocked + "from driftline.cli.main import main; main()"

    subprocess.run([sys.executable, "-c", command, "report", str(model), "-o", str(tmp_path / "r")], check=True)

    assert (tmp_path / "r").read_text("utf-8").startswith("<!doctype html>")
