"""What several commands share: options for reading, JSON output and progress."""

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from driftline.model.content_model import ContentModel, Ordering
    from driftline.text.corpus import Corpus, Document

_READING = "Reading"
_SECONDS_A_LINE = 10
# All control characters but the line break and the tab: in a text from elsewhere they could redraw the terminal.
_CONTROLS = {code: "\ufffd" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}


def whole(value: str) -> int:
    """Read a whole number; the library says whether it is one that can work."""
    try:
        return int(value)
    except ValueError:
        raise typer.BadParameter(f"expected a whole number, got {value!r}") from None


def positive(value: str) -> int:
    """Read a whole number of at least 1."""
    if (number := whole(value)) < 1:
        raise typer.BadParameter(f"expected a whole number of at least 1, got {value!r}")
    return number


def natural(value: str) -> int:
    """Read a whole number of at least 0."""
    if (number := whole(value)) < 0:
        raise typer.BadParameter(f"expected a whole number of at least 0, got {value!r}")
    return number


def real(value: str) -> float:
    """Read a number."""
    try:
        return float(value)
    except ValueError:
        raise typer.BadParameter(f"expected a number, got {value!r}") from None


def whole_option(text: str, *names: str, parser: Callable[[str], int] = whole, **more: Any) -> Any:  # noqa: ANN401
    """Make an option that takes a whole number."""
    return typer.Option(*names, help=text, parser=parser, metavar="N", **more)


def real_option(text: str, *names: str, metavar: str = "X", **more: Any) -> Any:  # noqa: ANN401 (typer's own type)
    """Make an option that takes a number."""
    return typer.Option(*names, help=text, parser=real, metavar=metavar, **more)


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
ModelPath = Annotated[Path, typer.Argument(metavar="MODEL", help="A model that `driftline fit` wrote.")]
OrderingOption = Annotated[
    Literal["content", "best"] | None,
    typer.Option(
        help="What orders: the topics alone, or all evidence (by default what was learned).", show_default=False
    ),
]
Spans = Annotated[
    Literal["sentences", "lines", "paragraphs"],
    typer.Option(help="What a text is cut into; `lines` is one sentence a line.", rich_help_panel=_READING),
]
Column = Annotated[
    str, typer.Option(help="The column of a .csv or .parquet file with the text.", rich_help_panel=_READING)
]
IdColumn = Annotated[
    str | None,
    typer.Option(help="The column that names the documents; by default id, if there.", rich_help_panel=_READING),
]
Encoding = Annotated[str, typer.Option(help="The encoding of text files.", rich_help_panel=_READING)]
Language = Annotated[str, typer.Option(help="Whose rules split sentences (en, de, ...).", rich_help_panel=_READING)]
SkipEmpty = Annotated[
    bool,
    typer.Option("--skip-empty", help="Leave out documents without a sentence.", rich_help_panel=_READING),
]

_SCALE = "Large collections"
Workers = Annotated[int, whole_option("Processes.", parser=positive, rich_help_panel=_SCALE)]
EngineName = Annotated[
    Literal["processes", "dask"],
    typer.Option(
        "--engine", help="Where the work is done: processes here, or a Dask cluster.", rich_help_panel=_SCALE
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(help="The address of a Dask scheduler, such as tcp://10.0.0.1:8786.", rich_help_panel=_SCALE),
]
Checkpoint = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Keep what is done in this folder; the same command goes on from there.",
        rich_help_panel=_SCALE,
    ),
]


def read_corpus(path: Path, **options: object) -> "Corpus":
    """Read a corpus; `-` is a text on standard input."""
    from driftline.text.corpus import Corpus
    from driftline.text.reading import ReadOptions, read_stream

    if str(path) != "-":
        return Corpus.read(path, **options)
    return Corpus(read_stream(sys.stdin.buffer, ReadOptions(**options)))  # type: ignore[arg-type]


def read_documents(path: Path, **options: object) -> "Iterable[Document]":
    """Read a corpus, or make ready to read one piece by piece that is large; either way it has been checked."""
    from driftline.text.collection import Collection, is_large
    from driftline.text.reading import ReadOptions

    if str(path) == "-" or not is_large(path):
        return read_corpus(path, **options)
    return Collection.at(path, ReadOptions(**options))  # type: ignore[arg-type]


def print_json_list(head: "Mapping[str, object]", name: str, records: "Iterable[object]") -> None:
    """Print one JSON document whose last entry is a list that need not fit into memory."""
    import msgspec

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")

    def indented(value: object, indent: str) -> str:
        text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
        return text.replace("\n", f"\n{indent}")

    entries = [f"  {indented(key, '')}: {indented(value, '  ')}," for key, value in head.items()]
    before = "\n".join(["{", *entries, f"  {indented(name, '')}: ["])
    for record in records:  # nothing is printed before the first one has been made: it may be refused
        print(f"{before}\n    {indented(record, '    ')}", end="")
        before = ","
    print(f"{'' if before == ',' else before}\n  ]\n}}")


def print_text(text: str, *, file: TextIO | None = None) -> None:
    """Print what may hold text from files, so that nothing of it can act on the terminal."""
    print(visible(text), file=file)


def visible(text: str) -> str:
    r"""Show control characters as what they are not: text.

    >>> visible("a\x1b[2Jb")
    'a\ufffd[2Jb'
    """
    return text.translate(_CONTROLS)


def with_ordering(model: "ContentModel", ordering: "Ordering | None") -> "ContentModel":
    """Return the model with what was asked to order sentences."""
    return model if ordering is None else model.with_ordering(ordering)


def print_json(value: object) -> None:
    """Print one JSON document, in UTF-8 whatever the terminal takes."""
    import msgspec

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


@contextmanager
def progress(title: str, *, log: bool = False) -> Iterator[Callable[[str], None]]:
    """Show on standard error what is going on, where somebody can see it; it vanishes at the end.

    Where no terminal shows it, long work can leave a line in a log now and then.
    """
    from rich.console import Console
    from rich.markup import escape

    console, told = Console(stderr=True), time.monotonic()

    def tell(message: str) -> None:
        nonlocal told
        if log and time.monotonic() > told + _SECONDS_A_LINE:
            told = time.monotonic()
            print(f"driftline: {visible(message)}", file=sys.stderr, flush=True)

    if not console.is_terminal:
        yield tell
        return
    with console.status(escape(title)) as status:
        yield lambda message: status.update(f"{escape(title)}: {escape(visible(message))}")
