"""`driftline fit`: every format gives the same model, every option arrives, and a failure leaves no file."""

import json
import re
from dataclasses import asdict
from itertools import pairwise

import pytest

from driftline import storage
from driftline.settings import Settings

FORMATS = (".jsonl", ".txt", ".csv", ".parquet")


@pytest.fixture(name="target")
def path_of_the_model(tmp_path):
    return tmp_path / "m.driftline"


def test_formats_do_not_matter(run, corpora, tmp_path):
    """The same documents give the same bytes, whichever format they come in."""
    for suffix in FORMATS:
        assert run("fit", corpora[suffix], "-o", tmp_path / f"m{suffix}", "--spans", "lines").status == 0

    models = [(tmp_path / f"m{suffix}").read_bytes() for suffix in FORMATS]

    assert all(a == b for a, b in pairwise(models))


def test_what_is_said(run, corpora, target, quakes):
    """The number of topics, what they were learned from, and the next command are told."""
    first, last = run("fit", corpora[".jsonl"], "--output", target, "--spans", "lines").lines

    model = storage.load(target)
    assert f"Learned {model.n_states - 1} topics from 100 documents, {quakes.n_sentences:,} sentences, in" in first
    assert re.search(r" in \d+\.\d s ", first)
    assert f"({model.record.n_clusters} clusters, {model.record.n_merged} of them too small" in first
    assert f"{len(model.record.moved)} iterations" in first
    assert last == f"Saved to {target}. Next: driftline show {target}"


def test_the_next_command_works(run, corpora, target):
    """What is suggested after fitting can be typed."""
    suggested = run("fit", corpora[".jsonl"], "-o", target).lines[-1].partition("Next: driftline ")[2]

    assert "A content model of 100 documents" in run(*suggested.split()).lines[0]


def test_as_json(run, corpora, target):
    """With --json the one document tells where the model is and how it was made."""
    document = run("fit", corpora[".jsonl"], "-o", target, "--json", "--clusters", "60").document

    model = storage.load(target)
    assert document["model"] == str(target)
    assert document["n_states"] == model.n_states
    assert document["signature"] == model.signature
    assert document["settings"] == model.settings.as_dict()
    assert document["record"] == json.loads(json.dumps(asdict(model.record)))
    assert document["settings"]["n_clusters"] == 60


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--clusters", "40"], {"n_clusters": 40}),
        (["--min-cluster-size", "3"], {"min_cluster_size": 3}),
        (["--emission-smoothing", "1e-3"], {"emission_smoothing": 1e-3}),
        (["--transition-smoothing", "0.5"], {"transition_smoothing": 0.5}),
        (["--states", "12"], {"n_states": 12}),
        (["--max-iterations", "2"], {"max_iterations": 2}),
        (["--transitions", "normalised"], {"transitions": "normalised"}),
        (["--masking", "none"], {"masking": "none"}),
        (["--seed", "5"], {"seed": 5}),
        (["--examples", "2"], {"n_examples": 2}),
        (["--paper"], {"n_clusters": 100, "min_cluster_size": 4, "emission_smoothing": 1e-8}),
        (["--paper", "--clusters", "80"], {"n_clusters": 80, "min_cluster_size": 4, "emission_smoothing": 1e-8}),
    ],
)
def test_every_setting_has_its_option(run, corpora, target, options, expected):
    """What is given on the command line is what the model was made with."""
    run("fit", corpora[".jsonl"], "-o", target, *options)

    settings = storage.load(target).settings.as_dict()
    assert expected == {name: settings[name] for name in expected}


def test_no_setting_lacks_an_option(run):
    """Every setting can be changed on the command line, but for the size above which only a sample is clustered."""
    text = run("fit", "--help").out
    names = {"n_clusters": "clusters", "n_states": "states", "n_examples": "examples"}
    options = [f"--{names.get(name, name).replace('_', '-')} " for name in Settings().as_dict()]

    assert [option for option in options if option not in text] == ["--max-clustered-sentences "]


def test_a_fixed_number_of_states(run, corpora, target):
    """With --states the model has that number of states, and it says so."""
    line = run("fit", corpora[".jsonl"], "-o", target, "--states", "20").lines[0]

    assert storage.load(target).n_states == 20
    assert line.startswith("Learned 19 topics ")


def test_arbitrary_merges_are_reported(run, corpora, target):
    """Where so few clusters are asked for that unlike sentences had to be joined, that number of merges is told."""
    lines = run("fit", corpora[".jsonl"], "-o", target, "--clusters", "10").lines

    merges = storage.load(target).record.n_arbitrary_merges
    assert merges > 0
    assert lines[1].startswith(f"{merges} merges were arbitrary")


def test_one_is_not_written_as_several(run, tmp_path, target):
    """One document, cluster or iteration is not counted in the plural."""
    (tmp_path / "a.txt").write_text("A quake shook Izmit.")

    said = run("fit", tmp_path / "a.txt", "-o", target)

    assert re.findall(r"\b1 (?:topics|documents|sentences|clusters|iterations|merges)", said.out + said.err) == []


def test_the_text_for_people(run, corpora, target):
    """--readable writes what `driftline show` prints beside the model."""
    run("fit", corpora[".jsonl"], "-o", target, "--readable")

    assert run("show", target).out == target.with_name("m.driftline.txt").read_text("utf-8")


def test_no_text_without_examples(run, corpora, target, quakes):
    """With --examples 0 no sentence of the corpus can be read in the model file."""
    run("fit", corpora[".jsonl"], "-o", target)
    with_examples = target.read_bytes()
    run("fit", corpora[".jsonl"], "-o", target, "--examples", "0")
    without = target.read_bytes()

    sentences = {sentence.encode() for document in quakes for sentence in document.sentences}
    assert any(sentence in with_examples for sentence in sentences)
    assert not any(sentence in without for sentence in sentences)


def test_two_runs_give_the_same_bytes(run, corpora, tmp_path):
    """Fitting twice gives the same file twice."""
    run("fit", corpora[".jsonl"], "-o", tmp_path / "one")
    run("fit", corpora[".jsonl"], "-o", tmp_path / "two")

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


# Reading options


def test_columns_are_chosen(run, tmp_path, target):
    """The text and the ids can stand in columns of any name."""
    (tmp_path / "a.csv").write_text("key,text,body\nx,wrong,Tea is served. It rains.\ny,wrong,Tea is cold.\n")

    run("fit", tmp_path / "a.csv", "-o", target, "--column", "body", "--id-column", "key")

    model = storage.load(target)
    assert model.record.n_sentences == 3
    assert {"tea", "rains"} <= set(model.vocabulary.words)
    assert {example.document for row in model.examples for example in row} == {"x", "y"}


def test_an_encoding_is_named(run, tmp_path, target):
    """A file in another encoding is read when the encoding is named, and refused when it is not."""
    (tmp_path / "a.txt").write_bytes("Un café noir. Un thé vert.".encode("latin-1"))

    told = run("fit", tmp_path / "a.txt", "-o", target).refusal
    assert "a.txt: byte 6 (0xe9) is not utf-8" in told
    assert "--encoding" in told

    assert run("fit", tmp_path / "a.txt", "-o", target, "--encoding", "latin-1").status == 0
    assert {"café", "thé"} <= set(storage.load(target).vocabulary.words)


@pytest.mark.parametrize(("spans", "n_sentences"), [("sentences", 3), ("lines", 2), ("paragraphs", 1)])
def test_spans(run, tmp_path, target, spans, n_sentences):
    """A text is cut into what is asked for."""
    (tmp_path / "a.txt").write_text("It shook. It stopped.\nNobody was hurt.\n")

    run("fit", tmp_path / "a.txt", "-o", target, "--spans", spans)

    assert storage.load(target).record.n_sentences == n_sentences


def test_a_language(run, tmp_path, target):
    """Sentences are split by the rules of the language that is named."""
    (tmp_path / "a.txt").write_text("Das Beben kam am 5. Juni um 3 Uhr. Niemand starb.")
    counts = []
    for language in ("de", "en"):
        run("fit", tmp_path / "a.txt", "-o", target, "--language", language)
        counts.append(storage.load(target).record.n_sentences)

    assert counts == [2, 3]


def test_empty_documents_can_be_left_out(run, tmp_path, target):
    """With --skip-empty a document without a sentence is left out; without it the corpus is refused."""
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "a.txt").write_text("It shook.")
    (tmp_path / "c" / "b.txt").write_text(" \n")

    told = run("fit", tmp_path / "c", "-o", target).refusal
    assert "b.txt: holds no sentence" in told
    assert "--skip-empty" in told
    assert not target.exists()

    run("fit", tmp_path / "c", "-o", target, "--skip-empty")
    assert storage.load(target).record.n_documents == 1


def test_standard_input(run, target):
    """`-` is a text on standard input."""
    done = run("fit", "-", "-o", target, stdin="It shook. It stopped.\n\nNobody was hurt.")

    assert done.out.startswith("Learned ")
    assert storage.load(target).record.n_sentences == 3


# Warnings


def test_few_documents_are_warned_of(run, tmp_path, target):
    """Few documents make a model and a warning, which stands on standard error and not in the JSON."""
    (tmp_path / "a.txt").write_text("It shook. It stopped.")

    done = run("fit", tmp_path / "a.txt", "-o", target, "--json")

    assert done.err.startswith("driftline: warning: only 1 document")
    assert len(done.err.splitlines()) == 1
    assert done.document["record"]["n_documents"] == 1


def test_a_collapse_is_warned_of(run, corpora, target):
    """A model that cannot tell topics apart says so, with what to do about it."""
    done = run("fit", corpora[".jsonl"], "-o", target, "--clusters", "1")

    assert done.status == 0
    assert re.match(r"driftline: warning: the model has only 2 states \(k = 1,.*raise", done.err)


# Failures


def test_a_failed_fit_leaves_the_old_model(run, corpora, model, files_under, tmp_path):
    """Whatever is wrong with a new fit, a model that is there already stays to the last byte."""
    target = tmp_path / "m.driftline"
    target.write_bytes(model.read_bytes())
    before = files_under(tmp_path)

    for wrong in (["nowhere"], [corpora[".jsonl"], "--clusters", "0"], [corpora[".jsonl"], "--clusters", "99999"]):
        assert run("fit", *wrong, "-o", target).refusal

    assert before == files_under(tmp_path)


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("option", [[], ["--readable"]])
def test_a_full_disk(run, corpora, model, files_under, tmp_path, monkeypatch, call, option):
    """When the disk is full there is one sentence that names the file, and neither half a file nor a lost one."""
    target = tmp_path / "m.driftline"
    target.write_bytes(model.read_bytes())
    before = files_under(tmp_path)

    def full_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"os.{call}", full_disk)

    told = run("fit", corpora[".jsonl"], "-o", target, *option).refusal

    assert told == f"{target}: cannot be written (No space left on device)"
    assert before == files_under(tmp_path)
