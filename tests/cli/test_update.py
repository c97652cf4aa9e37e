"""`driftline update`: new documents join a model."""

from driftline.storage import load
from driftline.text.corpus import Corpus


def test_an_update_says_what_was_added_and_what_moved(run, model, quakes, tmp_path):
    """The new model is saved, and the topics that moved most are named."""
    new = tmp_path / "new.jsonl"
    new.write_text('{"text": "A quake shook Izmit. The zorkmid fell sharply. Nobody was hurt."}\n' * 1, "utf-8")

    lines = run("update", model, new, "-o", tmp_path / "after").lines

    assert lines[0].startswith("Added 1 document, 3 sentences with ")
    assert lines[0].endswith("to 100 documents.")
    assert lines[1].startswith("The model moved by ")
    assert lines[2].startswith("  [")
    assert lines[-1] == f"Saved to {tmp_path / 'after'}. Next: driftline show {tmp_path / 'after'}"
    after = load(tmp_path / "after")
    assert after.record.n_documents == len(quakes) + 1
    assert "zorkmid" in after.vocabulary.words


def test_json(run, model, tmp_path, report):
    """One JSON document holds the record and the movement of each state."""
    found = run("update", model, report, "-o", tmp_path / "after", "--spans", "lines", "--json").document

    before = load(model)
    assert found["record"]["n_added_documents"] == 1
    assert len(found["movement"]["transitions"]) == before.n_states
    assert len(found["movement"]["words"]) == before.n_states - 1
    assert found["signature"] == load(tmp_path / "after").signature


def test_a_model_may_be_replaced_by_its_update(run, model, tmp_path, report):
    """The output may be the model itself; a refused corpus leaves it as it was."""
    path = tmp_path / "m.driftline"
    path.write_bytes(model.read_bytes())

    assert "no such file" in run("update", path, tmp_path / "none", "-o", path).refusal
    assert path.read_bytes() == model.read_bytes()
    run("update", path, report, "-o", path)

    assert load(path).record.n_documents == load(model).record.n_documents + 1
    assert isinstance(Corpus.read(report), Corpus)
