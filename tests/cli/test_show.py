"""`driftline show`: each topic with its label, its share, examples, its place, and what comes before and after."""

import re
from textwrap import shorten

import pytest

from driftline import storage
from driftline.model.topics import etcetera_reason, topics


@pytest.fixture(scope="module", name="loaded")
def loaded_model(model):
    return storage.load(model)


@pytest.fixture(scope="module", name="explained")
def explained_topics(loaded):
    return topics(loaded)


def rows_of(lines):
    """The table of topics: number, share, bars, label, what follows."""
    found = [re.match(r" *(\d+) +(\d+\.\d%)  ([▁-█]{10})  (.+?)  +(.*)", line) for line in lines]
    return [row for row in found if row]


def test_what_the_model_is(run, model, loaded):
    """The first lines say what the model was learned from, how that ended, and its signature."""
    lines = run("show", model).lines

    assert lines[0] == (
        f"A content model of 100 documents ({loaded.record.n_sentences:,} sentences): "
        f"{loaded.n_states - 1} topics and everything else."
    )
    assert f"after {len(loaded.record.moved)} iterations: no sentence moved any more" in lines[1]
    assert f"Signature: {loaded.signature}" in lines[:5]


def test_every_topic_is_shown(run, model, explained):
    """Every topic stands in the table with its own share and label, etcetera last."""
    rows = rows_of(run("show", model).lines)

    assert sorted(int(row[1]) for row in rows) == [topic.state for topic in explained]
    assert int(rows[-1][1]) == len(explained) - 1
    for row in rows:
        topic = explained[int(row[1])]
        assert row[2] == f"{topic.share:.1%}"
        assert topic.label.startswith(row[4].removesuffix("…").strip())


def test_topics_stand_in_reading_order(run, model, explained):
    """The table begins with the topics that begin a document."""
    shown = [int(row[1]) for row in rows_of(run("show", model).lines)][:-1]

    assert shown == sorted(shown, key=lambda state: explained[state].position)


def test_what_follows(run, model, explained):
    """The table says what most often comes next, as a number that stands in the table or as the end."""
    for row in rows_of(run("show", model).lines):
        after = explained[int(row[1])].after
        if after:
            name = "end" if after[0].state is None else f"[{after[0].state}]"
            assert row[5].startswith(f"{name} {after[0].share:.0%}")


@pytest.mark.parametrize("state", [0, 7])
def test_one_topic(run, model, explained, state):
    """A topic is shown with its size, its place, its telling bigrams, its neighbours and example sentences."""
    topic = explained[state]

    lines = run("show", model, "--topic", state).lines

    text = "\n".join(lines)
    assert lines[0] == f"[{state}] {topic.label}"
    assert f"{topic.n_sentences:,} sentences ({topic.share:.1%}) in {topic.n_documents:,} documents" in text
    assert f"mean {topic.position:.0%} of the way" in text
    for bigram in topic.bigrams:
        assert f"{' '.join(bigram.words)} ({bigram.lift:.0f}x)" in text
    assert len(topic.examples) == 5
    for example in topic.examples:
        assert shorten(example.text, 100, placeholder="…") in text
    for side in (topic.before, topic.after):
        for neighbour in side[:4]:
            assert f"{neighbour.share:.0%}" in text
            assert neighbour.state is None or f"[{neighbour.state}] {explained[neighbour.state].label}" in text
    assert any(neighbour.state is None for neighbour in topic.before) == ("the beginning" in text)


def test_everything_else_is_explained(run, model, loaded):
    """The last state is shown with the reason for what it holds."""
    text = "\n".join(run("show", model, "--topic", loaded.n_states - 1).lines)

    assert "everything else" in text
    assert etcetera_reason(loaded) in text
    assert f"{loaded.record.n_merged} of {loaded.record.n_clusters} clusters" in text


def test_as_json(run, model, loaded, explained):
    """With --json all that is known of each topic stands in one document."""
    document = run("show", model, "--json").document

    assert document["signature"] == loaded.signature
    assert document["n_states"] == loaded.n_states == len(document["topics"])
    assert document["settings"] == loaded.settings.as_dict()
    assert document["etcetera"] == etcetera_reason(loaded)
    for topic, told in zip(explained, document["topics"], strict=True):
        assert (told["state"], told["label"], told["n_sentences"]) == (topic.state, topic.label, topic.n_sentences)
        assert told["share"] == pytest.approx(topic.share, rel=1e-12)
        assert [example["text"] for example in told["examples"]] == [example.text for example in topic.examples]
        assert [neighbour["state"] for neighbour in told["after"]] == [n.state for n in topic.after]


def test_one_topic_as_json(run, model, explained):
    """With --topic the JSON document holds that topic alone."""
    document = run("show", model, "--topic", "3", "--json").document

    assert [(topic["state"], topic["label"]) for topic in document["topics"]] == [(3, explained[3].label)]


@pytest.mark.parametrize("option", [[], ["--json"]])
@pytest.mark.parametrize("number", [-1, 10_000])
def test_a_topic_that_there_is_not(run, model, loaded, number, option):
    """A number that no topic has is refused with the numbers there are."""
    told = run("show", model, "--topic", number, *option).refusal

    assert "topic" in told
    assert f"from 0 to {loaded.n_states - 1}, got {number}" in told


def test_a_model_of_words(run, words_model):
    """A model that was trained on words is shown like any other."""
    text = "\n".join(run("show", words_model).lines)

    assert "A content model of 20 documents (40 sentences): 2 topics" in text
    assert "[0] a quake hit" in text
    assert "- no one died" in text


def test_a_model_without_examples(run, corpora, tmp_path):
    """A model that keeps no text shows topics without examples."""
    run("fit", corpora[".jsonl"], "-o", tmp_path / "m", "--examples", "0")

    lines = run("show", tmp_path / "m", "--topic", "0").lines

    assert [line for line in lines if line.startswith("    - ")] == []
    assert any(line.startswith("    bigrams: ") for line in lines)
