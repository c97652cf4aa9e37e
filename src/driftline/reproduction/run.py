"""The whole reproduction: read the experiments, tune, run all cells, and write one page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from driftline.errors import InputError
from driftline.files import make_folder, write_atomically
from driftline.parallel import check_workers
from driftline.reproduction.cells import short_name
from driftline.reproduction.data import Bundled, Source
from driftline.reproduction.experiments import Experiment, experiments_folder, names_in, read_experiment
from driftline.reproduction.markdown import markdown
from driftline.reproduction.page import page
from driftline.reproduction.plan import Planned, exam_cells, prepare, rows, tuning_cells
from driftline.reproduction.report import Report, Section, section_of
from driftline.reproduction.store import run_cells
from driftline.settings import Transitions
from driftline.signature import signature

Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to run, and how."""

    only: tuple[str, ...] = ()
    """The tables and figures; all of them if none is named."""
    quick: bool = False
    experiments: Path | None = None
    """The folder of TOML files; the project's own if none is named."""
    max_sentences: int | None = None
    """Leaves out longer documents, in place of what the TOML says."""
    transitions: Transitions | None = None
    """Transition rows, in place of what the TOML says."""
    workers: int = 1

    def __post_init__(self) -> None:
        check_workers(self.workers)


@dataclass(frozen=True)
class Reproduced:
    """The report, and the tables that could not be run at all, a sentence each."""

    report: Report
    failed: tuple[str, ...]


def reproduce(
    output: Path, source: Source | None = None, plan: Plan | None = None, *, on_progress: Say = lambda _: None
) -> Reproduced:
    """Run the paper's tables and figures, and write index.html, report.md and report.json into a folder.

    What was done is kept in its folder `cells`: stopped at any moment, the same call goes on from there. The
    bytes of all three files depend on documents, experiments and version alone.
    """
    source, plan = source or Bundled(), plan or Plan()
    planned, failed = _planned(plan, source)
    if not planned:
        raise InputError("\n".join(failed))
    cells = output / "cells"
    make_folder(output)
    results: dict[str, Any] = run_cells(
        [cell for one in planned for _, _, cell in tuning_cells(one)], cells, plan.workers, on_progress
    )
    work = [cell for one in planned for _, cell in exam_cells(one, results)]
    results |= run_cells(work, cells, plan.workers, on_progress)
    sections = []
    for one in planned:
        section = _section(one, results)
        sections.append(section)
        if not section.rows:
            failed.append(f"{section.name}: nothing could be run ({'; '.join(section.problems)})")
    report = _report(sections, source.about, plan, results)
    write_atomically(output / "report.json", msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    write_atomically(output / "report.md", markdown(report))
    write_atomically(output / "index.html", page(report))
    return Reproduced(report, tuple(failed))


def _planned(plan: Plan, source: Source) -> tuple[list[Planned], list[str]]:
    """Read the experiments; one that is broken or unknown does not keep the others from running."""
    folder = plan.experiments or experiments_folder()
    planned, failed = [], []
    for name in plan.only or names_in(folder):
        try:
            experiment = _changed(read_experiment(folder, name), plan)
        except InputError as error:
            failed.append(str(error))
            continue
        effort = experiment.quick if plan.quick else experiment.full
        if plan.max_sentences is not None:
            effort = msgspec.structs.replace(
                effort, max_sentences=plan.max_sentences, tuned_sentences=plan.max_sentences
            )
        planned.append(prepare(experiment, effort, source))
    return sorted(planned, key=lambda one: (one.experiment.order, one.experiment.name)), failed


def _changed(experiment: Experiment, plan: Plan) -> Experiment:
    if plan.transitions is None:
        return experiment
    return msgspec.structs.replace(experiment, settings={**experiment.settings, "transitions": plan.transitions})


def _section(planned: Planned, results: dict[str, Any]) -> Section:
    found = rows(planned, results)
    limit = planned.effort.max_sentences
    protocol = [f"{domain.name}: {domain.protocol}." for domain in planned.domains]
    if "ordering" in planned.experiment.measures:
        protocol.append(
            f"Only documents of 2 to {limit} sentences are ordered and ranked, every one of them exactly."
        )
    if planned.experiment.needs_tuning():
        longest = planned.effort.tuned_sentences
        protocol.append(f"Settings are tuned on documents of 2 to {longest} sentences.")
    return section_of(planned.experiment, protocol, found, planned.problems)


def _report(sections: Sequence[Section], kind: str, plan: Plan, results: dict[str, Any]) -> Report:
    effort = "quick" if plan.quick else "full"
    line = signature(
        reproduced="+".join(section.name for section in sections),
        of=kind,
        effort=effort,
        max_sentences=plan.max_sentences,
        rows=plan.transitions,
        cells=short_name("\n".join(sorted(results))),
    )
    return Report(kind, effort, line, tuple(sections))
