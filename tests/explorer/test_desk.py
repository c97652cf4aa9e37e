"""Labels: from a page into the model file, and from there to everything that names a topic."""

import os
from dataclasses import replace

import pytest

import driftline
from asking import LOCAL, Client
from driftline.errors import InputError
from driftline.explorer.desk import Desk, StaleModelError, stamp
from driftline.explorer.server import make_app
from driftline.explorer.subject import Subject
from driftline.model.topics import relabel


@pytest.fixture
def path(quake_model, tmp_path):
    """The file of a model."""
    file = tmp_path / "quakes.driftline"
    quake_model.save(file)
    return file


@pytest.fixture
def kept(quake_model, path):
    """A desk whose model is in a file."""
    return Desk(Subject(quake_model, path.name), path)


def test_a_label_survives(kept, path, quake_model):
    """A label is in the file at once; whatever names the topic uses it; nothing else of the model changes."""
    before = path.read_bytes()

    kept.rename(3, "  how many \n were killed ")

    opened = driftline.load(path)
    assert driftline.topics(opened)[3].label == "how many were killed"
    assert kept.subject.topics[3].label == "how many were killed"
    assert opened.signature == quake_model.signature
    kept.rename(3, "")
    assert path.read_bytes() == before


def test_commands_use_it(kept, path, capsys, monkeypatch, quakes):
    """`driftline show` and `driftline tag` say the label."""
    from driftline.cli.main import main

    state = driftline.tag(quake_model := kept.subject.model, quakes[0]).states[0]
    assert quake_model.given_labels == ()
    kept.rename(state, "the news")
    (path.parent / "report.txt").write_text("\n".join(quakes[0].sentences), "utf-8")
    for command in (["show", str(path), "--topic", str(state)], ["tag", str(path), str(path.parent / "report.txt")]):
        monkeypatch.setattr("sys.argv", ["driftline", *command])
        with pytest.raises(SystemExit):
            main()
        assert "the news" in capsys.readouterr().out


def test_labels_stay_through_learning_summaries(kept):
    """A model that learns from summaries keeps the labels it was given."""
    kept.rename(0, "the news")

    able = driftline.learn_summaries(kept.subject.model, driftline.sample_corpus("earthquakes", "pairs"))

    assert driftline.topics(able)[0].label == "the news"


def test_through_the_server(kept):
    """A page sends a label and gets it back; the views name it from then on."""
    client = Client(make_app(kept))
    ours = {"X-Driftline-Token": kept.page_token, "Origin": LOCAL}

    answer = client.post("/topics/2/label", json={"label": "<b>bold</b>"}, headers=ours)

    assert answer.json() == {"state": 2, "label": "<b>bold</b>"}
    page = client.get("/topics/2.json").json()
    assert page["label"] == page["names"][2]["label"] == "<b>bold</b>"
    assert page["learned_label"] == driftline.topics(replace(kept.subject.model, given_labels=()))[2].label
    assert "<b>" not in client.get("/topics/2").text


def test_a_read_only_file(kept, path, monkeypatch):
    """A file that must not be written is left alone, and it is said that the label is not kept."""
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)  # whoever runs the tests may write everywhere

    with pytest.raises(InputError, match=r"quakes.driftline: is read-only"):
        kept.rename(0, "the news")

    assert path.read_bytes() == before
    assert kept.subject.topics[0].label != "the news"


def test_a_file_that_was_learned_anew(kept, path, words_model):
    """A model that was saved there since is not overwritten by the one that is on the pages."""
    words_model.save(path)
    new = path.read_bytes()

    with pytest.raises(StaleModelError, match="has changed since it was opened"):
        kept.rename(0, "the news")
    path.unlink()
    with pytest.raises(StaleModelError):
        kept.rename(0, "the news")

    assert not path.exists()
    assert new


def test_a_file_that_was_replaced_while_the_corpus_was_read(quake_model, words_model, path):
    """What counts is the file that the model was read from, not the one that is there when the desk is set up."""
    seen = stamp(path)
    words_model.save(path)
    new = path.read_bytes()

    with pytest.raises(StaleModelError, match="has changed since it was opened"):
        Desk(Subject(quake_model, path.name), path, seen).rename(0, "the news")

    assert path.read_bytes() == new


def test_a_model_in_no_file(subject):
    """Without a file a label lasts as long as the desk."""
    desk = Desk(subject)

    assert desk.rename(0, "the news").topics[0].label == "the news"
    assert desk.subject.documents is subject.documents


@pytest.mark.parametrize(
    ("state", "label", "said"), [(-1, "x", "state"), (10_000, "x", "state"), (0, "x" * 81, "label")]
)
def test_impossible_labels(quake_model, state, label, said):
    """A state that is not there, or a label without end, is refused by name."""
    with pytest.raises(InputError, match=f"^{said}: expected"):
        relabel(quake_model, state, label)
