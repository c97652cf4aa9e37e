"""`driftline fit`: learn a model from a corpus and save it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from driftline.cli.common import (
    Column,
    Encoding,
    IdColumn,
    Json,
    Language,
    SkipEmpty,
    Spans,
    print_json,
    progress,
    read_corpus,
)

if TYPE_CHECKING:
    from driftline.tasks.alignment import AlignmentReport

_MODEL = "Model (defaults were chosen by cross-validation)"

Whole = int | None
Real = float | None


def _option(text: str, *names: str) -> Any:  # noqa: ANN401 (typer's own type)
    return typer.Option(*names, help=text, rich_help_panel=_MODEL, show_default=False)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="Example: driftline fit reports/ --output reports.driftline && driftline show reports.driftline"
    )(fit)


def fit(
    corpus: Annotated[Path, typer.Argument(help="A folder of .txt files, or a .txt, .jsonl, .csv or .parquet file.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Where to save the model.")],
    clusters: Annotated[Whole, _option("Clusters to begin with (k).", "--clusters")] = None,
    min_cluster_size: Annotated[Whole, _option("Smaller clusters become etcetera (T).")] = None,
    emission_smoothing: Annotated[Real, _option("Added to bigram counts (delta 1).")] = None,
    transition_smoothing: Annotated[Real, _option("Added to counts of documents (delta 2).")] = None,
    states: Annotated[Whole, _option("Fix the number of states (m), in place of T.", "--states")] = None,
    max_iterations: Annotated[Whole, _option("Rounds of re-estimation at the most.")] = None,
    transitions: Annotated[
        Literal["as-printed", "normalised"] | None,
        _option("Transition rows as in the paper, or summing to 1."),
    ] = None,
    masking: Annotated[str | None, _option("builtin, none or spacy:PIPELINE.")] = None,
    seed: Annotated[Whole, _option("Seeds the sample that is clustered in large corpora.")] = None,
    examples: Annotated[Whole, _option("Example sentences kept a topic; 0 keeps no text.", "--examples")] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Begin from the paper's own settings.", rich_help_panel=_MODEL)
    ] = False,
    summaries: Annotated[
        Path | None, typer.Option(help="A .jsonl file of documents with `summary` or `in_summary`, to learn from.")
    ] = None,
    readable: Annotated[bool, typer.Option("--readable", help="Also write MODEL.txt, for people.")] = False,
    spans: Spans = "sentences",
    column: Column = "text",
    id_column: IdColumn = None,
    encoding: Encoding = "utf-8",
    language: Language = "en",
    skip_empty: SkipEmpty = False,
    json: Json = False,
) -> None:
    """Learn a content model from the documents of one domain."""
    from dataclasses import asdict, replace

    from driftline.files import write_atomically
    from driftline.model.description import describe
    from driftline.model.fitting import fit as learn
    from driftline.settings import Settings
    from driftline.tasks.alignment import alignment_report
    from driftline.tasks.summarization import learn_summaries, paired

    given = {
        "n_clusters": clusters, "min_cluster_size": min_cluster_size, "emission_smoothing": emission_smoothing,
        "transition_smoothing": transition_smoothing, "n_states": states, "max_iterations": max_iterations,
        "transitions": transitions, "masking": masking, "seed": seed, "n_examples": examples,
    }  # fmt: skip
    base = Settings.paper() if paper else Settings()
    settings = replace(base, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    started = time.perf_counter()
    with progress("Learning") as say:
        say(f"reading {corpus}")
        documents = read_corpus(
            corpus, spans=spans, column=column, id_column=id_column, encoding=encoding, language=language,
            skip_empty=skip_empty,
        )  # fmt: skip
        pairs = None
        if summaries is not None:  # before the long work, so that a wrong file is told at once
            pairs = read_corpus(summaries, spans=spans, encoding=encoding, language=language)
            paired(pairs)
        model = learn(documents, settings, on_progress=say)
        if pairs is not None:
            say(f"learning from the summaries of {summaries}")
            model = learn_summaries(model, pairs)
        model.save(output)
        if readable:
            write_atomically(f"{output}.txt", describe(model) + "\n")
    report = None if pairs is None else alignment_report(pairs)
    if json:
        print_json(
            {
                "model": str(output),
                "n_states": model.n_states,
                "signature": model.signature,
                "settings": model.settings.as_dict(),
                "record": asdict(model.record),
                "summaries": None if report is None else asdict(report),
            }
        )
        return
    print(describe_fit(model.record, model.n_states, time.perf_counter() - started))
    if model.summaries is not None:
        print(f"Learned from {model.summaries.n_pairs} pairs which topics belong in a summary.")
    if report is not None and report.n_summaries:
        print(describe_alignment(report))
    print(f"Saved to {output}. Next: driftline show {output}")


def describe_alignment(report: "AlignmentReport") -> str:
    """Say how the sentences of the summaries were found in their articles, and show a few that were not."""
    found = (
        f"Sentences of their summaries: {report.identical} stand in the article as they are, {report.edited} were "
        f"edited, {len(report.not_found)} are nowhere in it."
    )
    lines = [f"    not found: {document}, {place + 1}: {text:.70}" for document, place, text in report.not_found[:3]]
    return "\n".join([found, *lines])


def describe_fit(record: Any, n_states: int, seconds: float) -> str:  # noqa: ANN401
    """Say in a few lines what was learned."""
    lines = [
        (
            f"Learned {n_states - 1} topics from {record.n_documents:,} documents, {record.n_sentences:,} sentences, "
            f"in {seconds:.1f} s ({record.n_clusters} clusters, {record.n_merged} of them too small to be topics; "
            f"{len(record.moved)} iterations)."
        )
    ]
    if record.n_arbitrary_merges:
        lines.append(
            f"{record.n_arbitrary_merges} merges were arbitrary: so few clusters can only be had by joining "
            "sentences that share nothing."
        )
    return "\n".join(lines)
