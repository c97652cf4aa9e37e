"""`driftline explore`: pages that show a model and its documents, in a browser."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from driftline.cli.common import (
    Column,
    Encoding,
    IdColumn,
    Language,
    ModelPath,
    SkipEmpty,
    Spans,
    natural,
    progress,
    read_corpus,
)
from driftline.explorer.extras import needs_explorer

if TYPE_CHECKING:
    from driftline.explorer.subject import Subject

ExploredCorpus = Annotated[
    Path | None,
    typer.Argument(metavar="[CORPUS]", help="Documents to look at, such as those that the model was learned from."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline explore reports.driftline reports/")(explore)


def explore(
    model: ModelPath,
    corpus: ExploredCorpus = None,
    port: Annotated[
        int, typer.Option(help="The port to serve at; 0 takes any free one.", parser=natural, metavar="N")
    ] = 8437,
    host: Annotated[
        str, typer.Option(help="The address to serve at; one that others can reach asks for a token.", metavar="HOST")
    ] = "127.0.0.1",
    no_open: Annotated[bool, typer.Option("--no-open", help="Open no browser.")] = False,
    token: Annotated[
        bool, typer.Option("--token", help="Ask for a token on this machine too, where others have accounts on it.")
    ] = False,
    spans: Spans = "sentences",
    column: Column = "text",
    id_column: IdColumn = None,
    encoding: Encoding = "utf-8",
    language: Language = "en",
    skip_empty: SkipEmpty = False,
) -> None:
    """Explore a model in a browser: flow, topics, documents, and a text of yours put in order. Ctrl-C ends it."""
    needs_explorer()
    from driftline.explorer.desk import Desk, stamp
    from driftline.explorer.serving import listen, serve

    reading = {
        "spans": spans, "column": column, "id_column": id_column, "encoding": encoding, "language": language,
        "skip_empty": skip_empty,
    }  # fmt: skip
    seen = stamp(model)  # before it is read: what is written there meanwhile must not be overwritten by a label
    with progress("Reading"):
        subject = read_subject(model, corpus, reading)
    with listen(host, port, always_token=token) as place:
        print(f"Exploring {model} at {place.address}\nCtrl-C ends it.", flush=True)
        serve(Desk(subject, model, seen), place, open_browser=not no_open)


def read_subject(model: Path, corpus: Path | None, reading: Mapping[str, object]) -> "Subject":
    """Open a model, and read the documents that it should be shown with."""
    from driftline.explorer.subject import Documents, Subject
    from driftline.storage import load

    loaded = load(model)
    documents = None if corpus is None else Documents(loaded, read_corpus(corpus, **reading))
    # A file name may hold bytes that are no text.
    return Subject(loaded, model.name.encode("utf-8", "replace").decode(), documents)
