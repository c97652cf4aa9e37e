"""`driftline summarize`: the sentences of a document that belong in a summary."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from driftline.cli.common import Column, Encoding, Json, Language, ModelPath, Spans, print_json, read_corpus


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline summarize reports.driftline report.txt --length 30% --explain")(summarize)


def summarize(
    model: ModelPath,
    file: Annotated[Path, typer.Argument(help="A text, a corpus file or a folder; - is standard input.")],
    length: Annotated[str, typer.Option(help="Sentences (5), a share of them (30%) or words (100w).")],
    explain: Annotated[bool, typer.Option("--explain", help="Say why each sentence was chosen.")] = False,
    spans: Spans = "sentences",
    column: Column = "text",
    encoding: Encoding = "utf-8",
    language: Language = "en",
    json: Json = False,
) -> None:
    """Choose the sentences whose topics belong in a summary, in reading order."""
    from dataclasses import asdict

    from driftline.model.topics import topics
    from driftline.storage import load
    from driftline.tasks.summarization import parse_length
    from driftline.tasks.summarization import summarize as choose

    parse_length(length)  # before anything is read
    loaded = load(model)
    corpus = read_corpus(file, spans=spans, column=column, encoding=encoding, language=language)
    summaries = [(document, choose(loaded, document, length)) for document in corpus]
    if json:
        records = [{"id": document.id, **asdict(summary)} for document, summary in summaries]
        print_json({"signature": loaded.signature, "documents": records})
        return
    if loaded.summaries is None:
        _say("the model was given no summaries (fit --summaries): it takes the topics that most documents hold")
    labels = [topic.label for topic in topics(loaded)]
    for document, summary in summaries:
        if len(summaries) > 1:
            print(f"{document.id}:")
        for place, sentence in enumerate(summary.sentences):
            print(sentence)
            if explain:
                state, probability = summary.states[place], summary.probabilities[place]
                print(f"    {probability:.0%}: {summary.reasons[place]} ([{state}] {labels[state]})")
        if summary.n_missing:
            _say(f"{document.id} has {summary.n_missing} sentences fewer than asked")


def _say(message: str) -> None:
    print(f"driftline: {message}", file=sys.stderr)
