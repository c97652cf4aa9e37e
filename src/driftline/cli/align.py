"""`driftline align`: where the sentences of human summaries stand in their articles."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from driftline.cli.common import Encoding, Json, Language, Spans, print_json, print_text, read_corpus

if TYPE_CHECKING:
    from driftline.tasks.alignment import Alignment, AlignmentReport
    from driftline.text.corpus import Document


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline align pairs.jsonl")(align)


def align(
    pairs: Annotated[Path, typer.Argument(metavar="PAIRS", help="A .jsonl file of documents with `summary`.")],
    spans: Spans = "sentences",
    encoding: Encoding = "utf-8",
    language: Language = "en",
    json: Json = False,
) -> None:
    """Show how each sentence of the summaries was found in its article: as it is, edited, or not at all."""
    from driftline.errors import InputError
    from driftline.tasks.alignment import alignment_report, summary_marks

    corpus = read_corpus(pairs, spans=spans, encoding=encoding, language=language)
    report = alignment_report(corpus)
    if not report.documents:
        raise InputError(f"{pairs}: no document has a `summary` (marks of `in_summary` need no alignment)")
    known = {document.id: document for document in corpus}
    if json:
        marks = {aligned.document: summary_marks(known[aligned.document]) for aligned in report.documents}
        print_json({"report": report, "in_summary": marks})
        return
    for aligned in report.documents:
        n_found = sum(a.kind != "none" for a in aligned.sentences)
        print_text(
            f"{aligned.document}: {n_found} of {len(aligned.sentences)} sentences of the summary stand in the text"
        )
        for alignment in aligned.sentences:
            print_text("\n".join(_lines(known[aligned.document], alignment)))
    print(alignment_line(report))


def alignment_line(report: "AlignmentReport") -> str:
    """Say in one sentence how the summaries were aligned."""
    return (
        f"Sentences of their summaries: {report.identical} stand in the article as they are, {report.edited} "
        f"were edited, {len(report.not_found)} are nowhere in it."
    )


def _lines(document: "Document", alignment: "Alignment") -> Iterator[str]:
    """Show a sentence of the summary; under an edited one, its source."""
    text = (document.summary or ())[alignment.summary_sentence]
    number = alignment.summary_sentence + 1
    if alignment.article_sentence is None:
        yield f"  {number:3}  nowhere        {text}"
        return
    source = alignment.article_sentence
    how = "as it is" if alignment.kind == "identical" else f"{alignment.shared:.0%}"
    yield f"  {number:3}  {source + 1:3}  {how:8}  {text}"
    if alignment.kind == "edited":
        yield f"       from           {document.sentences[source]}"
