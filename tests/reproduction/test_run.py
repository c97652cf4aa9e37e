"""The whole reproduction over small domains: what it writes, that it repeats, and that what is broken stays apart."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time

import msgspec
import numpy as np
import pytest

from driftline.errors import InputError
from driftline.reproduction.data import Folder
from driftline.reproduction.report import Report
from driftline.reproduction.run import Plan, reproduce

FILES = ("index.html", "report.md", "report.json")


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


def cells_of(folder):
    return {path.name: json.loads(path.read_bytes()) for path in (folder / "cells").glob("*.json")}


def figures(section, figure):
    return {(row.domain, row.system): row for row in section.rows if row.figure == figure}


@pytest.fixture(name="run")
def reproduction_of_small_domains(data, experiments, tmp_path):
    """Run into a folder of this name, and return what was found."""

    def run(name="out", **more):
        return reproduce(tmp_path / name, Folder(data), Plan(experiments=experiments, **more))

    return run


def test_rows_have_all_that_makes_a_figure(whole):
    """Each row has its interval and its signature, and beside it what was published of the same figure."""
    _, found = whole
    small = found.report.sections[0]
    tau = figures(small, "Kendall's tau")

    assert found.failed == ()
    assert set(tau) == {
        (d, s) for d in ("drugs", "quakes") for s in ("content", "content, defaults", "bigram", "random")
    }
    assert [p.value for p in tau["drugs", "content"].published] == [0.45]
    assert tau["drugs", "content, defaults"].published == ()
    assert [p.system for p in small.others] == ["entity grid"]
    for row in small.rows:
        assert row.low <= row.value <= row.high
        assert row.signature.startswith(f"driftline|domain:{row.domain}|system:{row.system}|cells:")


def test_all_files_tell_the_same(whole):
    """The JSON is the report, the Markdown and the page have its figures and its signature."""
    folder, found = whole
    report = msgspec.json.decode((folder / "out" / "report.json").read_bytes(), type=Report)
    text, page = ((folder / "out" / name).read_text("utf-8") for name in ("report.md", "index.html"))

    assert report == found.report
    assert "(the paper 0.45)" in text
    assert '<span class="published">the paper 0.45</span>' in page
    assert report.signature in text
    assert report.signature in page
    assert "drugs, entity grid, Kendall's tau: 0.2 (others)" in text


def test_curves(whole):
    """A curve has a value for each size, and ends with all there is; its published figures stand at their sizes."""
    _, found = whole
    curve, size = found.report.sections[1:]

    assert {row.x for row in curve.rows if row.figure == "extraction accuracy"} == {4.0, 8.0}
    assert [p.value for row in curve.rows for p in row.published] == [0.88]
    assert {row.x for row in size.rows if row.system == "content, defaults"} == {4.0}
    assert any("100" in problem for problem in size.problems)


def test_the_page_stands_alone(whole):
    """The page needs no other file and no script, and what a TOML says is text on it, never markup."""
    folder, _ = whole
    page = (folder / "out" / "index.html").read_text("utf-8")

    assert "<strong>and</strong> &lt;quick&gt;" in page
    assert not re.search(r"<script|https?:|<link|@import|url\(", page)
    assert 'aria-label="Kendall&#x27;s tau, by domain and system"' in page


def test_figures_come_from_outcomes(whole):
    """A row is what the outcomes in the kept cells come to: nothing is lost between folds."""
    folder, found = whole
    row = figures(found.report.sections[0], "Kendall's tau")["quakes", "random"]
    kept = [c for c in cells_of(folder / "out").values() if "|by:random|" in c["key"] and "ordered:" in c["key"]]
    folds = [c["result"] for c in kept if c["result"] and c["result"][0]["document"].startswith("earthquakes")]

    assert 1 < len(folds) <= 5
    np.testing.assert_allclose(row.value, np.mean([o["tau"] for of in folds for o in of]), rtol=1e-12)


def test_any_number_of_processes(data, whole, tmp_path):
    """The same documents give the same bytes in two processes as in one."""
    folder, _ = whole
    reproduce(tmp_path, Folder(data), Plan(experiments=folder / "experiments", workers=2))

    assert contents(tmp_path) == contents(folder / "out")


def test_damaged_results_are_made_again(data, whole, tmp_path):
    """A kept result that is damaged, or is of another cell, is made anew; nothing else is."""
    folder, _ = whole
    shutil.copytree(folder / "out", tmp_path / "out")
    kept = sorted((tmp_path / "out" / "cells").glob("*.json"))
    kept[0].write_bytes(b"{")
    kept[1].write_bytes(kept[2].read_bytes())
    kept[3].write_bytes(re.sub(rb'"result":.*', b'"result":3}', kept[3].read_bytes()))
    said = []
    plan = Plan(experiments=folder / "experiments")
    reproduce(tmp_path / "out", Folder(data), plan, on_progress=said.append)

    assert contents(tmp_path / "out") == contents(folder / "out")
    # The one that asks for more states than there are clusters has no result to keep.
    assert len([line for line in said if "of 100" not in line]) - sum("defaults" in line for line in said) <= 3
    assert cells_of(tmp_path / "out") == cells_of(folder / "out")


def test_what_is_broken_stays_apart(run, experiments):
    """A broken TOML, an unknown table and a domain that is not there are a sentence each; the rest runs."""
    text = (experiments / "small.toml").read_text("utf-8").replace('"ordering", "parameters", ', "")
    (experiments / "far.toml").write_text(text.replace('["drugs", "quakes"]', '["drugs", "mars"]'), "utf-8")
    (experiments / "lost.toml").write_text(text.replace('["drugs", "quakes"]', '["mars"]'), "utf-8")
    (experiments / "broken.toml").write_text("title = ", "utf-8")
    found = run(quick=True, only=("far", "broken", "table9", "lost", "curve"))
    far, lost, _ = found.report.sections

    assert [far.name, lost.name] == ["far", "lost"]
    assert far.problems[0].endswith("mars)")
    assert {row.domain for row in far.rows} == {"drugs"}
    assert [re.sub(r".*/(\w+\.toml)", r"\1", line)[:25] for line in found.failed] == [
        "broken.toml: is no TOML (",
        "'table9' is no table or f",
        "lost: nothing could be ru",
    ]
    with pytest.raises(InputError, match="'table9' is no table or figure"):
        run(only=("table9",))


def test_pairs_that_are_not_there(run, experiments):
    """A domain without human summaries cannot be summarized, which is said by its name."""
    path = experiments / "curve.toml"
    path.write_text(path.read_text("utf-8").replace('["quakes"]', '["drugs"]'), "utf-8")
    (failed,) = run(only=("curve", "small"), quick=True).failed

    assert "curve: nothing could be run (domain 'drugs': lacks the split 'pairs'" in failed


def test_a_search_that_fails(run, experiments):
    """Where a search finds nothing to score, the tuned rows are missing, and the reason is told."""
    path = experiments / "small.toml"
    path.write_text(path.read_text("utf-8").replace("_sentences = 6", "_sentences = 2"), "utf-8")
    found = run(only=("small",), quick=True)
    (section,) = found.report.sections

    assert any("no document to score on has 2 to 2 sentences" in problem for problem in section.problems)
    assert {row.figure for row in section.rows} == {"vocabulary"}
    assert found.failed == ()


def test_switches(run):
    """The limit on length and the kind of transition rows change what is run, and the signature says so."""
    plain, short, normalised = (
        run(name, quick=True, only=("small",), **more).report
        for name, more in (("a", {}), ("b", {"max_sentences": 5}), ("c", {"transitions": "normalised"}))
    )

    assert "max_sentences:5" in short.signature
    assert "rows:normalised" in normalised.signature
    assert len({report.signature for report in (plain, short, normalised)}) == 3
    assert any("2 to 5 sentences" in line for line in short.sections[0].protocol)


def test_killed_and_resumed(data, whole, tmp_path):
    """Killed in the middle and begun again, a reproduction ends with the same bytes as an undisturbed one."""
    folder, _ = whole
    code = (
        "import sys; from pathlib import Path; from driftline.reproduction.data import Folder;"
        "from driftline.reproduction.run import Plan, reproduce;"
        "reproduce(Path(sys.argv[1]), Folder(Path(sys.argv[2])), Plan(experiments=Path(sys.argv[3])))"
    )
    out = tmp_path / "out"
    process = subprocess.Popen([sys.executable, "-c", code, str(out), str(data), str(folder / "experiments")])
    for _ in range(6000):
        if process.poll() is not None or len(list(out.glob("cells/*.json"))) >= 4:
            break
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (out / "index.html").exists()
    reproduce(out, Folder(data), Plan(experiments=folder / "experiments"))

    assert contents(out) == contents(folder / "out")
