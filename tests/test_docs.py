"""The documentation is true: what it shows happens, what it names exists, and nothing public is left out.

Blocks of the pages in RUN are run in the order in which they stand: `python` blocks as doctests or as
scripts, `console` blocks as commands. After a change of an output,
`.venv/bin/python tests/test_docs.py` writes the new help texts into docs/command-line.md.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import driftline
from driftline.cli.main import app
from driftline.settings import Settings

ROOT = Path(__file__).parents[1]
COMMAND_LINE = ROOT / "docs" / "command-line.md"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
RUN = [
    ROOT / "README.md",
    ROOT / "docs" / "python.md",
    ROOT / "docs" / "file-formats.md",
    ROOT / "docs" / "summaries.md",
    ROOT / "docs" / "decisions" / "README.md",
    COMMAND_LINE,
]
COMMANDS = sorted(command.name or command.callback.__name__ for command in app.registered_commands)

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HELP = re.compile(r"^```console\n\$ driftline (?:(\w+) )?--help\n.*?^```$", re.MULTILINE | re.DOTALL)
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def blocks(page):
    """List the kind and the content of the fenced blocks of a page."""
    return _BLOCK.findall(page.read_text("utf-8"))


def shell(command, folder):
    """Run a command as a reader would, and return what it prints; `make demo` as the command it stands for."""
    command = re.sub(r"^make demo$", "driftline demo", command)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
    return done.stdout


def sessions(console):
    """Cut a console block into commands and the output that the page shows for each."""
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def check_output(wanted, got, what):
    """Compare an output with what a page shows of it; `...` stands for anything."""
    assert doctest.OutputChecker().check_output(wanted, got, _FLAGS), f"{what}\n--- shown\n{wanted}\n--- is\n{got}"


def run_python(source, names, shown):
    """Run a block as a doctest, or as a script whose output a `text` block after it may show."""
    if source.startswith(">>> "):
        test = doctest.DocTestParser().get_doctest(source, names, "example", None, None)
        report = io.StringIO()
        failed = doctest.DocTestRunner(optionflags=_FLAGS).run(test, out=report.write, clear_globs=False).failed
        assert failed == 0, report.getvalue()
        names.update(test.globs)
        return
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(source, names)
    if shown is not None:
        check_output(shown, printed.getvalue(), source)


# What is shown


@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_what_is_shown_happens(page, tmp_path, monkeypatch):
    """Every Python block runs, every command succeeds, and both print what the page says they print."""
    monkeypatch.chdir(tmp_path)
    found = blocks(page)
    names, n_run = {}, 0
    for (kind, content), (next_kind, next_content) in zip(found, [*found[1:], ("", "")], strict=True):
        if kind == "python":
            run_python(content, names, next_content if next_kind == "text" else None)
            n_run += 1
        elif kind == "console" and "--help" not in content:
            for command, output in sessions(content):
                printed = shell(command, tmp_path)
                n_run += 1
                if output:
                    check_output(output, printed, f"$ {command}")

    assert n_run > 0


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_is_as_documented(command):
    """The page on the command line shows the help of each command as it is now."""
    shown = {match[1]: match[0] for match in _HELP.finditer(COMMAND_LINE.read_text("utf-8"))}

    assert help_block(command) == shown[command], "run .venv/bin/python tests/test_docs.py"


def help_block(command):
    """Return the fenced block with the help of a command, or of the program."""
    line = f"driftline {command} --help" if command else "driftline --help"
    lines = [text.rstrip() for text in shell(line, ROOT).strip("\n").splitlines()]
    return "\n".join(["```console", f"$ {line}", *lines, "```"])


def write_help():
    """Put the help texts of now into the page."""
    text = COMMAND_LINE.read_text("utf-8")
    COMMAND_LINE.write_text(_HELP.sub(lambda match: help_block(match[1]), text), "utf-8")


# What must be there


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command):
    """Each command has a heading of its own, and an example beside its help."""
    text = COMMAND_LINE.read_text("utf-8")
    section = re.search(rf"^## {command}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)

    assert section, f"docs/command-line.md has no section ## {command}"
    assert re.search(rf"^\$ driftline {command} (?!--help)|^\$ driftline {command}$", section[1], re.MULTILINE)


@pytest.mark.parametrize("name", driftline.__all__)
def test_every_public_name_is_documented(name):
    """Each public name stands in a heading of the Python page, and its section uses it in a block that is run."""
    text = (ROOT / "docs" / "python.md").read_text("utf-8")
    section = re.search(rf"^## [^\n]*`{name}`[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)

    assert section, f"docs/python.md has no section with `{name}` in its heading"
    assert any(re.search(rf"\b{name}\b", code) for kind, code in _BLOCK.findall(section[1]) if kind == "python")


@pytest.mark.parametrize("setting", Settings().as_dict())
def test_every_setting_is_documented(setting):
    """Each setting stands in the table of the Python page, with its default of now."""
    text = (ROOT / "docs" / "python.md").read_text("utf-8")
    default = getattr(Settings(), setting)
    spelled = f'"{default}"' if isinstance(default, str) else str(default)

    assert f"| `{setting}` | `{spelled}` |" in text


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "decisions").glob("*.md")), ids=name_of)
def test_every_decision_can_be_found(page):
    """The list of decisions leads to each of its pages, and each page is short."""
    index = ROOT / "docs" / "decisions" / "README.md"

    assert page == index or f"({page.name})" in index.read_text("utf-8")
    assert len(page.read_text("utf-8").splitlines()) <= 80


@pytest.mark.parametrize(
    "page", [page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name != "decisions"], ids=name_of
)
def test_every_page_can_be_found(page):
    """The index of the documentation leads to each page beside it."""
    index = ROOT / "docs" / "index.md"

    assert page == index or f"({page.relative_to(index.parent).as_posix()})" in index.read_text("utf-8")


# What must not be there


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    """Every relative link of a page leads to a file, and to a heading of it where it names one."""
    prose = _BLOCK.sub("", page.read_text("utf-8"))
    broken = []
    for link in _LINK.findall(prose):
        if re.match(r"https?:|mailto:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)

    assert broken == []


def anchors(page):
    """List the names that the headings of a page can be linked by."""
    headings = re.findall(r"^#+ (.*)$", _BLOCK.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CITATION.cff", ROOT / "LICENSE"], ids=name_of)
def test_no_page_names_a_place_of_ours(page):
    """No page names a folder of one machine, and none where packages are downloaded from."""
    text = page.read_text("utf-8")
    folders = re.findall(r"(?<![\w.~\-/)>}])/(?:work|tmp|home|root|usr|opt|mnt|Users)\b\S*", text)
    registries = re.findall(r"(?i)pypi\.org|files\.pythonhosted|anaconda\.org|conda-forge|--index-url", text)

    assert folders + registries == []


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_make_targets_exist(page):
    """Each `make` target that a page names stands in the Makefile."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|\$ |^)make ([a-z]+)", page.read_text("utf-8"), re.MULTILINE))

    assert {"demo", "test"} <= named
    assert named - targets == set()


def test_the_first_screen():
    """The README is short, and its first screen says how to see it work and how to test it."""
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()

    assert len(lines) < 155
    assert {"make demo", "make test"} <= {shlex.join(line.split()[:2]) for line in lines[:24]}


if __name__ == "__main__":
    write_help()
