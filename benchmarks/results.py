"""The tables of docs/results.md: all systems, cross-validated by story, written into the page with --write.

    python benchmarks/results.py CORPORA [--only "earthquakes ordering"] [--workers 2] [--write]

CORPORA is a folder with `earthquakes` and `accidents` (each with train.jsonl, dev.jsonl, and a `body` folder
with the same), `bbc-summ-business` and `bbc-summ-politics`. The bundled (synthetic) tables need none of it.
"""

import argparse
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import driftline
from driftline.evaluation.comparison import SYSTEMS, Plan, Task, cross_validate
from driftline.evaluation.ordering_exam import ExamRules
from driftline.evaluation.permutations import read_permutations
from driftline.evaluation.tables import comparison_table
from driftline.text.corpus import Corpus
from measure import PIPELINE, put_into_page, read_splits, signature

PAGE = Path(__file__).parents[1] / "docs" / "results.md"
ORDER_LIMIT, RANK_LIMIT = 3.0, 0.5  # seconds a document


def _real(folder: str, task: Task, corpora: Path, workers: int) -> str:
    corpus = read_splits(corpora / folder, "train", "dev")
    path = corpora / folder / "train_permutations.jsonl"
    given = read_permutations(path) if task == "discrimination" and path.exists() else {}
    return _compared(corpus, Plan(task=task, permutations=given, workers=workers, pipeline=PIPELINE, rules=_rules()))


def _bundled(domain: str, task: Task, _: Path, workers: int) -> str:
    corpus = driftline.sample_corpus(domain)  # type: ignore[arg-type]
    return _compared(corpus, Plan(task=task, workers=workers, pipeline=PIPELINE, rules=_rules()))


def _rules() -> ExamRules:
    return ExamRules(time_limit=ORDER_LIMIT, rank_time_limit=RANK_LIMIT)


def _compared(corpus: Corpus, plan: Plan) -> str:
    return comparison_table(cross_validate(corpus, SYSTEMS, plan=plan))


REAL = ("earthquakes", "accidents", "earthquakes/body", "accidents/body")
TASKS: tuple[Task, ...] = ("ordering", "discrimination")
TABLES: dict[str, Callable[[Path, int], str]] = {
    **{f"{folder} {task}": partial(_real, folder, task) for folder in REAL for task in TASKS},
    **{f"synthetic {d} {t}": partial(_bundled, d, t) for d in ("earthquakes", "accidents") for t in TASKS},
}


def main() -> None:
    """Print each table, and put it into the page where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--only", choices=list(TABLES), action="append")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", driftline.DriftlineWarning)
    for name in options.only or TABLES:
        table = TABLES[name](options.corpora, options.workers)
        print(f"\n{name}\n\n{table}", flush=True)
        if options.write:
            put_into_page(PAGE, f"results: {name}", table)
    print(f"\n{signature()}")


if __name__ == "__main__":
    main()
