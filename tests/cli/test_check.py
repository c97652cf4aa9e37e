"""`driftline check`: an editor's note on a draft, and a status that scripts can use."""

import json

import pytest

from driftline import storage
from driftline.samples.corpora import sample_corpus
from driftline.tasks.checking import check
from driftline.tasks.domain import domain_fit


@pytest.fixture(scope="module", name="loaded")
def loaded_model(model):
    return storage.load(model)


@pytest.fixture(name="foreign")
def foreign_text(tmp_path):
    path = tmp_path / "foreign.txt"
    path.write_text("\n".join(sample_corpus("finance", "test")[0].sentences[:6]), "utf-8")
    return path


def test_the_note_tells_what_was_found(run, model, loaded, report, unseen):
    """The note has a line a finding, and the status says whether there is any."""
    found = check(loaded, unseen)

    done = run("check", model, report, "--spans", "lines")

    assert (done.status, done.err) == (found.status, "")
    assert done.out.startswith(f"report: {found.verdict}.\n")
    told = [done.out.count(f"\n  {word}") for word in ("Missing: ", "Misplaced? ", "Abrupt: ", "Unlike the domain: ")]
    clear = sum(suspect.clear for suspect in found.suspects)
    assert told == [len(found.missing), clear, len(found.abrupt), len(found.unlike)]
    assert ("Nothing found." in done.out) == (found.n_findings == 0)


def test_every_kind_of_finding_is_told(run, model, tmp_path, quakes):
    """A muddle of reports with a sentence of another language has findings of several kinds."""
    german = "Der wolkenlose Himmel blieb den ganzen Nachmittag hindurch blau und freundlich."
    texts = [*reversed(quakes[0].sentences), german, *quakes[1].sentences, *quakes[2].sentences]
    (tmp_path / "muddle.txt").write_text("\n".join(texts), "utf-8")

    done = run("check", model, tmp_path / "muddle.txt", "--spans", "lines")

    assert done.status == 3
    assert "Unlike the domain: sentence " in done.out
    assert "Misplaced? Sentence " in done.out


def test_what_is_missing_is_told_and_what_could_not_be_tried(run, model, tmp_path, quakes, monkeypatch):
    """A report cut off after its first sentence lacks topics; a report too long to move sentences has a note."""
    (tmp_path / "cut.txt").write_text(quakes[0].sentences[0], "utf-8")
    (tmp_path / "long.txt").write_text("\n".join(quakes[0].sentences), "utf-8")
    monkeypatch.setattr("driftline.tasks.misplaced._MOST_WORK", 1)

    cut, long = (run("check", model, tmp_path / name, "--spans", "lines") for name in ("cut.txt", "long.txt"))

    assert cut.status == 3
    assert "\n  Missing: " in cut.out
    assert " of such documents have it, usually " in cut.out
    assert "\n      For instance: " in cut.out
    assert "\n  Note: " + str(len(quakes[0])) + " sentences are too many to try other places for each.\n" in long.out


def test_a_text_of_another_domain(run, model, foreign):
    """A text of another domain is told to be one, in words and as status 4."""
    done = run("check", model, foreign)

    assert (done.status, done.err) == (4, "")
    assert done.out.startswith("foreign: does not read like a document of this domain.\n")
    assert "of its words stand in none of the 100 training documents" in done.out


def test_as_json(run, model, loaded, report, unseen):
    """With --json all of it is one document, sentences that are no findings included."""
    found = check(loaded, unseen)

    done = run("check", model, report, "--spans", "lines", "--json")

    (told,) = json.loads(done.out)["documents"]
    assert done.status == told["status"] == found.status
    assert told["n_findings"] == found.n_findings
    assert [s["sentence"] for s in told["suspects"]] == [s.sentence for s in found.suspects]
    assert told["domain"]["foreign"] is False
    assert told["percentile"] == found.percentile


def test_the_worst_of_many_documents_decides(run, model, tmp_path, unseen, foreign):
    """One foreign text among several gives status 4; each document has its own in the JSON."""
    lines = [{"id": "own", "sentences": unseen.sentences}, {"id": "other", "text": foreign.read_text("utf-8")}]
    (tmp_path / "all.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")

    done = run("check", model, tmp_path / "all.jsonl", "--json")

    assert done.status == 4
    assert [told["status"] for told in json.loads(done.out)["documents"]][1] == 4
    assert run("check", model, tmp_path / "all.jsonl").out.count("\n\nother: ") == 1


def test_a_model_that_knows_nothing_usual(run, words_model, tmp_path):
    """A model of too few stories says that it cannot tell, and still ranks the sentences."""
    loaded = storage.load(words_model)

    found = check(loaded, [["no", "one", "died"], ["a", "quake", "hit"]])

    assert found.domain.foreign is None
    assert found.percentile is None
    assert len(found.suspects) == 2
    assert "does not know what is usual" in found.notes[0]


@pytest.mark.parametrize("command", [["tag"], ["order"], ["rank"], ["summarize", "--length", "2"]])
def test_others_warn_and_go_on(run, model, loaded, foreign, command):
    """`tag`, `order`, `rank` and `summarize` do their work on a text of another domain, with a warning beside it."""
    name, *options = command

    done = run(name, model, foreign, *options, "--json")
    plain = run(name, model, foreign, *options)

    assert done.status == plain.status == 0
    assert "driftline: warning: foreign does not read like a document of the model's domain: " in done.err
    assert "driftline: warning: foreign does not read" in plain.err
    assert plain.out
    (told,) = json.loads(done.out)["documents"]
    assert told["domain"]["foreign"] is True


@pytest.mark.parametrize("command", [["tag"], ["order"], ["rank"], ["summarize", "--length", "2"]])
def test_no_warning_for_their_own(run, model, loaded, report, unseen, command):
    """A document of the domain raises no alarm."""
    name, *options = command
    assert domain_fit(loaded, unseen).foreign is False

    assert "does not read like" not in run(name, model, report, *options).err
