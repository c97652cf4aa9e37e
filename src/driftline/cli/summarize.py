"""`driftline summarize`: the sentences of a document that belong in a summary."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from driftline.cli import align
from driftline.cli.alarm import warned
from driftline.cli.common import (
    Column,
    Encoding,
    Json,
    Language,
    ModelPath,
    Spans,
    Workers,
    print_json_list,
    print_text,
    read_documents,
)


def register(app: typer.Typer) -> None:
    """Add the command, and the one that shows what it can learn from."""
    align.register(app)
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
    workers: Workers = 1,
    json: Json = False,
) -> None:
    """Choose the sentences whose topics belong in a summary, in reading order."""
    from dataclasses import asdict
    from functools import partial

    from driftline.model.topics import topics
    from driftline.parallel import map_stream
    from driftline.storage import load
    from driftline.tasks.domain import with_domain
    from driftline.tasks.summarization import parse_length, summarize_with
    from driftline.text.corpus import Corpus

    parse_length(length)  # before anything is read
    loaded = load(model)
    documents = read_documents(file, spans=spans, column=column, encoding=encoding, language=language)
    summaries = map_stream(partial(with_domain, partial(summarize_with, length)), loaded, documents, workers)
    if json:
        records = (
            {"id": document.id, **asdict(summary), "domain": domain}
            for domain, document, summary in warned(summaries)
        )
        print_json_list({"signature": loaded.signature}, "documents", records)
        return
    several = not isinstance(documents, Corpus) or len(documents) > 1
    if loaded.summaries is None:
        _say("the model was given no summaries (fit --summaries): it takes the topics that most documents hold")
    labels = [topic.label for topic in topics(loaded)]
    for _, document, summary in warned(summaries):
        if several:
            print_text(f"{document.id}:")
        for place, sentence in enumerate(summary.sentences):
            print_text(sentence)
            if explain:
                state, probability = summary.states[place], summary.probabilities[place]
                print_text(f"    {probability:.0%}: {summary.reasons[place]} ([{state}] {labels[state]})")
        if summary.n_missing:
            _say(f"{document.id} has {summary.n_missing} sentences fewer than asked")
        if summary.n_words_over:
            _say(f"{document.id}: one sentence alone has {summary.n_words_over} words more than asked")


def _say(message: str) -> None:
    print_text(f"driftline: {message}", file=sys.stderr)
