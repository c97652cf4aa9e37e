"""`driftline report`: the pages of the explorer in one file, for mail and archives."""

from pathlib import Path
from typing import Annotated

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
)
from driftline.cli.explore import ExploredCorpus, read_subject
from driftline.explorer.extras import needs_report


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline report reports.driftline reports/ -o report.html")(report)


def report(
    model: ModelPath,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The HTML file to write.")],
    corpus: ExploredCorpus = None,
    documents: Annotated[
        int, typer.Option(help="So many documents are in it with their text.", parser=natural, metavar="N")
    ] = 200,
    spans: Spans = "sentences",
    column: Column = "text",
    id_column: IdColumn = None,
    encoding: Encoding = "utf-8",
    language: Language = "en",
    skip_empty: SkipEmpty = False,
) -> None:
    """Write what `explore` shows into one HTML file that opens anywhere, offline."""
    needs_report()
    from driftline.explorer.report import make_report
    from driftline.files import check_writable, write_atomically

    check_writable(output)
    reading = {
        "spans": spans, "column": column, "id_column": id_column, "encoding": encoding, "language": language,
        "skip_empty": skip_empty,
    }  # fmt: skip
    with progress("Writing a report") as say:
        subject = read_subject(model, corpus, reading)
        say("drawing its pages")
        text = make_report(subject, n_documents=documents)
        write_atomically(output, text)
    print(f"{output}: {len(text.encode()) / 1e6:.1f} MB, opens in any browser")
