"""`driftline tag`: a line a sentence, with its topic and how sure the model is of it."""

import json
import re
from textwrap import shorten

import pytest

from driftline import storage
from driftline.model.tagging import tag
from driftline.model.topics import topics


@pytest.fixture(scope="module", name="loaded")
def loaded_model(model):
    return storage.load(model)


def sentence_lines(lines):
    """The lines of sentences: topic, percent, label and text."""
    found = [re.match(r"  \[ *(\d+)\] +(\d+)%  (.{34})  (.*)", line) for line in lines]
    return [(int(m[1]), int(m[2]), m[3].rstrip(), m[4]) for m in found if m]


def test_each_sentence_has_its_topic(run, model, loaded, report, unseen):
    """Each sentence is shown with its most probable state, how probable that is, its label, and its text."""
    tags = tag(loaded, unseen)
    labels = [topic.label for topic in topics(loaded)]

    lines = run("tag", model, report, "--spans", "lines").lines

    assert lines[0] == f"report  (log-probability {tags.log_probability:.2f})"
    assert sentence_lines(lines) == [
        (state, round(100 * p), shorten(labels[state], 34, placeholder="…"), shorten(text, 72, placeholder="…"))
        for state, p, text in zip(tags.states, tags.probabilities, unseen.sentences, strict=True)
    ]
    assert len(lines) == 1 + len(unseen)


def test_it_tells_topics_apart(run, model, report):
    """The sentences of a report are not all given one topic."""
    tagged = sentence_lines(run("tag", model, report).lines)

    assert len({state for state, *_ in tagged}) >= 4


def test_as_json(run, model, loaded, report, unseen):
    """With --json the text is whole and the probabilities have all their digits."""
    tags = tag(loaded, unseen)
    labels = [topic.label for topic in topics(loaded)]

    document = run("tag", model, report, "--spans", "lines", "--json").document

    assert document["signature"] == loaded.signature
    (told,) = document["documents"]
    assert told["id"] == "report"
    assert told["log_probability"] == pytest.approx(tags.log_probability, rel=1e-12)
    assert [sentence["text"] for sentence in told["sentences"]] == list(unseen.sentences)
    assert [sentence["topic"] for sentence in told["sentences"]] == list(tags.states)
    assert [sentence["label"] for sentence in told["sentences"]] == [labels[state] for state in tags.states]
    assert [s["probability"] for s in told["sentences"]] == pytest.approx(list(tags.probabilities), rel=1e-12)


@pytest.mark.parametrize("suffix", [".jsonl", ".txt", ".csv", ".parquet"])
def test_many_documents(run, model, loaded, corpora, quakes, suffix):
    """All documents of a file or folder are tagged, each under its own id."""
    document = run("tag", model, corpora[suffix], "--spans", "lines", "--json").document

    assert [told["id"] for told in document["documents"]] == [document.id for document in quakes]
    for told, original in list(zip(document["documents"], quakes, strict=True))[:5]:
        assert [sentence["topic"] for sentence in told["sentences"]] == loaded.v_topics(original).tolist()


def test_many_documents_for_people(run, model, corpora, quakes):
    """Each document has a line of its own before its sentences."""
    lines = run("tag", model, corpora[".jsonl"], "--spans", "lines").lines

    headings = [line for line in lines if not line.startswith("  [")]
    assert [line.split("  ")[0] for line in headings] == [document.id for document in quakes]
    assert len(lines) == len(quakes) + quakes.n_sentences


def test_standard_input(run, model, report):
    """`-` reads the text from standard input, and says so in the place of a name."""
    from_file = run("tag", model, report).lines
    from_input = run("tag", model, "-", stdin=report.read_bytes()).lines

    assert from_input[0].startswith("standard input ")
    assert from_file[1:] == from_input[1:]


@pytest.mark.parametrize(("spans", "n_sentences"), [("sentences", 3), ("lines", 2), ("paragraphs", 1)])
def test_standard_input_is_cut_as_asked(run, model, spans, n_sentences):
    """--spans holds for standard input too."""
    lines = run("tag", model, "-", "--spans", spans, stdin="It shook. It stopped.\nNobody was hurt.\n").lines

    assert len(sentence_lines(lines)) == n_sentences


def test_standard_input_in_another_encoding(run, model):
    """--encoding says how standard input is encoded, as it does for files."""
    lines = run("tag", model, "-", "--encoding", "latin-1", stdin="Un séisme a eu lieu.".encode("latin-1")).lines

    assert sentence_lines(lines)[0][3] == "Un séisme a eu lieu."


@pytest.mark.parametrize("text", ["It shook.", "Zyzzyva.", "!", "地震"])
def test_one_sentence(run, model, text):
    """A document of one sentence has one topic, even if no word of it is known."""
    lines = run("tag", model, "-", stdin=text).lines

    (line,) = sentence_lines(lines)
    assert line[3] == text
    assert 0 <= line[1] <= 100


def test_columns(run, model, loaded, tmp_path):
    """The text and the id of a table are taken from the columns that are named."""
    (tmp_path / "a.csv").write_text("key,body\nx,It shook. Nobody was hurt.\n")

    lines = run("tag", model, tmp_path / "a.csv", "--column", "body", "--id-column", "key").lines

    expected = loaded.v_topics(["It shook.", "Nobody was hurt."]).tolist()
    assert lines[0].startswith("x  ")
    assert [state for state, *_ in sentence_lines(lines)] == expected


def test_empty_documents_can_be_left_out(run, model, tmp_path):
    """With --skip-empty the documents that hold a sentence are tagged."""
    (tmp_path / "a.jsonl").write_text('{"text": ""}\n{"text": "It shook.", "id": "b"}\n')

    document = run("tag", model, tmp_path / "a.jsonl", "--skip-empty", "--json").document

    assert [told["id"] for told in document["documents"]] == ["b"]


@pytest.mark.parametrize("command", ["tag", "order", "rank"])
@pytest.mark.parametrize("option", [[], ["--json"]])
def test_a_model_of_words_takes_no_text(run, words_model, report, command, option):
    """A model that was trained on words refuses text in one sentence that says so."""
    told = run(command, words_model, report, *option).refusal

    assert "trained on words" in told
    assert "text" in told


def test_long_labels_and_sentences_keep_to_their_columns(run, model, tmp_path):
    """However long a sentence is, one line is enough for it."""
    (tmp_path / "a.jsonl").write_text(json.dumps({"sentences": ["It shook " * 500, "word" * 300, "a\nb\tc"]}))

    lines = run("tag", model, tmp_path / "a.jsonl").lines

    assert len(lines) == 4
    assert max(map(len, lines)) <= 130


def test_shards_are_tagged_piece_by_piece(run, model, corpora, tmp_path):
    """A folder of shards, with any number of workers, gives what one file gives, as text and as JSON."""
    lines = corpora[".jsonl"].read_text("utf-8").splitlines(keepends=True)[:40]
    (tmp_path / "one.jsonl").write_text("".join(lines), "utf-8")
    (tmp_path / "shards").mkdir()
    for i in range(2):
        (tmp_path / "shards" / f"{i}.jsonl").write_text("".join(lines[20 * i : 20 * i + 20]), "utf-8")
    for options in ([], ["--json"]):
        expected = run("tag", model, tmp_path / "one.jsonl", "--spans", "lines", *options)
        sharded = run("tag", model, tmp_path / "shards", "--spans", "lines", "--workers", "2", *options)
        assert sharded.out == expected.out

    (tmp_path / "shards" / "2.jsonl").write_text("{}\n")
    assert "2.jsonl, line 1" in run("tag", model, tmp_path / "shards").refusal


@pytest.mark.parametrize("command", ["tag", "order"])
def test_long_texts_without_spaces_are_shown(run, model, tmp_path, command):
    """A sentence in a script without spaces is cut within its words, not left out as a whole."""
    (tmp_path / "report.txt").write_text("".join(f"地震が{i}" + "町を襲った" * 30 + "\n" for i in range(3)), "utf-8")

    done = run(command, model, tmp_path / "report.txt", "--spans", "lines", *(["--explain"] * (command == "order")))

    assert done.out.count("町を襲った町を襲った") >= 3
