"""`driftline check`: an editor's note on a draft, and a status that scripts can use."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from driftline.cli.common import (
    Column,
    Encoding,
    Json,
    Language,
    ModelPath,
    Spans,
    print_json,
    print_text,
    progress,
    read_corpus,
)

if TYPE_CHECKING:
    from driftline.tasks.findings import Check

_WIDTH = 96


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline check reports.driftline draft.txt")(check)


def check(
    model: ModelPath,
    file: Annotated[Path, typer.Argument(help="A text, a corpus file or a folder; - is standard input.")],
    spans: Spans = "sentences",
    column: Column = "text",
    encoding: Encoding = "utf-8",
    language: Language = "en",
    json: Json = False,
) -> None:
    """Check drafts: missing topics, misplaced sentences, abrupt steps, foreign words or text.

    The exit status is 0 if nothing was found, 3 if something was, 4 if a text is not of this domain; of several
    documents the highest.
    """
    from dataclasses import asdict

    from driftline.storage import load
    from driftline.tasks.checking import check as check_document

    loaded = load(model)
    corpus = read_corpus(file, spans=spans, column=column, encoding=encoding, language=language)
    records, worst = [], 0
    for number, document in enumerate(corpus):
        with progress(f"Checking {document.id}"):
            found = check_document(loaded, document)
        worst = max(worst, found.status)
        if json:
            record = {"id": document.id, "status": found.status, "n_findings": found.n_findings, **asdict(found)}
            records.append(record)
        else:
            print_text(("\n" if number else "") + "\n".join(note(document.id, found)))
    if json:
        print_json({"signature": loaded.signature, "documents": records})
    if worst:
        raise typer.Exit(worst)


def note(name: str, found: "Check") -> Iterator[str]:
    """Write the note on one document, a paragraph a finding."""
    if found.domain.foreign:
        yield f"{name}: does not read like a document of this domain."
        yield f"  {_sentence(found.domain.reason)}"
        yield "  What else could be said of it would mean little."
        return
    yield f"{name}: {found.verdict}."
    for missing in found.missing:
        yield f"\n  Missing: {missing.label}"
        yield f"      {_sentence(missing.reason)}"
        if missing.example:
            yield f"      For instance: {_cut(missing.example.text)}"
    for suspect in found.suspects:
        if suspect.clear:
            yield f"\n  Misplaced? Sentence {suspect.sentence + 1}: {_cut(suspect.text)}"
            yield f"      {_sentence(suspect.reason)}"
    for step in found.abrupt:
        yield f"\n  Abrupt: before sentence {step.sentence + 1}: {_cut(step.text)}"
        yield f"      {_sentence(step.reason)}"
    for unlike in found.unlike:
        yield f"\n  Unlike the domain: sentence {unlike.sentence + 1}: {_cut(unlike.text)}"
        yield f"      {_sentence(unlike.reason)}"
    if not found.n_findings:
        yield "  Nothing found."
    for remark in found.notes:
        yield f"\n  Note: {remark}."


def _cut(text: str) -> str:
    from driftline.text.excerpt import excerpt

    return excerpt(text, _WIDTH)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
