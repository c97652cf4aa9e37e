"""`driftline evaluate`: a model and its rivals in the paper's exams."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from driftline.cli.common import (
    Column,
    Encoding,
    Json,
    Language,
    Spans,
    natural,
    positive,
    print_json,
    progress,
    read_corpus,
    real_option,
    whole_option,
)
from driftline.errors import InputError

if TYPE_CHECKING:
    from driftline.tasks.ordering import Orderer
    from driftline.text.corpus import Corpus


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="Examples: driftline evaluate m.driftline test.jsonl --task ordering --train train.jsonl "
        "--systems content,bigram,lapata,random  |  driftline evaluate --folds 5 all.jsonl --task discrimination  |  "
        "driftline evaluate m.driftline unseen.jsonl --task summarization --train pairs.jsonl"
    )(evaluate)


def evaluate(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="[MODEL] CORPUS",
            help="A model and a test corpus; with --folds the corpus alone (for summaries, a model too if you like).",
        ),
    ],
    task: Annotated[
        Literal["ordering", "discrimination", "summarization"], typer.Option(help="Which exam.")
    ] = "ordering",
    systems: Annotated[
        str,
        typer.Option(
            help="By commas; of content, best, bigram, lapata, random (by default content,random), or for summaries "
            "content, classifier, lead, random (by default content,lead,random).",
            show_default=False,
        ),
    ] = "",
    train: Annotated[
        Path | None, typer.Option(help="The training corpus, for bigram and lapata; for summaries, pairs.")
    ] = None,
    folds: Annotated[int | None, whole_option("Cross-validate by story, with the default settings.")] = None,
    curve: Annotated[
        str | None, typer.Option(metavar="N,N,...", help="Accuracy by the number of pairs; for summaries.")
    ] = None,
    max_sentences: Annotated[int | None, whole_option("Leave out longer documents.")] = None,
    permutations: Annotated[
        Path | None, typer.Option(help="A .jsonl file of `id` and `perms`: orders to tell the original from.")
    ] = None,
    pipeline: Annotated[str | None, typer.Option(help="The spaCy pipeline that finds Lapata's features.")] = None,
    time_limit: Annotated[
        float, real_option("Seconds a document for the order, and for the rank.", metavar="SECONDS")
    ] = 5.0,
    seed: Annotated[int, whole_option("Decides shuffles, folds and drawn orders.", parser=natural)] = 0,
    workers: Annotated[int, whole_option("Processes.", parser=positive)] = 1,
    spans: Spans = "sentences",
    column: Column = "text",
    encoding: Encoding = "utf-8",
    language: Language = "en",
    json: Json = False,
) -> None:
    """Measure how well a model orders or summarizes, beside its rivals, with intervals and a signature."""
    from driftline.cli.summary_exam import SummaryExam
    from driftline.evaluation.comparison import Plan, cross_validate
    from driftline.evaluation.comparison import evaluate as compare
    from driftline.evaluation.ordering_exam import ExamRules
    from driftline.evaluation.permutations import read_permutations
    from driftline.evaluation.tables import comparison_table

    _check_usage(paths, task, folds, train, permutations)
    if curve is not None and (task != "summarization" or train is None):
        raise typer.BadParameter("--curve: only --task summarization draws one, from the pairs of --train")
    reading = {"spans": spans, "column": column, "encoding": encoding, "language": language}
    if task == "summarization":
        with progress("Evaluating") as say:
            corpus = _shorter(read_corpus(paths[-1], **reading), max_sentences)
            pairs = read_corpus(train, **reading) if train else None
            model = paths[0] if len(paths) == 2 else None
            exam = SummaryExam(_names(systems) if systems else None, model, pairs, seed, workers)
            summaries, table = (
                exam.curve(corpus, curve, say) if curve is not None else exam.compare(corpus, folds, say)
            )
        print_json(summaries) if json else print(table)
        return
    names = _names(systems or "content,random")
    rules = ExamRules(seed=seed, time_limit=time_limit, rank_time_limit=time_limit)
    orders = read_permutations(permutations) if permutations else {}
    plan = Plan(
        task=task, rules=rules, permutations=orders, permutations_from=str(permutations), workers=workers,
        pipeline=pipeline,
    )  # fmt: skip
    with progress("Evaluating") as say:
        corpus = _shorter(read_corpus(paths[-1], **reading), max_sentences)
        if folds is not None:
            found = cross_validate(corpus, names, plan=plan, n_folds=folds, on_progress=say)
        else:
            training = read_corpus(train, **reading) if train else None
            found = compare(_systems(names, paths[0], training, pipeline), corpus, plan, on_progress=say)
    print_json(found) if json else print(comparison_table(found))


def _check_usage(
    paths: list[Path], task: str, folds: int | None, train: Path | None, permutations: Path | None
) -> None:
    """Refuse options that would go unheard."""
    expected = {2} if folds is None else {1, 2} if task == "summarization" else {1}
    if len(paths) not in expected:
        raise typer.BadParameter("expected MODEL and CORPUS, or with --folds CORPUS alone")
    if folds is not None and train is not None:
        raise typer.BadParameter("--train: with --folds systems learn from the corpus itself")
    if permutations is not None and task != "discrimination":
        raise typer.BadParameter("--permutations: only --task discrimination compares with given orders")


def _names(systems: str) -> list[str]:
    return [name.strip() for name in systems.split(",")]


def _shorter(corpus: "Corpus", max_sentences: int | None) -> "Corpus":
    if max_sentences is None:
        return corpus
    kept = corpus.select(i for i, document in enumerate(corpus) if len(document) <= max_sentences)
    if not len(kept):
        raise InputError(f"--max-sentences {max_sentences}: no document is that short")
    return kept


def _systems(names: list[str], model: Path, train: "Corpus | None", pipeline: str | None) -> "dict[str, Orderer]":
    """Load the content model and train its rivals."""
    from driftline.evaluation.comparison import SYSTEMS, train_system
    from driftline.storage import load

    loaded = load(model)
    systems: dict[str, Orderer] = {}
    for name in names:
        if name == "content" or (name == "best" and (train is None or loaded.ordering == "best")):
            systems[name] = loaded.with_ordering(name)  # type: ignore[arg-type]
        elif train is None and name in SYSTEMS and name != "random":
            raise InputError(f"system {name!r} learns from text, which no model file holds; name it with --train")
        else:
            systems[name] = train_system(name, train, loaded.settings, pipeline)
    return systems
