"""`driftline summarize`, and summaries in `fit` and `evaluate`."""

import json

import pytest
import safetensors.numpy

from driftline import storage
from driftline.errors import ModelFileError
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.storage import model_file
from driftline.tasks.summarization import learn_summaries, summarize


@pytest.fixture(scope="module", name="pairs")
def bundled_pairs():
    return sample_corpus("earthquakes", "pairs")


def write_pairs(path, documents, **more):
    """Write documents with their human summaries."""
    rows = [{"id": d.id, "sentences": d.sentences, "summary": d.summary, **more} for d in documents]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture(scope="module", name="loaded")
def model_that_learned(quakes, pairs):
    return learn_summaries(fit(quakes), pairs.select(range(30)))


@pytest.fixture(scope="module", name="able")
def path_of_that_model(loaded, tmp_path_factory):
    path = tmp_path_factory.mktemp("able") / "able.driftline"
    loaded.save(path)
    return path


@pytest.fixture(scope="module", name="test_pairs")
def path_of_other_pairs(pairs, tmp_path_factory):
    return write_pairs(tmp_path_factory.mktemp("pairs") / "test.jsonl", pairs.select(range(30, 40)))


@pytest.fixture(scope="module", name="train_pairs")
def path_of_pairs(pairs, tmp_path_factory):
    return write_pairs(tmp_path_factory.mktemp("pairs") / "train.jsonl", pairs.select(range(30)))


@pytest.mark.parametrize("length", ["3", "30%", "40w"])
def test_the_sentences_of_a_summary(run, able, loaded, report, unseen, length):
    """The chosen sentences are printed one a line, in the order of the text, and nothing else."""
    expected = summarize(loaded, unseen, length)

    assert run("summarize", able, report, "--length", length, "--spans", "lines").lines == list(expected.sentences)


def test_why(run, able, loaded, report, unseen):
    """With --explain each sentence is followed by what decided."""
    expected = summarize(loaded, unseen, 3)
    lines = run("summarize", able, report, "--length", 3, "--spans", "lines", "--explain").lines

    assert lines[::2] == list(expected.sentences)
    for line, probability, reason, state in zip(
        lines[1::2], expected.probabilities, expected.reasons, expected.states, strict=True
    ):
        assert line.startswith(f"    {probability:.0%}: {reason} ([{state}] ")


def test_as_json(run, able, loaded, test_pairs, pairs):
    """With --json all documents of a file come with everything that is known of their summaries."""
    document = run("summarize", able, test_pairs, "--length", "2", "--json").document

    assert document["signature"] == loaded.signature
    assert [told["id"] for told in document["documents"]] == [d.id for d in pairs.select(range(30, 40))]
    for told, source in zip(document["documents"], pairs.select(range(30, 40)), strict=True):
        expected = summarize(loaded, source, 2)
        assert told["indices"] == list(expected.indices)
        assert told["probabilities"] == pytest.approx(list(expected.probabilities), rel=1e-12)
        assert (told["method"], told["n_missing"]) == ("pairs", 0)


def test_a_model_without_pairs_says_so(run, model, report):
    """It summarizes by central topics, and says on standard error that this is what it did."""
    done = run("summarize", model, report, "--length", 2, "--spans", "lines")

    assert (done.status, len(done.out.splitlines())) == (0, 2)
    assert "was given no summaries" in done.err
    assert run("summarize", model, report, "--length", 2, "--json").document["documents"][0]["method"] == "centrality"


def test_a_short_document_is_printed_whole(run, able, report, unseen):
    """Fewer sentences than asked are all printed, and the difference is told on standard error."""
    done = run("summarize", able, report, "--length", 9, "--spans", "lines")

    assert (done.status, done.out.splitlines()) == (0, list(unseen.sentences))
    assert "report has 2 sentences fewer than asked" in done.err


def test_a_sentence_of_too_many_words(run, able, report):
    """Where even one sentence has more words than asked it is printed all the same, and that is told."""
    done = run("summarize", able, report, "--length", "1w", "--spans", "lines")

    assert (done.status, len(done.out.splitlines())) == (0, 1)
    assert "report: one sentence alone has " in done.err


@pytest.mark.parametrize("length", ["0", "-3", "abc", "1.5", "0%", "101%", "0w"])
def test_lengths_that_are_refused(run, able, report, length):
    """A length that cannot be is refused in one sentence that shows it."""
    assert f"got '{length}'" in run("summarize", able, report, "--length", length).refusal


def test_an_empty_document(run, able, tmp_path):
    """A text without a sentence is refused."""
    (tmp_path / "empty.txt").write_text(" \n")

    assert "empty" in run("summarize", able, tmp_path / "empty.txt", "--length", "3").refusal


# fit --summaries


@pytest.fixture(scope="module", name="few")
def few_documents(quakes, tmp_path_factory):
    path = tmp_path_factory.mktemp("few") / "few.jsonl"
    rows = [{"id": d.id, "sentences": d.sentences} for d in quakes.select(range(20))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_fit_learns_from_pairs_and_says_how_they_were_aligned(run, few, pairs, tmp_path, quakes):
    """The saved model is the library's; what was edited is counted, and what could not be found is shown."""
    lost = (*pairs[0].summary, "Elections are held in spring.")
    path = write_pairs(tmp_path / "pairs.jsonl", pairs.select(range(1, 10)))
    with path.open("a") as file:
        file.write(json.dumps({"id": "lost", "sentences": pairs[0].sentences, "summary": lost}) + "\n")
    lines = run("fit", few, "--output", tmp_path / "m", "--summaries", path).lines

    texts = [(s in d.sentences) for d in pairs.select(range(10)) for s in d.summary]
    assert "Learned from 10 pairs which topics belong in a summary." in lines
    place = lines.index(
        f"Sentences of their summaries: {sum(texts)} stand in the article as they are, "
        f"{len(texts) - sum(texts)} were edited, 1 are nowhere in it."
    )
    assert lines[place + 1] == f"    not found: lost, {len(lost)}: Elections are held in spring."
    assert not any("driftline align" in line for line in lines)
    loaded = storage.load(tmp_path / "m")
    assert loaded.summaries.n_pairs == 10
    document = run("fit", few, "--output", tmp_path / "m", "--summaries", path, "--json").document
    assert document["summaries"]["not_found"] == [["lost", len(lost) - 1, "Elections are held in spring."]]


def test_pairs_that_are_none(run, few, pairs, tmp_path):
    """Of summaries of other articles the first lost sentences are shown, and all are counted in a warning."""
    foreign = [f"Sentence {i} zzz." for i in range(5)]
    rows = [{"id": d.id, "sentences": d.sentences, "summary": foreign} for d in pairs.select(range(3))]
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    done = run("fit", few, "--output", tmp_path / "m", "--summaries", path)

    assert done.status == 0
    assert "15 of the 15 sentences of the summaries stand nowhere in their articles" in done.err
    assert done.out.count("not found: ") == 3
    assert "... `driftline align` shows all of them" in done.out


def test_wrong_pairs_are_told_and_an_older_model_stays(run, few, model, tmp_path):
    """A corpus without summaries is refused, and a model that stood at the output is as it was."""
    older = model.read_bytes()
    (tmp_path / "m").write_bytes(older)

    assert "holds no summary" in run("fit", few, "--output", tmp_path / "m", "--summaries", few).refusal
    assert (tmp_path / "m").read_bytes() == older


def test_pairs_are_read_as_the_corpus_is(run, tmp_path):
    """With --spans lines the articles of the pairs are cut into lines too."""
    text = "It shook. It stopped.\nNobody was hurt. Tea was served."
    rows = [{"id": f"d{i}", "text": text, "summary": ["Nobody was hurt. Tea was served."]} for i in range(20)]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    lines = run("fit", path, "--output", tmp_path / "m", "--summaries", path, "--spans", "lines").lines
    assert any("20 stand in the article as they are, 0 were edited, 0 are nowhere" in line for line in lines)


# evaluate --task summarization


def test_systems_side_by_side(run, able, train_pairs, test_pairs):
    """All systems have a row in one table, whose signature names the pairs."""
    names = "content,classifier,lead,random"
    text = "\n".join(
        run("evaluate", able, test_pairs, "--task", "summarization", "--train", train_pairs, "--systems", names).lines
    )

    assert all(f"| {name} " in text for name in names.split(","))
    assert "extraction accuracy" in text
    assert "10 documents" in text
    assert "|pairs:30 of " in text


def test_the_usual_systems(run, able, model, test_pairs):
    """Without --systems the content model stands beside lead and random, with the pairs that it holds, if any."""
    for path, pairs in ((able, "30 in the model"), (model, "none in the model")):
        found = run("evaluate", path, test_pairs, "--task", "summarization", "--json").document
        assert [result["system"] for result in found["results"]] == ["content", "lead", "random"]
        assert f"|pairs:{pairs}|" in found["signature"]


def test_longer_documents_can_be_left_out(run, able, pairs, test_pairs):
    """--max-sentences holds for summaries too."""
    found = run("evaluate", able, test_pairs, "--task", "summarization", "--max-sentences", 15, "--json").document

    assert found["n_documents"] == sum(len(d) <= 15 for d in pairs.select(range(30, 40)))


def test_a_learning_curve(run, able, train_pairs, test_pairs):
    """With --curve systems learn from growing draws of the pairs; the table and the JSON say the same."""
    command = ("evaluate", able, test_pairs, "--task", "summarization", "--train", train_pairs, "--curve", "5,30")
    lines = run(*command).lines
    found = run(*command, "--json").document

    assert lines[0].split() == ["|", "pairs", "|", "content", "|", "classifier", "|", "lead", "|"]
    shown = [f"{100 * point['accuracy']:.1f} %" for point in found["points"]]
    assert [cell.split(" (")[0].strip() for line in lines[2:4] for cell in line.split("|")[2:5]] == shown
    assert found["signature"] in lines[-1]
    assert "5 seeded draws" in "".join(lines)
    few = run(*command, "--systems", "content", "--json").document
    assert few["points"] == found["points"][::3]


@pytest.mark.parametrize("sizes", ["5,x", "", ",", "5;6"])
def test_a_curve_of_nonsense(run, able, train_pairs, test_pairs, sizes):
    """Sizes are whole numbers by commas."""
    command = ("evaluate", able, test_pairs, "--task", "summarization")
    said = run(*command, "--train", train_pairs, "--curve", sizes).misuse
    assert f"expected whole numbers by commas, like 5,10,20, got '{sizes}'" in said


def test_a_curve_needs_pairs(run, able, train_pairs, test_pairs):
    """It is drawn for summaries, from the pairs of --train, and no further than there are."""
    command = ("evaluate", able, test_pairs, "--task", "summarization")
    assert "draws one, from the pairs of --train" in run(*command, "--curve", "5").misuse
    ordering = run("evaluate", able, test_pairs, "--train", train_pairs, "--curve", "5").misuse
    assert "draws one, from the pairs of --train" in ordering
    assert "1 to the 30 pairs" in run(*command, "--train", train_pairs, "--curve", "31").refusal


def test_what_cannot_be_evaluated(run, able, few, test_pairs):
    """A classifier without pairs, an unknown system and a corpus without summaries are refused."""
    command = ("evaluate", able, test_pairs, "--task", "summarization", "--systems")
    assert "--train" in run(*command, "classifier").refusal
    assert "expected one of content" in run(*command, "magic").refusal
    assert "holds no summary" in run("evaluate", able, few, "--task", "summarization").refusal
    assert "holds no summary" in run(*command, "content", "--train", few).refusal
    assert "expected MODEL and CORPUS" in run("evaluate", test_pairs, "--task", "summarization").misuse


def test_cross_validation(run, able, train_pairs):
    """With --folds all systems learn from the other folds, the content model from their articles if none is given."""
    command = ("--task", "summarization", "--folds", 2, "--json")
    own = run("evaluate", train_pairs, *command).document
    given = run("evaluate", able, train_pairs, *command, "--workers", 2).document

    for found in (own, given):
        assert [result["system"] for result in found["results"]] == ["content", "classifier", "lead", "random"]
        assert found["n_documents"] == 30
        assert "|folds:2|" in found["signature"]
    assert "|n_clusters:none|" in own["signature"]
    assert f"|data:{storage.load(able).data_hash}|" in given["signature"]
    assert own["results"][2:] == given["results"][2:]


def test_options_that_would_go_unheard(run, able, train_pairs, test_pairs):
    """What has no meaning together is refused."""
    command = ("--task", "summarization", "--folds", 2)
    assert "learn from the corpus itself" in run("evaluate", train_pairs, *command, "--train", test_pairs).misuse
    orders = ("--permutations", test_pairs)
    assert "only --task discrimination" in run("evaluate", train_pairs, *command, *orders).misuse
    assert "only --task discrimination" in run("evaluate", able, test_pairs, *orders).misuse


# The model file


def test_summaries_come_back(loaded, able, unseen):
    """A saved model summarizes as before, and saves the same bytes again."""
    again = storage.load(able)

    assert summarize(again, unseen, 3) == summarize(loaded, unseen, 3)
    again.save(able.with_name("again"))
    assert able.with_name("again").read_bytes() == able.read_bytes()


@pytest.mark.parametrize(
    "damage",
    [
        lambda a: a.update(summary_both=a["summary_articles"] + 1),
        lambda a: a.update(summary_pairs=a["summary_pairs"] * 0),
        lambda a: a.update(summary_pairs=a["summary_pairs"].repeat(2)),
        lambda a: a.update(summary_both=a["summary_both"][:-1].copy()),
        lambda a: a.update(summary_both=a["summary_both"] - 100),
        lambda a: a.update(summary_both=a["summary_both"].astype(float)),
        lambda a: a.pop("summary_both"),
        lambda a: a.pop("summary_pairs"),
    ],
)
def test_damaged_counts_are_refused(able, tmp_path, monkeypatch, damage):
    """Counts of summaries that cannot be are refused even where the checksum fits."""
    monkeypatch.setattr(model_file, "_checksum", lambda *_: "fits")
    raw = able.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(json.loads(raw[8 : 8 + length])["__metadata__"]["driftline"]) | {"checksum": "fits"}
    arrays = {name: array.copy() for name, array in safetensors.numpy.load(raw).items()}
    damage(arrays)
    path = tmp_path / "damaged"
    path.write_bytes(safetensors.numpy.save(arrays, metadata={"driftline": json.dumps(header)}))

    with pytest.raises(ModelFileError, match="is damaged"):
        storage.load(path)
