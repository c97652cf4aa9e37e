"""`driftline fit`: learn a model from a corpus and save it."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from driftline.cli.common import (
    Checkpoint,
    Column,
    Encoding,
    EngineName,
    IdColumn,
    Json,
    Language,
    Scheduler,
    SkipEmpty,
    Spans,
    Workers,
    print_json,
    print_text,
    progress,
    read_corpus,
    real_option,
    whole_option,
)
from driftline.errors import InputError, SettingsError

if TYPE_CHECKING:
    from driftline.model.content_model import ContentModel, Ordering
    from driftline.model.training import TrainingRecord
    from driftline.settings import Settings
    from driftline.streaming.engines import Engine
    from driftline.tasks.alignment import AlignmentReport
    from driftline.text.corpus import Corpus

_MODEL: Any = {"rich_help_panel": "Model (defaults were chosen by cross-validation)", "show_default": False}

Whole = int | None
Real = float | None


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="Example: driftline fit reports/ --output reports.driftline && driftline show reports.driftline"
    )(fit)


def fit(
    corpus: Annotated[
        Path,
        typer.Argument(
            help="A folder of .txt files, a .txt, .jsonl, .csv or .parquet file, or a folder or pattern of shards."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Where to save the model.")],
    clusters: Annotated[Whole, whole_option("Clusters to begin with (k).", **_MODEL)] = None,
    min_cluster_size: Annotated[Whole, whole_option("Smaller clusters become etcetera (T).", **_MODEL)] = None,
    emission_smoothing: Annotated[Real, real_option("Added to bigram counts (delta 1).", **_MODEL)] = None,
    transition_smoothing: Annotated[Real, real_option("Added to counts of documents (delta 2).", **_MODEL)] = None,
    states: Annotated[Whole, whole_option("Fix the number of states (m), in place of T.", **_MODEL)] = None,
    max_iterations: Annotated[Whole, whole_option("Rounds of re-estimation at the most.", **_MODEL)] = None,
    transitions: Annotated[
        Literal["as-printed", "normalised"] | None,
        typer.Option(help="Transition rows as in the paper, or summing to 1.", **_MODEL),
    ] = None,
    masking: Annotated[str | None, typer.Option(help="builtin, none or spacy:PIPELINE.", **_MODEL)] = None,
    max_words: Annotated[Whole, whole_option("Words in the vocabulary at the most.", **_MODEL)] = None,
    seed: Annotated[Whole, whole_option("Seeds the sample that is clustered in large corpora.", **_MODEL)] = None,
    examples: Annotated[Whole, whole_option("Example sentences kept a topic; 0 keeps no text.", **_MODEL)] = None,
    settings_file: Annotated[
        Path | None,
        typer.Option("--settings", metavar="FILE", help="Begin from what `driftline tune` wrote.", **_MODEL),
    ] = None,
    ordering: Annotated[
        Literal["content", "best"],
        typer.Option(help="best also learns what orders beside the topics; content is the model of the paper."),
    ] = "content",
    paper: Annotated[bool, typer.Option("--paper", help="Begin from the paper's own settings.", **_MODEL)] = False,
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
    workers: Workers = 1,
    engine: EngineName = "processes",
    scheduler: Scheduler = None,
    checkpoint: Checkpoint = None,
    json: Json = False,
) -> None:
    """Learn a content model from the documents of one domain."""
    from driftline.files import check_writable, write_atomically
    from driftline.model.description import describe
    from driftline.storage import check_target
    from driftline.streaming.engines import Engine
    from driftline.tasks.alignment import alignment_report

    given = {
        "n_clusters": clusters, "min_cluster_size": min_cluster_size, "emission_smoothing": emission_smoothing,
        "transition_smoothing": transition_smoothing, "n_states": states, "max_iterations": max_iterations,
        "transitions": transitions, "masking": masking, "max_words": max_words, "seed": seed, "n_examples": examples,
    }  # fmt: skip
    reading = {
        "spans": spans, "column": column, "id_column": id_column, "encoding": encoding, "language": language,
        "skip_empty": skip_empty,
    }  # fmt: skip
    started = time.perf_counter()
    # What can be refused at once is refused before the long work.
    base = _base(settings_file, paper=paper)
    check_target(output)
    text = Path(f"{output}.txt")
    if readable:
        check_writable(text)
    where = Engine(engine, workers, scheduler)
    streamed = _is_streamed(corpus, where, checkpoint)
    if streamed and ordering == "best":
        raise InputError(
            "--ordering best learns from documents in memory: take a part of a large corpus, and leave out "
            "--workers, --engine, --scheduler and --checkpoint"
        )
    with progress("Learning", log=streamed) as say, _named_as_typed():
        settings = _settings(given, base)
        say(f"reading {corpus}")
        pairs = _read_pairs(summaries, reading)
        if streamed:
            model = _learn_shards(corpus, settings, reading, where, checkpoint, say)
        else:
            model = _learn(read_corpus(corpus, **reading), settings, ordering, say)
        if pairs is not None:
            model = _learn_summaries(model, pairs, say)
        model.save(output)
        if readable:
            write_atomically(text, describe(model) + "\n")
    report = None if pairs is None else alignment_report(pairs)
    if json:
        print_json(_record(model, output, report))
    else:
        print(describe_fit(model.record, model.n_states, time.perf_counter() - started))
        for line in _summary_lines(model, report):
            print_text(line)
        print(f"Saved to {output}. Next: driftline show {output}")


def _base(settings_file: Path | None, *, paper: bool) -> "Settings":
    """Return the settings that the options change."""
    from driftline.settings import Settings

    if settings_file is None:
        return Settings.paper() if paper else Settings()
    if paper:
        raise typer.BadParameter("--paper and --settings: expected one of them, not both")
    from driftline.tuning.settings_file import read_settings

    return read_settings(settings_file)


def _settings(given: Mapping[str, object], base: "Settings") -> "Settings":
    from dataclasses import replace

    return replace(base, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]


@contextmanager
def _named_as_typed() -> Iterator[None]:
    """Let what is said of a setting name the option that was typed."""
    try:
        yield
    except SettingsError as error:
        lines = [_as_typed(line) for line in str(error).splitlines()]
        raise SettingsError("\n".join(lines)) from None


def _as_typed(line: str) -> str:
    name, colon, rest = line.partition(":")
    renamed = {"n_clusters": "clusters", "n_states": "states", "n_examples": "examples"}.get(name, name)
    return f"--{renamed.replace('_', '-')}{colon}{rest}"


def _read_pairs(path: Path | None, reading: Mapping[str, object]) -> "Corpus | None":
    """Read documents with summaries, so that a wrong file is told before the long work."""
    from driftline.tasks.summarization import paired

    if path is None:
        return None
    pairs = read_corpus(path, **reading)
    paired(pairs)
    return pairs


def _learn(
    documents: "Corpus", settings: "Settings", ordering: "Ordering", say: Callable[[str], None]
) -> "ContentModel":
    from driftline.model.fitting import fit as learn

    return learn(documents, settings, ordering=ordering, on_progress=say)


def _is_streamed(corpus: Path, engine: "Engine", checkpoint: Path | None) -> bool:
    """Tell whether the documents are read piece by piece; the model is the same either way."""
    from driftline.streaming.engines import Engine
    from driftline.text.collection import is_large

    return engine != Engine() or checkpoint is not None or (str(corpus) != "-" and is_large(corpus))


def _learn_shards(
    corpus: Path,
    settings: "Settings",
    reading: Mapping[str, Any],
    engine: "Engine",
    checkpoint: Path | None,
    say: Callable[[str], None],
) -> "ContentModel":
    from driftline.streaming.fitting import fit_shards
    from driftline.text.reading import ReadOptions

    options = ReadOptions(**reading)
    return fit_shards(corpus, settings, options=options, engine=engine, checkpoint=checkpoint, on_progress=say)


def _learn_summaries(model: "ContentModel", pairs: "Corpus", say: Callable[[str], None]) -> "ContentModel":
    from driftline.tasks.summarization import learn_summaries

    say(f"learning from {len(pairs):,} summaries")
    return learn_summaries(model, pairs)


def _record(model: "ContentModel", output: Path, report: "AlignmentReport | None") -> dict[str, object]:
    return {
        "model": str(output),
        "n_states": model.n_states,
        "signature": model.signature,
        "settings": model.settings.as_dict(),
        "record": model.record,
        "summaries": report,
    }


def _summary_lines(model: "ContentModel", report: "AlignmentReport | None") -> Iterator[str]:
    """Say what was learned of summaries, and how their sentences were found in the articles."""
    from driftline.cli.align import alignment_line
    from driftline.model.description import counted

    if model.summaries is None or report is None:
        return
    yield f"Learned from {counted(model.summaries.n_pairs, 'pair')} which topics belong in a summary."
    if report.n_summaries:
        yield alignment_line(report)
    for document, place, text in report.not_found[:3]:
        yield f"    not found: {document}, {place + 1}: {text:.70}"
    if len(report.not_found) > 3:
        yield "    ... `driftline align` shows all of them"


def describe_fit(record: "TrainingRecord", n_states: int, seconds: float) -> str:
    """Say in a few lines what was learned."""
    from driftline.model.description import counted

    learned = (
        f"Learned {counted(n_states - 1, 'topic')} from {counted(record.n_documents, 'document')}, "
        f"{counted(record.n_sentences, 'sentence')}, in {seconds:.1f} s ({counted(record.n_clusters, 'cluster')}, "
        f"{record.n_merged} of them too small to be topics; {counted(len(record.moved), 'iteration')})."
    )
    if not record.n_arbitrary_merges:
        return learned
    merges = f"{counted(record.n_arbitrary_merges, 'merge')} {'was' if record.n_arbitrary_merges == 1 else 'were'}"
    return f"{learned}\n{merges} arbitrary: so few clusters can only be had by joining sentences that share nothing."
