"""`driftline tag`: the topic of every sentence of a document."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from driftline.cli.alarm import warned
from driftline.cli.common import (
    Column,
    Encoding,
    IdColumn,
    Json,
    Language,
    ModelPath,
    SkipEmpty,
    Spans,
    Workers,
    print_json_list,
    print_text,
    read_documents,
)

if TYPE_CHECKING:
    from driftline.model.tagging import Tags
    from driftline.text.corpus import Document


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline tag reports.driftline draft.txt --json")(tag)


def tag(
    model: ModelPath,
    file: Annotated[Path, typer.Argument(help="A text, a corpus file or a folder; - is standard input.")],
    spans: Spans = "sentences",
    column: Column = "text",
    id_column: IdColumn = None,
    encoding: Encoding = "utf-8",
    language: Language = "en",
    skip_empty: SkipEmpty = False,
    workers: Workers = 1,
    json: Json = False,
) -> None:
    """Give every sentence of a document its topic (the most probable path of states)."""
    from functools import partial

    from driftline.model.tagging import tag_with
    from driftline.model.topics import topics
    from driftline.parallel import map_stream
    from driftline.storage import load
    from driftline.tasks.domain import with_domain

    loaded = load(model)
    documents = read_documents(
        file, spans=spans, column=column, id_column=id_column, encoding=encoding, language=language,
        skip_empty=skip_empty,
    )  # fmt: skip
    labels = [topic.label for topic in topics(loaded)]
    tagged = map_stream(partial(with_domain, tag_with), loaded, documents, workers)
    if json:
        records = ({**_record(document, tags, labels), "domain": domain} for domain, document, tags in warned(tagged))
        print_json_list({"signature": loaded.signature}, "documents", records)
        return
    for _, document, tags in warned(tagged):
        heading = f"{document.id}  (log-probability {tags.log_probability:.2f})"
        print_text("\n".join([heading, *tag_lines(document, tags, labels)]))


def tag_lines(document: "Document", tags: "Tags", labels: Sequence[str]) -> list[str]:
    """One line a sentence: topic, how sure it is, label, text."""
    from driftline.text.excerpt import excerpt

    return [
        f"  [{state:3}] {probability:4.0%}  {excerpt(labels[state], 34):34}  {excerpt(text, 72)}"
        for state, probability, text in zip(tags.states, tags.probabilities, document.sentences, strict=True)
    ]


def _record(document: "Document", tags: "Tags", labels: Sequence[str]) -> dict[str, object]:
    sentences = [
        {"text": text, "topic": state, "label": labels[state], "probability": probability}
        for text, state, probability in zip(document.sentences, tags.states, tags.probabilities, strict=True)
    ]
    return {"id": document.id, "log_probability": tags.log_probability, "sentences": sentences}
