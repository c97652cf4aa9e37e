"""`driftline reproduce`: the paper's tables and figures, run again."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from driftline.cli.common import Json, positive, print_json, print_text, progress, whole_option
from driftline.errors import InputError

if TYPE_CHECKING:
    from driftline.reproduction.data import Source


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline reproduce --quick --only table1 --output reproduced")(reproduce)


def reproduce(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder for the page, its Markdown and JSON, and what is done.")
    ],
    data: Annotated[
        Path | None, typer.Option(help="A folder of real corpora, DOMAIN/train.jsonl, ...; else the bundled ones.")
    ] = None,
    only: Annotated[str, typer.Option(help="Tables and figures by commas; all of them if left out.")] = "",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer documents, trials and draws.")] = False,
    split: Annotated[
        Literal["story", "random"], typer.Option(help="How --data without a test set is cut for cross-validation.")
    ] = "story",
    variant: Annotated[
        str | None, typer.Option(help="A folder inside of each domain of --data, such as one without boilerplate.")
    ] = None,
    max_sentences: Annotated[
        int | None, whole_option("Leave out longer documents; each TOML has its own limit.", parser=positive)
    ] = None,
    transitions: Annotated[
        Literal["as-printed", "normalised"] | None, typer.Option(help="Transition rows of all content models.")
    ] = None,
    experiments: Annotated[Path | None, typer.Option(help="A folder of TOML files of your own.")] = None,
    workers: Annotated[int, whole_option("Processes.", parser=positive)] = 1,
    json: Json = False,
) -> None:
    """Run the paper's tables and figures again, and write one page with what was published beside it."""
    from driftline.reproduction.run import Plan
    from driftline.reproduction.run import reproduce as run

    plan = Plan(
        only=tuple(name.strip() for name in only.split(",") if name.strip()), quick=quick, experiments=experiments,
        max_sentences=max_sentences, transitions=transitions, workers=workers,
    )  # fmt: skip
    with progress("Reproducing") as say:
        found = run(output, _source(data, split, variant), plan, on_progress=say)
    for section in found.report.sections:
        for problem in section.problems:
            print_text(f"driftline: warning: {section.name}: {problem}", file=sys.stderr)
    if json:
        print_json(found.report)
    else:
        for section in found.report.sections:
            print_text(f"{section.where}: {section.title}, {len(section.rows)} figures")
        print_text(f"Wrote {output / 'index.html'}, report.md and report.json ({found.report.kind} documents).")
    if found.failed:
        raise InputError("\n".join(found.failed))


def _source(data: Path | None, split: Literal["story", "random"], variant: str | None) -> "Source | None":
    from driftline.reproduction.data import Folder

    if data is None:
        if split != "story" or variant is not None:
            raise typer.BadParameter(
                "--split and --variant say how --data is read; the bundled corpora are as they are"
            )
        return None
    return Folder(data, split, variant)
