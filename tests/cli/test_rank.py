"""`driftline rank`: how the order of a document compares with all other orders of its sentences."""

import json
import math
from dataclasses import asdict

import pytest

from driftline import storage
from driftline.cli.rank import describe_rank
from driftline.samples.corpora import sample_corpus
from driftline.tasks.domain import domain_fit
from driftline.tasks.ranking import Rank, rank


@pytest.fixture(scope="module", name="loaded")
def loaded_model(model):
    return storage.load(model)


def test_the_rank_is_exact(run, model, loaded, report, unseen):
    """The orders that are more probable are counted among all of them."""
    found = rank(loaded, unseen)

    (line,) = run("rank", model, report, "--spans", "lines").lines

    assert found.exact
    assert line.startswith(f"report: {found.better:,} of 5,040 orders are more probable")
    assert ("equally probable" in line) == bool(found.equal)


def test_the_best_order_has_rank_0(run, model, report):
    """What `driftline order` prints is ranked before all other orders; turned round it is not."""
    best = run("order", model, report).out
    turned = "\n".join(reversed(best.splitlines()))

    (first,) = run("rank", model, "-", "--spans", "lines", stdin=best).lines
    (last,) = run("rank", model, "-", "--spans", "lines", stdin=turned).lines

    assert first.startswith("standard input: 0 of 5,040 orders are more probable")
    assert not last.startswith("standard input: 0 of ")


def test_ties_are_counted_apart(run, model):
    """Orders that only swap equal sentences are equally probable, not more probable."""
    text = "It shook.\nIt shook.\nIt shook.\n"

    assert run("rank", model, "-", "--spans", "lines", stdin=text).lines == [
        "standard input: 0 of 6 orders are more probable, 5 are equally probable"
    ]


def test_as_json(run, model, loaded, report, unseen):
    """With --json the rank is told in exact integers."""
    found = rank(loaded, unseen)

    document = run("rank", model, report, "--spans", "lines", "--json").document

    assert document["signature"] == loaded.signature
    assert document["documents"] == [
        {
            "id": "report",
            "n_sentences": 7,
            "better": found.better,
            "equal": found.equal,
            "n_orders": 5040,
            "exact": True,
            "interval": [found.better, found.better],
            "domain": asdict(domain_fit(loaded, unseen)),
        }
    ]


def test_many_documents(run, model, loaded, tmp_path, unseen):
    """Each document of a file has a line of its own."""
    path = tmp_path / "a.jsonl"
    parts = {"x": unseen.sentences[:4], "y": unseen.sentences[4:]}
    path.write_text("\n".join(json.dumps({"id": name, "sentences": part}) for name, part in parts.items()))

    lines = run("rank", model, path).lines

    assert lines == [f"{name}: {describe_rank(rank(loaded, part))}" for name, part in parts.items()]


def test_one_sentence(run, model):
    """One sentence has one order, which no other can beat; it is not called several."""
    (line,) = run("rank", model, "-", stdin="It shook.").lines

    assert line.startswith("standard input: ")
    assert "1 orders" not in line


def test_an_estimate_says_that_it_is_one(run, corpora, tmp_path):
    """Where the orders cannot be counted in time, the rank is an estimate with its interval."""
    small = tmp_path / "m.driftline"
    run("fit", corpora[".jsonl"], "-o", small, "--states", "5")
    sentences = [s for document in sample_corpus("earthquakes", "test") for s in document.sentences][:25]
    path = tmp_path / "long.txt"
    path.write_text("\n".join(sentences), "utf-8")

    (line,) = run("rank", small, path, "--spans", "lines", "--time-limit", "0").lines
    (told,) = run("rank", small, path, "--spans", "lines", "--time-limit", "0", "--json").document["documents"]

    assert line.startswith("long: an estimate: ")
    assert "95 % interval" in line
    low, high = told["interval"]
    assert not told["exact"]
    assert low <= told["better"] <= high
    assert told["n_orders"] == math.factorial(25)


def test_numbers_in_words():
    """Counts are written out, estimates rounded, and one is not several."""
    count = Rank(better=1234, equal=1, n_orders=5040, exact=True, interval=(1234, 1234))
    estimate = Rank(better=1_500_000, equal=0, n_orders=10**9, exact=False, interval=(1_400_000, 1_600_000))

    assert describe_rank(count).startswith("1,234 of 5,040 orders are more probable")
    assert "1 are " not in describe_rank(count)
    assert describe_rank(estimate) == (
        "an estimate: 1.5e+06 of 1e+09 orders are more probable (95 % interval 1.4e+06 to 1.6e+06)"
    )
