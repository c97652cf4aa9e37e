"""The tables of docs/best-ordering.md: all evidence against the content model, and without each part of it.

    python benchmarks/best_ordering.py CORPORA [--only earthquakes] [--folds 10] [--write]

CORPORA is a folder of collections, each with train.jsonl and dev.jsonl, and train_permutations.jsonl where other
orders to tell from are given. Cross-validated by story: each fold is judged by what was learned from the others.
"""

import argparse
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import driftline
from driftline.evaluation.folds import folds
from driftline.evaluation.metrics import Figure, discrimination_figures, kendall_tau, ordering_figures
from driftline.evaluation.ordering_exam import ExamRules, examine_discrimination, fit_for_exam, shuffle
from driftline.evaluation.outcomes import DiscriminationOutcome, OrderingOutcome, group_of
from driftline.evaluation.permutations import read_permutations
from driftline.signature import signature
from measure import read_splits

PAGE = Path(__file__).parents[1] / "docs" / "best-ordering.md"
RULES = ExamRules(time_limit=3.0)
WITHOUT = {"content": "the content models", "ordered": "ordered pairs", "adjacent": "neighbours", "first": "openings"}
ORDERED_TOO = ("content model alone", "all evidence")
"""Systems that order as well as tell orders apart: ordering takes most of the time."""

Found = dict[str, tuple[list[DiscriminationOutcome], list[OrderingOutcome]]]


def systems(model: driftline.ContentModel) -> Iterator[tuple[str, driftline.ContentModel]]:
    """Return the content model, all evidence, and all evidence but one part, the others weighted as before."""
    mix = model.order_mix
    assert mix is not None
    yield "content model alone", model.with_ordering("content")
    yield "all evidence", model
    for part, words in WITHOUT.items():
        weights = replace(mix.weights, **{part: 0.0})
        yield f"without {words}", replace(model, order_mix=replace(mix, weights=weights))
    evidence = replace(
        mix.evidence,
        **{
            part: replace(regression, feature_weights=np.zeros_like(regression.feature_weights))
            for part, regression in (("ordered", mix.evidence.ordered), ("adjacent", mix.evidence.adjacent))
        },
    )
    yield "without local evidence", replace(model, order_mix=replace(mix, evidence=evidence))


def measure(folder: Path, n_folds: int, most: int) -> tuple[Found, str]:
    """Examine all systems over all folds of a collection, or of as many of its documents."""
    corpus = read_splits(folder, "train", "dev")
    if len(corpus) > most:
        corpus = corpus.select(np.sort(np.random.default_rng(0).permutation(len(corpus))[:most]).tolist())
    path = folder / "train_permutations.jsonl"
    given = read_permutations(path) if path.exists() else {}
    found: Found = {}
    for train, test in folds(corpus, n_folds, 0):
        model = driftline.fit(train, ordering="best")
        for name, system in systems(model):
            told, ordered = found.setdefault(name, ([], []))
            for document in fit_for_exam(test):
                told.append(examine_discrimination(system, document, RULES, given.get(document.id)))
                if name in ORDERED_TOO:
                    ordered.append(_ordered(system, document))
        print(f"{folder.name}: {len(found['all evidence'][0])} of {len(corpus)} documents", flush=True)
    line = signature(
        test=corpus.data_hash, tested=len(corpus), folds=n_folds, seed=0, limit=RULES.time_limit,
        perms="given" if given else "drawn", ordering="best",
    )  # fmt: skip
    return found, line


def _ordered(system: driftline.ContentModel, document: driftline.Document) -> OrderingOutcome:
    """Order one document as the ordering exam does, but leave out the rank, which takes most of its time."""
    shown = shuffle(document, RULES.seed)
    best = driftline.order(system, shown.document, time_limit=RULES.time_limit)
    order = shown.as_read(best.order)
    return OrderingOutcome(
        document=document.id,
        group=group_of(document),
        n_sentences=len(document),
        rank=float("nan"),
        exact=False,
        credit=float(order == sorted(order)),
        tau=kendall_tau(order),
        proved=best.proved,
    )


def table(found: Found, line: str) -> str:
    """Lay the figures out with their intervals and their signature."""
    rows = ["| | discrimination | tau | original order found | proved best |", "|---|--:|--:|--:|--:|"]
    for name, (told, ordered) in found.items():
        cells = [_shown(discrimination_figures(told)[0])]
        if ordered:
            figures = {figure.name: figure for figure in ordering_figures(ordered)}
            proved = sum(outcome.proved for outcome in ordered) / len(ordered)
            cells += [_shown(figures["Kendall's tau"]), _shown(figures["original order found"]), f"{proved:.0%}"]
        rows.append(f"| {name} | {' | '.join(cells + [''] * (4 - len(cells)))} |")
    return "\n".join([*rows, "", f"`{line}`"])


def _shown(figure: Figure) -> str:
    if figure.percent:
        return f"{figure.value:.1%} [{figure.low:.1%}, {figure.high:.1%}]".replace("%", " %")
    return f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"


def main() -> None:
    """Print a table for each collection, and put it into the page where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--only", action="append")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--most", type=int, default=150, help="documents of a larger collection that are taken")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", driftline.DriftlineWarning)
    text = PAGE.read_text("utf-8")
    for name in options.only or re.findall(r"<!-- best: (.+?) -->", text):
        made = table(*measure(options.corpora / name, options.folds, options.most))
        print(f"\n{name}\n\n{made}\n", flush=True)
        if options.write:
            marks = re.compile(rf"(<!-- best: {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
            PAGE.write_text(
                marks.sub(lambda match, new=made: match[1] + new + "\n" + match[2], PAGE.read_text("utf-8")), "utf-8"
            )


if __name__ == "__main__":
    main()
