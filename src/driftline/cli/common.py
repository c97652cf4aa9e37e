"""What several commands share: options for reading, JSON output and progress."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from driftline.errors import InputError

if TYPE_CHECKING:
    from driftline.text.corpus import Corpus

_READING = "Reading"

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
ModelPath = Annotated[Path, typer.Argument(metavar="MODEL", help="A model that `driftline fit` wrote.")]
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


def read_corpus(path: Path, **options: object) -> "Corpus":
    """Read a corpus; `-` is a text on standard input."""
    from driftline.text.corpus import Corpus

    if str(path) != "-":
        return Corpus.read(path, **options)
    try:
        text = sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InputError(f"standard input: byte {error.start} is not {error.encoding}") from None
    if not text.strip():
        raise InputError("standard input: holds no text")
    options = {name: value for name, value in options.items() if name in {"spans", "language"}}
    return Corpus.from_dicts([{"id": "standard input", "text": text}], **options)


def print_json(value: object) -> None:
    """Print one JSON document."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


@contextmanager
def progress(title: str) -> Iterator[Callable[[str], None]]:
    """Show on standard error what is going on, where somebody can see it; it vanishes at the end."""
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(escape(title)) as status:
        yield lambda message: status.update(f"{escape(title)}: {escape(message)}")
