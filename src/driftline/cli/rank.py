"""`driftline rank`: how the order of a document compares with all other orders of its sentences."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from driftline.cli.alarm import warn_foreign
from driftline.cli.common import (
    Column,
    Encoding,
    Json,
    Language,
    ModelPath,
    OrderingOption,
    Spans,
    print_json,
    print_text,
    progress,
    read_corpus,
    real_option,
    with_ordering,
)

if TYPE_CHECKING:
    from driftline.tasks.ranking import Rank


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline rank reports.driftline report.txt")(rank)


def rank(
    model: ModelPath,
    file: Annotated[Path, typer.Argument(help="A text, a corpus file or a folder; - is standard input.")],
    time_limit: Annotated[
        float, real_option("Seconds of counting; past it the rank is an estimate.", metavar="SECONDS")
    ] = 60.0,
    ordering: OrderingOption = None,
    spans: Spans = "sentences",
    column: Column = "text",
    encoding: Encoding = "utf-8",
    language: Language = "en",
    json: Json = False,
) -> None:
    """Rank the order of each document among all orders of its sentences, exactly where that can be had."""
    from dataclasses import asdict

    from driftline.storage import load
    from driftline.tasks.domain import domain_fit
    from driftline.tasks.ranking import rank as rank_document

    loaded = with_ordering(load(model), ordering)
    corpus = read_corpus(file, spans=spans, column=column, encoding=encoding, language=language)
    records = []
    for document in corpus:
        domain = domain_fit(loaded, document)
        warn_foreign(document, domain)
        with progress(f"Ranking {document.id} ({len(document)} sentences)"):
            found = rank_document(loaded, document, time_limit=time_limit)
        if json:
            records.append({"id": document.id, "n_sentences": len(document), **asdict(found), "domain": domain})
        else:
            print_text(f"{document.id}: {describe_rank(found)}")
    if json:
        print_json({"signature": loaded.signature, "documents": records})


def describe_rank(found: "Rank") -> str:
    """Say a rank in words."""
    if found.n_orders == 1:
        return "one sentence has one order"
    if found.exact:
        ties = f", {found.equal:,} {'is' if found.equal == 1 else 'are'} equally probable" if found.equal else ""
        return f"{found.better:,} of {found.n_orders:,} orders are more probable{ties}"
    low, high = found.interval
    return (
        f"an estimate: {found.better:.3g} of {found.n_orders:.3g} orders are more probable "
        f"(95 % interval {low:.3g} to {high:.3g})"
    )
