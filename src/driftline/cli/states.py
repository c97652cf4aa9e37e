"""`driftline states`: how many states suit a corpus, for users without a development set."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
    whole,
    whole_option,
)

if TYPE_CHECKING:
    from driftline.tuning.sizes import SizeCurve

_BAR = 20


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline states train.jsonl --sizes 3,6,9 --folds 3")(states)


def states(
    corpus: Annotated[Path, typer.Argument(help="The documents: a folder of .txt files, .jsonl, ...")],
    sizes: Annotated[str, typer.Option(help="Numbers of states by commas; from 3 to 135 if left out.")] = "",
    folds: Annotated[int, whole_option("For the held-out probability.")] = 5,
    refits: Annotated[int, whole_option("Random parts of the documents, for the stability.")] = 5,
    seed: Annotated[int, whole_option("Decides folds and parts.", parser=natural)] = 0,
    workers: Annotated[int, whole_option("Processes.", parser=positive)] = 1,
    spans: Spans = "sentences",
    column: Column = "text",
    encoding: Encoding = "utf-8",
    language: Language = "en",
    json: Json = False,
) -> None:
    """Show what unseen documents and other samples say of the number of states, and recommend one."""
    from driftline.tuning.sizes import states_curve

    wanted = [whole(size) for size in sizes.split(",")] if sizes else []
    reading = {"spans": spans, "column": column, "encoding": encoding, "language": language}
    with progress("Comparing sizes") as say:
        documents = read_corpus(corpus, **reading)
        curve = states_curve(
            documents, wanted, n_folds=folds, n_refits=refits, seed=seed, workers=workers, on_progress=say
        )
    if json:
        print_json(curve)
        return
    for line in _table(curve):
        print(line)


def _table(curve: "SizeCurve") -> list[str]:
    """Draw two of the curves as bars."""
    lines = [
        f"{'states':>6}  {'log p a word':>20}  {'order told from random':{_BAR + 18}}  {'stability':{_BAR + 5}}",
    ]
    for point in curve.points:
        log_probability = f"{point.log_probability:.2f} [{point.log_low:.2f}, {point.log_high:.2f}]"
        told = f"{point.discrimination:4.0%} [{100 * point.low:2.0f}, {100 * point.high:3.0f}]"
        good = "*" if point.as_good_as_best else " "
        bars = ("█" * round(max(0.0, value) * _BAR) for value in (2 * point.discrimination - 1, point.stability))
        first, second = (f"{bar:{_BAR}}" for bar in bars)
        line = f"{point.n_states:6}  {log_probability:>20}  {told} {good} {first}  {point.stability:4.2f} {second}"
        lines.append(line.rstrip())
    return [
        *lines,
        "* as often as the best, within what other documents would move",
        "",
        curve.advice,
        curve.signature,
    ]
