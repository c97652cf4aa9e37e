"""The command line as a whole: help, exit statuses, and what reaches standard output whatever happens."""

import errno
import io
import json
import os
import re
import resource
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from driftline import storage
from driftline.cli.main import app
from driftline.text.corpus import Corpus
from driftline.version import __version__

COMMANDS = [info.callback.__name__ for info in app.registered_commands]
EXAMPLES = [
    (info.callback.__name__, line.strip())
    for info in app.registered_commands
    for part in info.epilog.partition(":")[2].split(" | ")
    for line in part.split("&&")
]
MAIN = [sys.executable, "-c", "from driftline.cli.main import main; main()"]


def start(*arguments, **options):
    """Run driftline in a process of its own."""
    return subprocess.run([*MAIN, *map(str, arguments)], check=False, stderr=subprocess.PIPE, text=True, **options)


# Help


def test_the_commands():
    """There is a command for each thing that a user may want, in the order in which they come to want them."""
    wanted = ["demo", "fit", "show", "tag", "order", "rank", "evaluate"]

    assert wanted == [name for name in COMMANDS if name in wanted]


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_lists_the_commands(run, flag):
    """The help names every command with a sentence about it, and says where to begin."""
    done = run(flag)

    text = "\n".join(done.lines)
    for info in app.registered_commands:
        assert f" {info.callback.__name__} " in text
        assert info.callback.__doc__.splitlines()[0] in text
    assert "Begin with: driftline demo" in text


def test_no_command_at_all(run):
    """`driftline` alone is no command: it prints the help and the status for wrong usage."""
    done = run()

    assert done.status == 2
    assert all(name in done.out + done.err for name in COMMANDS)


def test_the_version(run):
    """The version is one line."""
    assert run("--version").lines == [f"driftline {__version__}"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_an_example(run, command):
    """The help of a command says what it does and shows an example of it."""
    text = "\n".join(run(command, "--help").lines)

    assert "Example" in text
    assert any(name == command and example in text for name, example in EXAMPLES)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_something_of_every_option(run, command):
    """No text of the help is lost on its way to the terminal, such as a [k] that is taken for markup."""
    text = " ".join("\n".join(run(command, "--help").lines).split())
    callback = next(info.callback for info in app.registered_commands if info.callback.__name__ == command)

    told = [
        getattr(meta, "help", None)
        for annotation in callback.__annotations__.values()
        for meta in getattr(annotation, "__metadata__", ())
    ]

    assert all(told)
    assert [sentence for sentence in told if sentence.replace("\\[", "[") not in text] == []


@pytest.fixture(scope="module", name="desk")
def folder_of_a_user(tmp_path_factory, quakes, unseen, model):
    """A folder with the files that the examples speak of."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "reports").mkdir()
    lines = []
    for document in quakes.documents[:25]:
        (folder / "reports" / f"{document.id}.txt").write_text("\n\n".join(document.sentences), "utf-8")
        lines.append(json.dumps({"id": document.id, "sentences": document.sentences[:4]}))
    for name in ("train.jsonl", "dev.jsonl", "test.jsonl", "all.jsonl"):
        (folder / name).write_text("\n".join(lines), "utf-8")
    with_summaries = [json.dumps(json.loads(line) | {"summary": json.loads(line)["sentences"][:2]}) for line in lines]
    for name in ("pairs.jsonl", "unseen.jsonl"):
        (folder / name).write_text("\n".join(with_summaries), "utf-8")
    for name in ("draft.txt", "facts.txt", "report.txt"):
        (folder / name).write_text("\n".join(unseen.sentences), "utf-8")
    (folder / "m.driftline").write_bytes(model.read_bytes())
    return folder


@pytest.mark.parametrize(("command", "example"), EXAMPLES)
def test_examples_can_be_typed_as_they_stand(run, desk, monkeypatch, command, example):
    """Each example of the help works in a folder that holds the files it names."""
    monkeypatch.chdir(desk)
    if command != "fit" and not Path("reports.driftline").exists():
        Path("reports.driftline").write_bytes(Path("m.driftline").read_bytes())
    if command == "explore":  # it would serve until Ctrl-C
        serving = pytest.importorskip("driftline.explorer.serving", reason="the explorer is not installed")
        monkeypatch.setattr(serving, "serve", lambda *_, **__: None)

    done = run(*shlex.split(example)[1:])

    assert done.status in ({0, 3} if command == "check" else {0}), done.err
    assert done.out


# Start-up


def test_help_is_quick():
    """`driftline --help` takes under 0.3 seconds of processor time, whatever else the machine is doing."""

    def seconds():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start("--help", stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 0.3


@pytest.mark.parametrize("command", ["", "fit"])
def test_help_loads_nothing_large(command):
    """Help needs none of the libraries that take long to load."""
    code = "import sys; from driftline.cli.main import main; sys.argv = ['driftline', *sys.argv[1:]]; main()"
    arguments = [sys.executable, "-X", "importtime", "-c", code, *filter(None, [command]), "--help"]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True)

    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert {"driftline", "typer"} <= loaded
    assert {"numpy", "scipy", "sentencex", "safetensors", "msgspec", "spacy", "pyarrow"}.isdisjoint(loaded)


# Wrong usage


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["fiit"], "fiit"),
        (["--verbose"], "--verbose"),
        (["fit"], "corpus"),
        (["fit", "reports"], "--output"),
        (["fit", "reports", "more", "-o", "m"], "more"),
        (["fit", "reports", "-o", "m", "--topics", "5"], "--topics"),
        (["fit", "reports", "-o"], "-o"),
        (["show"], "MODEL"),
        (["tag", "m.driftline"], "file"),
        (["order", "m.driftline"], "file"),
        (["rank", "m.driftline"], "file"),
        (["evaluate"], "CORPUS"),
        (["evaluate", "m.driftline"], "MODEL and CORPUS"),
        (["evaluate", "m.driftline", "test.jsonl", "--folds", "3"], "CORPUS alone"),
        (["evaluate", "a", "b", "c"], "MODEL and CORPUS"),
    ],
)
def test_wrong_usage(run, arguments, named):
    """A command that is typed wrongly has status 2, and standard error names what is wrong or missing."""
    assert named in run(*arguments).misuse


@pytest.mark.parametrize(
    ("arguments", "option", "value", "expected"),
    [
        (["fit", "c", "-o", "m", "--clusters", "ten"], "--clusters", "ten", "integer|whole number"),
        (["fit", "c", "-o", "m", "--clusters", "2.5"], "--clusters", "2.5", "integer|whole number"),
        (["fit", "c", "-o", "m", "--emission-smoothing", "much"], "--emission-smoothing", "much", "number"),
        (["fit", "c", "-o", "m", "--transitions", "none"], "--transitions", "none", "as-printed"),
        (["fit", "c", "-o", "m", "--spans", "words"], "--spans", "words", "sentences"),
        (["show", "m", "--topic", "quakes"], "--topic", "quakes", "integer|whole number"),
        (["order", "m", "f", "--time-limit", "long"], "--time-limit", "long", "number"),
        (["evaluate", "m", "c", "--task", "ranking"], "--task", "ranking", "discrimination"),
        (["evaluate", "m", "c", "--workers", "0"], "--workers", "0", "at least 1|equal to 1"),
        (["evaluate", "m", "c", "--seed", "-1"], "--seed", "-1", "at least 0|equal to 0"),
        (["demo", "--domain", "floods"], "--domain", "floods", "earthquakes"),
    ],
)
def test_a_value_of_the_wrong_type(run, arguments, option, value, expected):
    """A value that an option cannot take is told with the option, the value and what it takes."""
    told = run(*arguments).misuse

    assert option in told
    assert re.search(expected, told)
    assert re.search(rf"(?<![\w.-]){value}(?![\w.])", told.partition(option)[2])


# What reaches standard output


@pytest.mark.parametrize("command", [["--version"], ["show"], ["show", "--json"]])
def test_a_reader_that_has_enough(model, command):
    """When nobody reads on (`driftline show m | head -1`), the command ends in silence and without an error."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = start(*command, *([model] if command[0] == "show" else []), stdout=writing)
    finally:
        os.close(writing)

    assert (done.returncode, done.stderr) == (0, "")


class FullDisk(io.StringIO):
    """Standard output that goes to a file on a disk without space."""

    def write(self, text):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("option", ["--topic=0", "--json"])
def test_output_to_a_full_disk(run, model, monkeypatch, option):
    """When the output cannot be written, that is said in one sentence and not in a traceback."""
    monkeypatch.setattr(sys, "stdout", FullDisk())

    assert "No space left on device" in run("show", model, option).refusal


def test_only_standard_output_is_called_so(run, tmp_path, model, monkeypatch):
    """What the system refuses is told with the name of the file, or as what it is; a name may be too long."""
    refused = run("fit", model, "--settings", "s" * 300, "-o", tmp_path / "m").refusal
    assert refused == f"{'s' * 300}: there is no such file"
    for error, told in (
        (OSError(errno.EACCES, "Permission denied", "a.txt"), "a.txt: cannot be used (Permission denied)"),
        (OSError(errno.EAGAIN, "No threads"), "the system refused something that is needed here (No threads)"),
    ):

        def refuse(*_, error=error):
            raise error

        monkeypatch.setattr(storage, "load", refuse)
        assert run("show", model).refusal == told


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_output_that_only_fails_at_the_end(model):
    """Output that is kept back until the end and cannot be written then has status 1 and one sentence too."""
    with open("/dev/full", "w") as full:
        done = start("show", model, "--topic", "0", stdout=full)

    assert done.returncode == 1
    assert done.stderr.startswith("driftline: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_that_knows_few_characters(run, model, monkeypatch, encoding):
    """Where standard output cannot take a bar or an ellipsis, all the rest is printed nevertheless."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))

    done = run("show", model)
    sys.stdout.flush()

    assert (done.status, done.err) == (0, "")
    assert b"A content model of 100 documents" in raw.getvalue()
    assert b"everything else" in raw.getvalue()


@pytest.mark.parametrize("command", ["tag", "order", "rank", "summarize", "show"])
def test_text_cannot_act_on_the_terminal(run, tmp_path, command):
    """Escape sequences of a document, of its id and of an error are shown, not sent to the terminal."""
    hostile = "It \x1b[2J\x9b2J shook\x07."
    path, model = tmp_path / "a.jsonl", tmp_path / "m"
    path.write_text(json.dumps({"id": "\x1b]0;a\x07", "sentences": [hostile, "Nobody was hurt."]}) + "\n")
    learned = run("fit", path, "-o", model)
    options = {"tag": [path], "order": [path], "rank": [path], "summarize": [path, "--length", "2"], "show": []}

    done = run(command, model, *options[command])
    refused = run(command, tmp_path / "\x1b[2J", *options[command])

    assert (learned.status, done.status, refused.status) == (0, 0, 1)
    assert not set(done.out + done.err + refused.err) & {"\x1b", "\x07", "\x9b"}
    assert "[2J" in done.out + refused.err


@pytest.mark.parametrize("command", [["show"], ["tag", "report"], ["order", "report"], ["rank", "report"]])
def test_json_is_all_there_is(run, model, report, monkeypatch, command):
    """With --json, standard output holds one JSON document, also when progress is shown; it names its signature."""
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes standard error for a terminal

    done = run(command[0], model, *([report] if command[1:] else []), "--json")

    assert storage.load(model).signature == done.document["signature"]
    assert done.out.endswith("}\n")


def test_json_is_utf_8(run, model, monkeypatch):
    """JSON is the same bytes whatever the terminal can show."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="cp1252"))

    done = run("tag", model, "-", "--json", stdin="Çankırı 地震 ☃.")
    sys.stdout.flush()

    assert (done.status, done.err) == (0, "")
    assert json.loads(raw.getvalue().decode("utf-8"))["documents"][0]["sentences"][0]["text"] == "Çankırı 地震 ☃."


def test_progress_is_shown_to_people_only(run, corpora, tmp_path, monkeypatch):
    """On a terminal, standard error tells what is going on; in a pipe it stays empty."""
    quiet = run("fit", corpora[".jsonl"], "-o", tmp_path / "m")
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = run("fit", corpora[".jsonl"], "-o", tmp_path / "m")

    assert quiet.err == ""
    assert "Learning" in shown.err
    assert shown.out.startswith("Learned ")


def test_progress_says_file_names_as_they_are(run, tmp_path, unseen, model, monkeypatch):
    """A document whose name looks like markup is named as it is."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    path = tmp_path / "[bold]report[.txt"
    path.write_text("\n".join(unseen.sentences), "utf-8")

    done = run("rank", model, path, "--spans", "lines")

    assert done.out.startswith("[bold]report[: ")
    assert "Ranking [bold]report[" in done.err


# Interruptions


@pytest.mark.parametrize("command", ["show", "tag", "order", "rank", "evaluate"])
def test_control_c(run, model, report, monkeypatch, command):
    """Ctrl-C ends a command with status 130, without a traceback and without output."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(storage, "load", interrupted)

    done = run(command, model, *([report] if command != "show" else []))

    assert (done.status, done.out) == (130, "")
    assert "Traceback" not in done.err


def test_too_little_memory(run, model, report, monkeypatch):
    """Where memory runs out, that is said in one sentence and not in a traceback."""

    def greedy(*_):
        raise MemoryError("Unable to allocate 16.0 GiB for an array")

    monkeypatch.setattr(storage, "load", greedy)

    assert (
        run("tag", model, report).refusal
        == "there is not enough memory for this (Unable to allocate 16.0 GiB for an array)"
    )


def test_control_c_is_acknowledged(run, corpora, tmp_path, monkeypatch):
    """An interrupted command says so, and leaves no file."""

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Corpus, "read", interrupted)

    done = run("fit", corpora[".jsonl"], "-o", tmp_path / "m")

    assert (done.status, done.err) == (130, "driftline: interrupted\n")
    assert list(tmp_path.iterdir()) == []
