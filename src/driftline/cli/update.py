"""`driftline update`: add new documents to a model, without the old ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from driftline.cli.common import (
    Column,
    Encoding,
    IdColumn,
    Json,
    Language,
    ModelPath,
    SkipEmpty,
    Spans,
    positive,
    print_json,
    print_text,
    progress,
    read_corpus,
    whole_option,
)

if TYPE_CHECKING:
    from driftline.model.content_model import ContentModel
    from driftline.model.updating import Movement

_MOST = 5


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline update reports.driftline report.txt -o reports.driftline")(update)


def update(
    model: ModelPath,
    corpus: Annotated[Path, typer.Argument(help="The new documents: whatever `driftline fit` takes.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Where to save the new model.")],
    passes: Annotated[int, whole_option("Viterbi passes over the new documents at the most.", parser=positive)] = 3,
    spans: Spans = "sentences",
    column: Column = "text",
    id_column: IdColumn = None,
    encoding: Encoding = "utf-8",
    language: Language = "en",
    skip_empty: SkipEmpty = False,
    json: Json = False,
) -> None:
    """Add new documents to a model, and say how far it moved; the documents it was learned from are not needed."""
    from driftline.model.updating import movement
    from driftline.model.updating import update as add
    from driftline.storage import check_target, load

    check_target(output)
    before = load(model)
    documents = read_corpus(
        corpus, spans=spans, column=column, id_column=id_column, encoding=encoding, language=language,
        skip_empty=skip_empty,
    )  # fmt: skip
    with progress("Updating") as say:
        say(f"placing {documents.n_sentences:,} sentences")
        after = add(before, documents, passes=passes)
    moved = movement(before, after)
    after.save(output)
    if json:
        print_json({"model": str(output), "signature": after.signature, "record": after.record, "movement": moved})
        return
    print_text("\n".join(_lines(before, after, moved)))
    print(f"Saved to {output}. Next: driftline show {output}")


def _lines(before: "ContentModel", after: "ContentModel", moved: "Movement") -> Iterator[str]:
    from driftline.model.description import counted
    from driftline.model.topics import topics

    n_documents, n_sentences, n_words = (
        new - old
        for old, new in (
            (before.record.n_documents, after.record.n_documents),
            (before.record.n_sentences, after.record.n_sentences),
            (len(before.vocabulary.words), len(after.vocabulary.words)),
        )
    )
    yield (
        f"Added {counted(n_documents, 'document')}, {counted(n_sentences, 'sentence')} with "
        f"{counted(n_words, 'new word')}, to {counted(before.record.n_documents, 'document')}."
    )
    yield (
        f"The model moved by {moved.mean_words:.1%} in its words and {moved.mean_transitions:.1%} in its transitions "
        "(mean total variation; 0 % is not at all, 100 % to something else altogether)."
    )
    explained = topics(after)
    ranked = sorted(range(len(moved.words)), key=lambda state: -moved.words[state])
    for state in [state for state in ranked[:_MOST] if moved.words[state] > 0]:
        words, transitions = moved.words[state], moved.transitions[state]
        yield f"  [{state}] {explained[state].label}: words {words:.1%}, transitions {transitions:.1%}"
