"""What the paper's protocol decides: the tables of docs/reproduction.md, measured anew and, with --write, put there.

    python benchmarks/protocol.py CORPORA [--only earthquakes] [--workers 2] [--write]

CORPORA is a folder with `earthquakes` and `accidents`, each with train.jsonl and dev.jsonl, and a folder `body` with
the same documents without boilerplate. All documents are cross-validated in five folds. It
is no part of `make bench`: a domain takes some minutes.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from driftline.evaluation.metrics import ordering_figures
from driftline.evaluation.outcomes import OrderingOutcome
from driftline.evaluation.tables import figure_text
from driftline.reproduction.cells import OrderingCell, TuneCell
from driftline.reproduction.data import Folder, Part
from driftline.reproduction.store import run_cells
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from driftline.tuning.tuning import Tuning
from measure import signature

PAGE = Path(__file__).parents[1] / "docs" / "reproduction.md"
DOMAINS = ("earthquakes", "accidents")
SEEDS = (0,)
FIGURES = ("Kendall's tau", "original order found", "rank 0-4", "mean rank")
TRIALS = 20
LIMIT = 10
"""Sentences: 10! is the 'more than three million' orders that the paper speaks of."""


@dataclass(frozen=True)
class Protocol:
    """One way to measure the same model."""

    split: str = "story"
    variant: str | None = None
    max_sentences: int = LIMIT
    settings: Settings = Settings()  # noqa: RUF009 (it is frozen)
    tuned: bool = False


BASE = Protocol()
SHARP = Settings.paper()
PROTOCOLS = {
    "by story, as it stands, up to 10 sentences, defaults": BASE,
    "split at random": Protocol(split="random"),
    "without boilerplate": Protocol(variant="body"),
    "split at random, without boilerplate": Protocol(split="random", variant="body"),
    "up to 7 sentences": Protocol(max_sentences=7),
    "up to 11 sentences": Protocol(max_sentences=11),
    "the paper's sharp smoothing": Protocol(settings=SHARP),
    "transitions normalised": Protocol(settings=Settings(transitions="normalised")),
    "tuned on a fifth of the training documents": Protocol(tuned=True),
    "split at random, sharp smoothing": Protocol(split="random", settings=SHARP),
    "split at random, tuned": Protocol(split="random", tuned=True),
}
"""Each row differs from the first in what it names."""


@dataclass(frozen=True)
class Measured:
    """What one protocol came to, with the documents of each fold."""

    outcomes: list[OrderingOutcome]
    parts: list[Part]
    by_part: list[list[OrderingOutcome]]


def measure(domain: str, protocol: Protocol, corpora: Path, kept: Path, workers: int) -> Measured:
    """Learn and order in each fold of each seed."""
    parts = [p for seed in SEEDS for p in _folder(corpora, protocol, seed).domain(domain).parts]
    settings = list(_settings(domain, protocol, parts, kept, workers))
    cells = [
        OrderingCell(domain, "content", part.train, part.test, of_part, protocol.max_sentences)
        for part, of_part in zip(parts, settings, strict=True)
    ]
    results = run_cells(cells, kept, workers)
    by_part = [results[cell.key] for cell in cells]
    return Measured([outcome for of_part in by_part for outcome in of_part], parts, by_part)


def _folder(corpora: Path, protocol: Protocol, seed: int) -> Folder:
    return Folder(corpora, protocol.split, protocol.variant, seed)  # type: ignore[arg-type]


def _settings(domain: str, protocol: Protocol, parts: Sequence[Part], kept: Path, workers: int) -> Iterator[Settings]:
    if not protocol.tuned:
        yield from (protocol.settings for _ in parts)
        return
    tuning = Tuning(max_trials=TRIALS, max_sentences=protocol.max_sentences)
    cells = [TuneCell(domain, *part.tuned_on, part.test, part.train, tuning) for part in parts]
    results = run_cells(cells, kept, workers)
    yield from (results[cell.key].settings for cell in cells)


def protocol_table(domain: str, corpora: Path, kept: Path, workers: int) -> str:
    """Lay out all protocols for one domain."""
    lines = ["| | documents | " + " | ".join(FIGURES) + " |", "|---|--:|" + "--:|" * len(FIGURES)]
    for name, protocol in PROTOCOLS.items():
        lines.append(_row(name, measure(domain, protocol, corpora, kept, workers).outcomes))
        print(lines[-1], flush=True)
    return "\n".join(lines)


def story_table(domain: str, corpora: Path, kept: Path, workers: int) -> str:
    """Part the documents of a random split by whether a report of the same story was learned from."""
    story = {document.id: document.story for part in Folder(corpora).domain(domain).parts for document in part.test}
    lines = ["| | documents | " + " | ".join(FIGURES) + " |", "|---|--:|" + "--:|" * len(FIGURES)]
    for name, protocol in (
        ("defaults", PROTOCOLS["split at random"]),
        ("sharp smoothing", PROTOCOLS["split at random, sharp smoothing"]),
    ):
        found = measure(domain, protocol, corpora, kept, workers)
        for is_seen, what in ((True, "its story is among the training documents"), (False, "its story is not")):
            outcomes = [
                replace(outcome, group=f"{story[outcome.document]}")
                for part, of_part in zip(found.parts, found.by_part, strict=True)
                for outcome in of_part
                if (story[outcome.document] in _stories(part.train, story)) == is_seen
            ]
            lines.append(_row(f"{what}, {name}", outcomes))
            print(lines[-1], flush=True)
    return "\n".join(lines)


def _stories(train: Corpus, story: dict[str, str | None]) -> set[str | None]:
    return {story[document.id] for document in train}


def _row(name: str, outcomes: Sequence[OrderingOutcome]) -> str:
    found = {figure.name: figure_text(figure) for figure in ordering_figures(outcomes)}
    n_documents = len({outcome.document for outcome in outcomes})
    return f"| {name} | {n_documents} | " + " | ".join(found[figure] for figure in FIGURES) + " |"


def main() -> None:
    """Print each table, and put it into the page where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--only", choices=DOMAINS, action="append")
    parser.add_argument("--kept", type=Path, default=Path("protocol-cells"), help="a folder for what is done")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    for domain in options.only or DOMAINS:
        for name, table in (("protocol", protocol_table), ("stories", story_table)):
            print(f"\n{name}, {domain}\n", flush=True)
            made = table(domain, options.corpora, options.kept, options.workers)
            if options.write:
                _write(f"{name}: {domain}", made)
    print(f"\n{signature()}")


def _write(name: str, table: str) -> None:
    """Replace what stands between the page's marks for this table."""
    text = PAGE.read_text("utf-8")
    marks = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    if not marks.search(text):
        raise SystemExit(f"{PAGE} has no place for the table {name!r}")
    PAGE.write_text(marks.sub(lambda match: match[1] + table + match[2], text), "utf-8")


if __name__ == "__main__":
    main()
