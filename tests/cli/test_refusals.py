"""Wrong input, command by command: one sentence that names it, status 1, and no file written or lost."""

import json
import os
import re

import pytest

from driftline.settings import Settings

TEXT = "It shook.\nNobody was hurt.\n"


@pytest.fixture(name="corpus")
def small_corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps({"text": f"It shook {i} times. Nobody was hurt."}) + "\n" for i in range(25)))
    return path


@pytest.fixture(name="untouched")
def folder_that_must_not_change(tmp_path, files_under):
    """A function that says whether the folder still holds what it held when the function was first called."""
    seen = []

    def untouched():
        seen.append(files_under(tmp_path))
        return seen[0] == seen[-1]

    return untouched


# Corpora, as `fit`, `tag`, `order`, `rank` and `evaluate` read them

READERS = ["fit", "tag", "order", "rank", "evaluate"]


def read(run, command, path, model, *options):
    """Let a command read a corpus."""
    if command == "fit":
        return run("fit", path, "-o", path.parent / "new.driftline", *options)
    return run(command, model, path, *options)


def make(path, content):
    """Make a file, or a folder of files, and return its path."""
    if isinstance(content, dict):
        path.mkdir()
        for name, raw in content.items():
            make(path / name, raw)
    elif content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("nowhere", None, "{path}: there is no such file or folder"),
        ("empty", {}, "{path}: holds no .txt file"),
        ("folder", {"a.md": TEXT}, "{path}: holds no .txt file"),
        ("folder", {"a.txt": TEXT, "b.txt": " \n"}, "{path}/b.txt: holds no sentence"),
        ("folder", {"a.txt": TEXT, "b.txt": b"\x89PNG\r\n\x1a\n"}, "{path}/b.txt: byte 0 (0x89) is not utf-8"),
        ("folder", {"a.txt": TEXT, "b.txt": b"a\0b"}, "{path}/b.txt: holds NUL characters, so it is no text file"),
        ("a.txt", "", "{path}: holds no sentence"),
        ("a.txt", "Un café.".encode("latin-1"), "{path}: byte 6 (0xe9) is not utf-8; "),
        ("a.txt", TEXT.encode("utf-16"), "{path}: begins with the mark of utf-16, not utf-8"),
        ("a.pdf", TEXT, "{path}: expected a folder of .txt files, or a .txt, .jsonl, .csv or .parquet file"),
        ("a.json", '{"text": "a"}', "{path}: expected a folder of .txt files, or a .txt, .jsonl, .csv or .parquet"),
        ("a.jsonl", "", "{path}: holds no document"),
        (
            "a.jsonl",
            '{"text": "a"}\n' * 6 + '{"text": "a"\n',
            "{path}, line 7: is no valid JSON (Input data was truncated)",
        ),
        ("a.jsonl", '{"text": "a"}\n' * 6 + '{"text": 5}\n', "{path}, line 7: Expected `str | null`, got `int`"),
        ("a.jsonl", '{"text": "a"}\n' * 6 + "[]\n", "{path}, line 7: Expected `object`, got `array`"),
        ("a.jsonl", '{"sentences": "a"}', "{path}, line 1: Expected `array | null`, got `str` - at `$.sentences`"),
        ("a.jsonl", '{"title": "a"}', "{path}, line 1: expected either `text` or `sentences`, got neither"),
        ("a.jsonl", '{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}', "{path}, line 2: the id '1' was already given"),
        ("a.jsonl", '{"text": ""}', "{path}, line 1: holds no sentence"),
        ("a.csv", "id,body\n1,It shook.\n", "{path}: has no column 'text' (columns: 'id', 'body'); "),
        ("a.csv", "text\n", "{path}: holds no document"),
        ("a.csv", 'text\n"It shook.\n', "{path}, line 2: unexpected end of data"),
        ("a.parquet", "text\nIt shook.\n", "{path}: is no readable Parquet file"),
        ("a.parquet", b"", "{path}: is no readable Parquet file"),
    ],
)
def test_a_wrong_corpus(run, model, tmp_path, untouched, command, name, content, told):
    """What is wrong with a corpus is told with its path and, where there is one, its line; nothing is written."""
    path = make(tmp_path / name, content)
    assert untouched()

    assert read(run, command, path, model).refusal.startswith(told.format(path=path))
    assert untouched()


def test_all_problems_at_once(run, model, tmp_path):
    """Several problems of one input are told together, a line each, and each line says where it stands."""
    path = make(tmp_path / "a.jsonl", '{"text": 1}\n{"text": "a"}\n{\n\n[]\n')

    done = run("tag", model, path)

    assert (done.status, done.out) == (1, "")
    assert [int(number) for number in re.findall(r"a\.jsonl, line (\d+): ", done.err)] == [1, 3, 5]
    assert len(done.err.splitlines()) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("command", READERS)
def test_a_pipe_is_no_file(run, model, tmp_path, command):
    """A named pipe, which could be waited for for ever, is refused."""
    os.mkfifo(tmp_path / "a.txt")

    assert "expected a folder or a regular file" in read(run, command, tmp_path / "a.txt", model).refusal


@pytest.mark.parametrize("command", READERS)
def test_an_encoding_that_there_is_not(run, model, corpus, command):
    """An encoding that nobody knows is refused with its name."""
    assert "encoding: 'utf-9' is not" in read(run, command, corpus, model, "--encoding", "utf-9").refusal


@pytest.mark.parametrize("command", ["fit", "tag", "rank", "evaluate"])
def test_a_column_that_there_is_not(run, model, tmp_path, command):
    """A column that a table lacks is refused with the columns that it has."""
    path = make(tmp_path / "a.csv", "id,text\n1,It shook. It stopped.\n")

    told = read(run, command, path, model, "--column", "body").refusal

    assert told.startswith(f"{path}: has no column 'body' (columns: 'id', 'text')")


# Standard input


@pytest.mark.parametrize("command", ["tag", "order", "rank"])
@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "holds no sentence"),
        (b" \n\n", "holds no sentence"),
        (b"caf\xe9", "byte 3"),
        (b"It shook.\0", "NUL"),
        (TEXT.encode("utf-16"), "utf-16"),
    ],
    ids=["nothing", "blank", "latin-1", "binary", "utf-16"],
)
def test_wrong_standard_input(run, model, command, raw, told):
    """What is wrong with standard input is told like that of a file, in the name of standard input."""
    said = run(command, model, "-", stdin=raw).refusal

    assert said.startswith("standard input: ")
    assert told in said


# Models


@pytest.mark.parametrize("command", ["show", "tag", "order", "rank", "evaluate"])
@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda _: None, "there is no such model file"),
        (lambda _: {}, "is a folder; expected a model file"),
        (lambda _: b"", "is no driftline model"),
        (lambda _: TEXT.encode(), "is no driftline model"),
        (lambda raw: raw[:100], "is cut off"),
        (lambda raw: raw[:-1000], "is damaged"),
        (lambda raw: raw[:-1000] + b"\x07" + raw[-999:], "is damaged (its content does not match its checksum)"),
        (lambda raw: raw.replace(b'format_version\\":1', b'format_version\\":9'), "in format 9; driftline"),
        (lambda raw: raw.replace(b"driftline-model", b"driftwood-model"), "is no driftline model"),
    ],
)
def test_a_wrong_model(run, model, tmp_path, command, damage, told):
    """A model that is missing, foreign, damaged or too new is refused by its path and the reason."""
    path = make(tmp_path / "m.driftline", damage(model.read_bytes()))
    document = make(tmp_path / "a.txt", TEXT)

    said = run(command, path, *([document] if command != "show" else [])).refusal

    assert said.startswith(f"{path}: ")
    assert told in said


def test_model_and_document_the_wrong_way_round(run, model, report):
    """A document in the place of the model is refused by its name."""
    assert run("tag", report, model).refusal == f"{report}: is no driftline model"


# Settings


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--clusters", "0"),
        ("--clusters", "-3"),
        ("--clusters", "51"),
        ("--min-cluster-size", "0"),
        ("--emission-smoothing", "0"),
        ("--emission-smoothing", "-0.5"),
        ("--emission-smoothing", "nan"),
        ("--emission-smoothing", "inf"),
        ("--transition-smoothing", "-1.0"),
        ("--transition-smoothing", "1e-300"),
        ("--states", "0"),
        ("--states", "500"),
        ("--max-iterations", "-1"),
        ("--seed", "-1"),
        ("--examples", "-1"),
        ("--masking", "spacy"),
        ("--masking", "all"),
    ],
)
def test_a_wrong_setting(run, corpus, untouched, tmp_path, option, value):
    """A setting that cannot work is refused with the option as it was typed, its value and what was expected."""
    assert untouched()

    told = run("fit", corpus, "-o", tmp_path / "m", option, value).refusal

    assert option in told
    assert re.search(rf"(?<![\w.-])'?{re.escape(value)}(?:\.0)?'?(?![\w.])", told)
    assert re.search("expected|only|at least", told)
    assert untouched()


def test_all_wrong_settings_at_once(run, corpus, tmp_path):
    """Several wrong settings are told together, a line each."""
    done = run("fit", corpus, "-o", tmp_path / "m", "--clusters", "0", "--emission-smoothing", "nan")

    assert done.status == 1
    assert len(done.err.splitlines()) == 2
    assert all("expected" in line for line in done.err.splitlines())


def test_a_pipeline_that_is_not_installed(run, corpus, tmp_path):
    """A spaCy pipeline that there is not is refused by its name, with how to install it."""
    told = run("fit", corpus, "-o", tmp_path / "m", "--masking", "spacy:xx_nothing").refusal

    assert "xx_nothing" in told
    assert "install" in told


@pytest.mark.parametrize("value", ["-1", "nan"])
@pytest.mark.parametrize(
    "command", [["order"], ["rank"], ["evaluate"], ["evaluate", "--task", "discrimination"]], ids=" ".join
)
def test_a_wrong_time_limit(run, model, report, command, value):
    """A time limit that is no number of seconds is refused, also where it would not be needed."""
    told = run(command[0], model, report, *command[1:], "--time-limit", value).refusal

    assert re.search("time.limit", told)
    assert f"got {float(value)}" in told


def test_no_document_that_short(run, model, report):
    """A limit that leaves no document is refused with its value."""
    assert "--max-sentences 1" in run("evaluate", model, report, "--max-sentences", "1").refusal


# Where to write


@pytest.mark.parametrize("option", [[], ["--readable"], ["--json"]])
def test_a_folder_in_the_place_of_the_model(run, corpus, untouched, tmp_path, option):
    """A folder cannot be written over."""
    (tmp_path / "models").mkdir()
    assert untouched()

    told = run("fit", corpus, "-o", tmp_path / "models", *option).refusal

    assert told == f"{tmp_path / 'models'}: is a folder; expected the path of a file to write"
    assert untouched()


def test_a_folder_that_does_not_exist(run, corpus, untouched, tmp_path):
    """A model is not written into a folder that there is not, and the folder is not made."""
    assert untouched()

    told = run("fit", corpus, "-o", tmp_path / "models" / "m").refusal

    assert told == f"{tmp_path / 'models' / 'm'}: the folder {tmp_path / 'models'} does not exist"
    assert untouched()


def test_where_to_write_is_checked_first(run, corpus, tmp_path, monkeypatch):
    """Nobody waits for a model that cannot be saved: a wrong path is refused before anything is learned."""

    def learned(*_, **__):
        raise AssertionError("it has begun to learn")

    monkeypatch.setattr("driftline.model.fitting.fit", learned)

    assert "does not exist" in run("fit", corpus, "-o", tmp_path / "models" / "m").refusal


def test_half_of_what_was_asked_for(run, corpus, untouched, tmp_path):
    """Where the text for people cannot be written, the model is not written either."""
    (tmp_path / "m.txt").mkdir()
    assert untouched()

    assert run("fit", corpus, "-o", tmp_path / "m", "--readable").refusal.startswith(f"{tmp_path / 'm.txt'}: ")
    assert untouched()


def test_a_report_is_not_written_over(run, corpus, untouched, tmp_path):
    """A file that is no model, such as a report named by mistake, is not replaced by one."""
    make(tmp_path / "report.txt", TEXT)
    assert untouched()

    assert run("fit", corpus, "-o", tmp_path / "report.txt").refusal.startswith(f"{tmp_path / 'report.txt'}: ")
    assert untouched()


def test_a_demo_that_cannot_be_saved(run, tmp_path):
    """The demo refuses a place where it cannot save its model before it shows anything."""
    told = run("demo", "-o", tmp_path / "models" / "m").refusal

    assert told.endswith("does not exist")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="only others than root lack permissions")
def test_a_folder_without_permission(run, corpus, tmp_path):
    """A folder that may not be written to is refused."""
    (tmp_path / "mine").mkdir(mode=0o500)

    assert "cannot be written" in run("fit", corpus, "-o", tmp_path / "mine" / "m").refusal


def test_the_defaults_are_not_refused(run, corpus, tmp_path):
    """The corpus and the settings that these tests start from are right."""
    done = run("fit", corpus, "-o", tmp_path / "m", "--json")

    assert done.document["settings"]["emission_smoothing"] == Settings().emission_smoothing
