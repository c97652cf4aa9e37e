"""`driftline tune`: search for the settings that suit a corpus."""

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
    whole_option,
)

if TYPE_CHECKING:
    from driftline.tuning.tuning import Tuned


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline tune train.jsonl --dev dev.jsonl --output tuned.toml")(tune)


def tune(
    corpus: Annotated[Path, typer.Argument(help="The training documents: a folder of .txt files, .jsonl, ...")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="SETTINGS", help="Where to write the settings, for fit.")
    ],
    dev: Annotated[
        Path | None, typer.Option(help="Documents to choose by; without them: cross-validation by story.")
    ] = None,
    test: Annotated[
        Path | None,
        typer.Option(help="Documents to judge the choice by; without them: some that it was not made on."),
    ] = None,
    objective: Annotated[
        Literal["ordering", "prediction", "discrimination", "summarization"],
        typer.Option(help="What to do well: Kendall's tau, original orders found, ... (docs/tuning.md)."),
    ] = "ordering",
    search: Annotated[
        Literal["powell", "sweep"], typer.Option(help="Powell's method, as the paper; or a long sweep by Optuna.")
    ] = "powell",
    trials: Annotated[int, whole_option("Settings tried at the most.", parser=positive)] = 60,
    trials_file: Annotated[
        Path | None,
        typer.Option(
            help="Where each trial is kept, to go on from; SETTINGS.trials if not named.", show_default=False
        ),
    ] = None,
    max_sentences: Annotated[int, whole_option("Longer documents are not ordered.", parser=positive)] = 12,
    folds: Annotated[int, whole_option("For cross-validation.")] = 5,
    workers: Annotated[int, whole_option("Processes, for a sweep.", parser=positive)] = 1,
    seed: Annotated[int, whole_option("Decides folds, shuffles and the sweep.", parser=natural)] = 0,
    spans: Spans = "sentences",
    column: Column = "text",
    encoding: Encoding = "utf-8",
    language: Language = "en",
    json: Json = False,
) -> None:
    """Choose k, T and both smoothings for a corpus; stopped at any moment, it goes on where it was."""
    from driftline.files import check_writable
    from driftline.tuning.settings_file import write_settings
    from driftline.tuning.tuning import Tuning
    from driftline.tuning.tuning import tune as choose

    tuning = Tuning(
        objective=objective, method=search, max_trials=trials, max_sentences=max_sentences, n_folds=folds,
        workers=workers, seed=seed,
    )  # fmt: skip
    kept = trials_file or Path(f"{output}.trials")
    for path in (output, kept):
        check_writable(path)
    reading = {"spans": spans, "column": column, "encoding": encoding, "language": language}
    with progress("Tuning") as say:
        documents = [None if path is None else read_corpus(path, **reading) for path in (corpus, dev, test)]
        train, choosing, judging = documents
        assert train is not None
        found = choose(train, choosing, tuning, test=judging, trials_path=kept, on_progress=say)
    write_settings(output, found)
    if json:
        print_json({"settings_file": str(output), "trials_file": str(kept), **_record(found)})
        return
    for line in _report(found):
        print(line)
    print(f"Saved to {output}. Next: driftline fit {corpus} --settings {output} --output MODEL")


def _record(found: "Tuned") -> dict[str, object]:
    return {
        "settings": found.settings.as_dict(),
        "objective": found.objective,
        "chosen_on": found.chosen_on,
        "held_out": found.held_out,
        "n_trials": found.n_trials,
        "signature": found.signature,
    }


def _report(found: "Tuned") -> list[str]:
    """Say what was found, and whether it holds where nothing was chosen."""
    from driftline.tuning.objective import OBJECTIVES
    from driftline.tuning.space import point_of

    lines = [
        f"{point_of(found.settings)}: the best of {found.n_trials} trials.",
        f"Scores are {OBJECTIVES[found.objective]}, with 95 % intervals:",
    ]
    for name, worth in (("chosen on", found.chosen_on), ("held out", found.held_out)):
        lines.append(f"  {name}: {worth.on} ({worth.tuned.n_documents} documents)")
        lines.append(f"    tuned {worth.tuned}, defaults {worth.default}")
    if found.held_out.tuned.value < found.held_out.default.value:
        lines.append("On documents it was not chosen on, the defaults do better: this choice fits its few documents.")
    return lines
