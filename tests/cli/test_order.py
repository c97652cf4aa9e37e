"""`driftline order`: the sentences of a document in their most probable order, and why."""

import json
import math
import re
from textwrap import shorten

import pytest

from driftline import storage
from driftline.samples.corpora import sample_corpus
from driftline.tasks.explaining import explain_order
from driftline.tasks.ordering import order

SHUFFLE = [4, 2, 6, 0, 5, 3, 1]


@pytest.fixture(scope="module", name="loaded")
def loaded_model(model):
    return storage.load(model)


@pytest.fixture(scope="module", name="sentences")
def shuffled_sentences(unseen):
    return [unseen.sentences[place] for place in SHUFFLE]


@pytest.fixture(name="facts")
def file_of_shuffled_sentences(tmp_path, sentences):
    path = tmp_path / "facts.txt"
    path.write_text("\n".join(sentences) + "\n", "utf-8")
    return path


def test_the_best_order_is_printed(run, model, loaded, facts, sentences):
    """The sentences come in the library's best order, a line each, and nothing else."""
    best = order(loaded, sentences)

    lines = run("order", model, facts).lines

    assert best.proved
    assert lines == [sentences[place] for place in best.order]
    assert lines != sentences


def test_the_order_of_the_input_does_not_matter(run, model, facts, unseen):
    """Whichever order the sentences come in, the same text comes out."""
    from_input = run("order", model, "-", stdin="\n".join(unseen.sentences)).lines

    assert from_input == run("order", model, facts).lines


def test_the_output_can_be_ordered_again(run, model, facts):
    """What was put in order stays as it is."""
    once = run("order", model, facts).out

    assert once == run("order", model, "-", stdin=once).out


def test_sentences_or_lines(run, model, loaded, sentences):
    """A line is a sentence, as facts are listed; running text is split when that is asked for."""
    text = "It shook. It stopped.\nNobody was hurt.\n"
    best = order(loaded, ["It shook.", "It stopped.", "Nobody was hurt."])

    assert sorted(run("order", model, "-", stdin=text).lines) == ["It shook. It stopped.", "Nobody was hurt."]
    assert run("order", model, "-", "--spans", "sentences", stdin=text).lines == [
        ("It shook.", "It stopped.", "Nobody was hurt.")[place] for place in best.order
    ]


def test_explained(run, model, loaded, facts, sentences):
    """--explain gives each sentence its place now and before, its topic, and what a swap would cost."""
    best = order(loaded, sentences)
    reasons = explain_order(loaded, sentences, best)

    lines = run("order", model, facts, "--explain").lines

    rows = [re.match(r" +(\d+) +(\d+)  \[(\d+)\] .{28,}? +(\d+)% +(-?\d+\.\d\d)?  +(\S.*)", line) for line in lines]
    rows = [row for row in rows if row]
    assert [int(row[1]) for row in rows] == list(range(1, 8))
    assert [int(row[2]) - 1 for row in rows] == list(best.order)
    assert [int(row[3]) for row in rows] == [step.state for step in reasons.steps]
    assert [row[4] for row in rows] == [f"{100 * step.probability:.0f}" for step in reasons.steps]
    assert [row[5] for row in rows] == [None, *(f"{step.swap_cost:.2f}" for step in reasons.steps[1:])]
    assert [row[6] for row in rows] == [shorten(sentences[place], 60, placeholder="…") for place in best.order]


def test_the_proof_and_the_runner_up(run, model, loaded, facts, sentences):
    """--explain says that the order is proved best, and how much lower the next one is."""
    best = order(loaded, sentences)
    reasons = explain_order(loaded, sentences, best)

    text = run("order", model, facts, "--explain").out

    assert f"proved best (log-probability {best.log_probability:.3f})" in text
    places = " ".join(str(place + 1) for place in reasons.runner_up)
    times = f"{math.exp(reasons.runner_up_gap):.3g} times less probable"
    assert f"The runner-up is {reasons.runner_up_gap:.3f} lower, {times}: {places}\n" in text


def test_what_decided(run, model, loaded, facts, sentences):
    """--explain names the three neighbours whose swap costs most, by their places in the input."""
    best = order(loaded, sentences)
    steps = explain_order(loaded, sentences, best).steps
    costliest = sorted(range(1, 7), key=lambda place: -steps[place].swap_cost)[:3]

    text = run("order", model, facts, "--explain").out

    named = [
        f"{steps[p - 1].sentence + 1} before {steps[p].sentence + 1} ({steps[p].swap_cost:.2f})" for p in costliest
    ]
    assert f"What decided most: {', '.join(named)}\n" in text


def test_as_json(run, model, loaded, facts, sentences):
    """With --json the order, its proof and its bound are told with the sentences."""
    best = order(loaded, sentences)

    document = run("order", model, facts, "--json").document

    assert document["signature"] == loaded.signature
    (told,) = document["documents"]
    assert (told["id"], told["order"], told["proved"]) == ("facts", list(best.order), True)
    assert told["sentences"] == [sentences[place] for place in best.order]
    assert told["log_probability"] == pytest.approx(best.log_probability, rel=1e-12)
    assert told["upper_bound"] == pytest.approx(best.upper_bound, rel=1e-12)
    assert "explanation" not in told


def test_explained_as_json(run, model, loaded, facts, sentences):
    """With --json and --explain the reasons stand beside the order."""
    reasons = explain_order(loaded, sentences, order(loaded, sentences))

    (told,) = run("order", model, facts, "--json", "--explain").document["documents"]

    explanation = told["explanation"]
    assert [step["state"] for step in explanation["steps"]] == [step.state for step in reasons.steps]
    assert explanation["runner_up"] == list(reasons.runner_up)
    assert explanation["runner_up_gap"] == pytest.approx(reasons.runner_up_gap, rel=1e-9)
    assert len(told["labels"]) == len(reasons.steps)


def test_several_documents(run, model, loaded, tmp_path, unseen):
    """The documents of a .jsonl file are ordered one by one, each under its id."""
    path = tmp_path / "facts.jsonl"
    documents = [unseen.sentences[:3], unseen.sentences[3:]]
    path.write_text("\n".join(json.dumps({"id": f"d{i}", "sentences": d}) for i, d in enumerate(documents)))

    lines = run("order", model, path).lines

    expected = [[document[place] for place in order(loaded, document).order] for document in documents]
    assert lines == ["d0:", *expected[0], "", "d1:", *expected[1]]


def test_one_sentence(run, model):
    """One sentence is in order, and there is no other order of it."""
    assert run("order", model, "-", stdin="It shook.").lines == ["It shook."]
    assert "There is no other order" in run("order", model, "-", "--explain", stdin="It shook.").out


def test_equal_sentences(run, model):
    """Sentences that are equal are printed as often as they came."""
    lines = run("order", model, "-", stdin="It shook.\nNobody was hurt.\nIt shook.\n").lines

    assert sorted(lines) == ["It shook.", "It shook.", "Nobody was hurt."]


def test_an_order_without_proof(run, model, tmp_path):
    """Where the time does not suffice for a proof, the sentences still come, and standard error tells the bound."""
    sentences = [s for document in sample_corpus("earthquakes", "test") for s in document.sentences][:40]
    path = tmp_path / "long.txt"
    path.write_text("\n".join(sentences), "utf-8")

    plain = run("order", model, path, "--time-limit", "0")
    (told,) = run("order", model, path, "--time-limit", "0", "--json").document["documents"]

    assert sorted(plain.out.splitlines()) == sorted(sentences)
    assert plain.status == 0
    assert f"not proved best: no order can be above {told['upper_bound']:.3f}" in plain.err
    assert (told["proved"], len(plain.err.splitlines())) == (False, 1)
    assert told["upper_bound"] > told["log_probability"]
