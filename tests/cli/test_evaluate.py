"""`driftline evaluate`: a model and its rivals in the paper's exams."""

import json

import pytest

from driftline import storage
from driftline.evaluation.comparison import Plan
from driftline.evaluation.comparison import evaluate as compare
from driftline.evaluation.tables import figure_text
from driftline.samples.corpora import sample_corpus
from driftline.text.corpus import Corpus


@pytest.fixture(scope="module", name="loaded")
def loaded_model(model):
    return storage.load(model)


@pytest.fixture(scope="module", name="short")
def short_documents():
    """Unseen documents of at most six sentences."""
    return Corpus(tuple(d for d in sample_corpus("earthquakes", "test") if len(d) <= 6))


@pytest.fixture(scope="module", name="test_file")
def file_of_documents(short, tmp_path_factory):
    path = tmp_path_factory.mktemp("test") / "test.jsonl"
    rows = [{"id": d.id, "sentences": d.sentences, "story": f"s{i // 2}"} for i, d in enumerate(short)]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def table(lines):
    """The cells of a Markdown table, without its rule."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]


def test_ordering(run, model, loaded, test_file):
    """The ordering exam shows the paper's metrics, a row a system, as the library computes them."""
    found = compare({"content": loaded}, Corpus.read(test_file), Plan())

    lines = run("evaluate", model, test_file).lines

    header, content, random, original = table(lines)
    assert header == [
        "system", "mean rank", "original order found", "Kendall's tau", "rank 0-4", "rank 5-10", "rank >10",
    ]  # fmt: skip
    assert content == ["content", *map(figure_text, found.results[0].figures)]
    assert (random[0], original[0]) == ("random", "(original order)")
    tau = header.index("Kendall's tau")
    assert float(content[tau].split()[0]) > float(random[tau].split()[0]) + 0.2
    assert original[1:] == ["0", "100 %", "1.00", "100 %", "0 %", "0 %"]


def test_what_has_to_be_known(run, model, loaded, test_file, short):
    """Below the table stand the number of documents, what the brackets mean, and the signature."""
    text = run("evaluate", model, test_file, "--seed", "7").out

    assert f"{len(short)} documents; in brackets 95 % intervals" in text
    signature = text.splitlines()[-1]
    assert signature.startswith("Signature: driftline|task:ordering|")
    assert f"test:{Corpus.read(test_file).data_hash}" in signature
    assert f"data:{loaded.data_hash}" in signature
    assert "seed:7" in signature


def test_discrimination(run, model, test_file):
    """The discrimination exam has one figure, far above chance for the model and at chance for the random system."""
    header, content, random = table(run("evaluate", model, test_file, "--task", "discrimination").lines)

    assert header == ["system", "discrimination"]
    assert float(content[1].split()[0]) > 75
    assert random == ["random", "50.0 % [50, 50]"]


def test_as_json(run, model, loaded, test_file, short):
    """With --json every figure has its interval and every document its outcome."""
    document = run("evaluate", model, test_file, "--json").document

    assert (document["task"], document["n_documents"], document["n_left_out"]) == ("ordering", len(short), 0)
    assert [result["system"] for result in document["results"]] == ["content", "random"]
    for result in document["results"]:
        assert [outcome["document"] for outcome in result["outcomes"]] == [d.id for d in short]
        for figure in result["figures"]:
            assert figure["low"] <= figure["value"] <= figure["high"]
    taus = [outcome["tau"] for outcome in document["results"][0]["outcomes"]]
    told = next(f["value"] for f in document["results"][0]["figures"] if f["name"] == "Kendall's tau")
    assert told == pytest.approx(sum(taus) / len(taus), rel=1e-12)


def test_rivals(run, model, test_file, corpora):
    """The systems that are named are compared, in that order; those that need text learn from --train."""
    rows = table(
        run(
            "evaluate", model, test_file, "--task", "discrimination", "--train", corpora[".jsonl"],
            "--systems", "random, lapata,bigram,content",
        ).lines
    )  # fmt: skip

    assert [row[0] for row in rows[1:]] == ["random", "lapata", "bigram", "content"]
    assert float(rows[2][1].split()[0]) > 55


@pytest.mark.parametrize("system", ["bigram", "lapata"])
def test_rivals_need_text(run, model, test_file, system):
    """A system that learns from text is refused without a text to learn from."""
    told = run("evaluate", model, test_file, "--systems", f"content,{system}").refusal

    assert system in told
    assert "--train" in told


@pytest.mark.parametrize("systems", ["bigramm", "content,bigramm", "content,,random"])
@pytest.mark.parametrize("trained", [True, False])
def test_unknown_systems(run, model, test_file, corpora, systems, trained):
    """A system that there is not is refused with those that there are, whether or not there is text to learn from."""
    options = ["--train", corpora[".jsonl"]] if trained else []

    told = run("evaluate", model, test_file, "--systems", systems, *options).refusal

    assert "content, best, bigram, lapata, random" in told
    assert repr("bigramm" if "bigramm" in systems else "") in told


def test_cross_validation(run, test_file):
    """--folds trains and tests on parts of one corpus, and says so in the signature."""
    options = ["--folds", "2", "--task", "discrimination", "--systems", "content,bigram,random"]

    done = run("evaluate", test_file, *options)

    assert done.status == 0
    assert [row[0] for row in table(done.out.splitlines())] == ["system", "content", "bigram", "random"]
    assert "folds:2" in done.out.splitlines()[-1]


@pytest.mark.parametrize("folds", [-1, 0, 1, 10_000])
def test_wrong_folds(run, test_file, short, folds):
    """A number of folds that there cannot be is refused with the number of stories."""
    told = run("evaluate", test_file, "--folds", folds).refusal

    assert "folds" in told
    assert f"from 2 to the {(len(short) + 1) // 2} stories" in told
    assert f"got {folds}" in told


def test_long_documents_can_be_left_out(run, model, test_file, short):
    """--max-sentences leaves out what is longer; the count of documents says how many were examined."""
    n_short = sum(len(document) <= 4 for document in short)

    assert 0 < n_short < len(short)
    assert f"{n_short} documents; " in run("evaluate", model, test_file, "--max-sentences", "4").out


def test_documents_of_one_sentence_are_left_out(run, model, tmp_path):
    """A document with only one order is left out, and the number of such documents is told."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"sentences": ["It shook.", "Nobody died."]}\n{"sentences": ["It shook."]}\n')

    text = run("evaluate", model, path, "--task", "discrimination").out

    assert "1 document" in text
    assert "of one sentence" in text


def test_nothing_to_order(run, model, tmp_path):
    """A corpus in which every document has one sentence is refused."""
    (tmp_path / "a.jsonl").write_text('{"sentences": ["It shook."]}\n')

    assert "only documents of one sentence" in run("evaluate", model, tmp_path / "a.jsonl").refusal


def test_workers_do_not_matter(run, model, test_file):
    """Two processes give the figures of one."""
    arguments = ["evaluate", model, test_file, "--task", "discrimination", "--json"]

    assert run(*arguments).document == run(*arguments, "--workers", "2").document


# Orders that are given


@pytest.fixture(name="orders")
def file_of_orders(tmp_path, short):
    """Two orders for each document, one of them the original with its ends swapped."""

    def write(change=lambda name, orders: orders):
        path = tmp_path / "orders.jsonl"
        rows = []
        for document in short:
            places = list(range(len(document)))
            swapped = [places[-1], *places[1:-1], places[0]]
            rows.append({"id": document.id, "perms": change(document.id, [places[::-1], swapped])})
        path.write_text("\n".join(json.dumps(row) for row in rows if row["perms"] is not None))
        return path

    return write


def test_orders_can_be_given(run, model, loaded, test_file, orders, short):
    """The original order is told from the orders of a file, and the signature says that they were given."""
    done = run("evaluate", model, test_file, "--task", "discrimination", "--permutations", orders(), "--json")

    outcomes = done.document["results"][0]["outcomes"]
    assert {outcome["n_pairs"] for outcome in outcomes} == {2}
    assert "perms:given" in done.document["signature"]


@pytest.mark.parametrize("wrong", [[0, 0, 1, 2], [0], [-1, 0, 1, 2], [0, 1, 2, 4], [0, 1, 2, 3, 4], []])
def test_wrong_orders(run, model, test_file, orders, short, wrong):
    """An order that is no order of the document is refused as it was given, with its file and its document."""
    bad = next(document.id for document in short if len(document) == 4)
    path = orders(lambda name, given: [*given, wrong] if name == bad else given)

    told = run("evaluate", model, test_file, "--task", "discrimination", "--permutations", path).refusal

    assert str(path) in told
    assert bad in told
    assert str(wrong) in told


def test_a_document_without_orders(run, model, test_file, orders, short):
    """Where a file of orders leaves out a document of the test corpus, no order is made up for it in silence."""
    bad = short[1].id
    path = orders(lambda name, given: None if name == bad else given)

    done = run("evaluate", model, test_file, "--task", "discrimination", "--permutations", path)

    assert bad in done.err


def test_no_orders_at_all(run, model, test_file, orders):
    """A file that gives every document an empty list of orders is refused: there is nothing to compare with."""
    path = orders(lambda name, given: [])

    assert str(path) in run("evaluate", model, test_file, "--task", "discrimination", "--permutations", path).refusal


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a"}', "missing required field `perms`"),
        ('{"perms": [[0]]}', "missing required field `id`"),
        ('{"id": "a", "perms": [["0"]]}', "Expected `int`, got `str`"),
        ('{"id": "a", "perms": [', "truncated"),
        ("[" * 100_000, "line 2"),
        ("text", "malformed"),
    ],
)
def test_a_broken_file_of_orders(run, model, test_file, tmp_path, line, message):
    """What is wrong in a file of orders is told with the file and the line."""
    path = tmp_path / "orders.jsonl"
    path.write_text('{"id": "a", "perms": []}\n' + line + "\n")

    told = run("evaluate", model, test_file, "--task", "discrimination", "--permutations", path).refusal

    assert told.startswith(f"{path}, line 2: ")
    assert message in told
