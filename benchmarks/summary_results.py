"""The tables of docs/summaries.md: all summarizers, and why they stand as they do; --write puts them into the page.

    python benchmarks/summary_results.py [CORPORA] [--only "synthetic curve"] [--write]

The bundled pairs are synthetic. CORPORA is a folder with `bbc-summ-business` and `bbc-summ-politics`, each with a
train.jsonl and a dev.jsonl; without it only the bundled tables are printed. All of them take some minutes.
"""

import argparse
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

import driftline
from driftline import ContentModel, Corpus, Settings, fit, learn_summaries, sample_corpus
from driftline.baselines.lead import Lead
from driftline.evaluation.folds import N_FOLDS, folds
from driftline.evaluation.metrics import summary_figures
from driftline.evaluation.outcomes import SummaryOutcome
from driftline.evaluation.summary_comparison import compare_summarizers, cross_validate_summaries
from driftline.evaluation.summary_curve import learning_curve
from driftline.evaluation.summary_exam import SUMMARIZERS, examine_summary, train_summarizer, with_summaries
from driftline.evaluation.tables import comparison_table, curve_table, figure_text, markdown_table
from driftline.tasks.summarization import Summarizer
from measure import put_into_page, read_splits, signature
from summarizers import GoldTopics, States, Votes, halves, location, with_state, words

PAGE = Path(__file__).parents[1] / "docs" / "summaries.md"
CORPORA = ("bbc-summ-business", "bbc-summ-politics")
N_PAIRS = 30
CHANGES: dict[str, dict[str, object]] = {
    "the defaults": {},
    "10 states": {"n_states": 10},
    "20 states": {"n_states": 20},
    "40 states": {"n_states": 40},
    "80 states": {"n_states": 80},
    "40 clusters to begin with": {"n_clusters": 40},
    "emission smoothing 0.001": {"emission_smoothing": 1e-3},
    "emission smoothing 1": {"emission_smoothing": 1.0},
    "transition smoothing 100": {"transition_smoothing": 100.0},
    "no masking": {"masking": "none"},
}

Outcomes = dict[str, list[SummaryOutcome]]


@dataclass(frozen=True)
class Split:
    """Pairs to learn from, documents to examine, and a model of the former's domain that saw none of the latter."""

    model: ContentModel
    pairs: Corpus
    test: Corpus


def splits(name: str, corpora: Path | None, settings: Settings) -> Iterator[Split]:
    """Cut the bundled pairs into halves, ten times; a real corpus into five folds."""
    if name == "synthetic":
        model = fit(sample_corpus("earthquakes"), settings)
        for pairs, test in halves(sample_corpus("earthquakes", "pairs")):
            yield Split(model, pairs, Corpus(tuple(with_summaries(test))))
        return
    for pairs, rest in folds(_real(name, corpora), N_FOLDS, 0):
        yield Split(fit(pairs, settings), pairs, Corpus(tuple(with_summaries(rest))))


@cache
def _real(name: str, corpora: Path | None) -> Corpus:
    assert corpora is not None
    return read_splits(corpora / name, "train", "dev")


# All systems


def _table(name: str, corpora: Path | None) -> str:
    if name != "synthetic":
        return comparison_table(cross_validate_summaries(_real(name, corpora)))
    pairs, model = sample_corpus("earthquakes", "pairs"), fit(sample_corpus("earthquakes"))
    train, test = pairs.select(range(N_PAIRS)), pairs.select(range(N_PAIRS, len(pairs)))
    systems = {system: train_summarizer(system, model, train) for system in SUMMARIZERS}
    parts = {"seed": 0, "pairs": f"{N_PAIRS} of {train.data_hash}", **model.signature_parts}
    return comparison_table(compare_summarizers(systems, test, parts))


def _curve(_: Path | None) -> str:
    pairs, model = sample_corpus("earthquakes", "pairs"), fit(sample_corpus("earthquakes"))
    train, test = pairs.select(range(N_PAIRS)), pairs.select(range(N_PAIRS, len(pairs)))
    return curve_table(learning_curve(model, train, test, [3, 5, 10, 15, 20, 25, 30], n_draws=20))


# Why


def _why(corpora: Path | None) -> str:
    columns = {name: _altered(name, corpora) for name in _names(corpora)}
    return _side_by_side(columns)


def _altered(name: str, corpora: Path | None) -> dict[str, str]:
    """Examine what the content model and the classifier are made of; tell how many sentences have a known topic."""
    outcomes: Outcomes = {}
    unknown, largest = [], []
    for split in splits(name, corpora, Settings()):
        _examine(_parts(split), split.test, outcomes)
        states = np.concatenate([split.model.v_topics(document) for document in split.test])
        known = learn_summaries(split.model, split.pairs).summaries
        assert known is not None
        unknown.append(1 - known.known[states].mean())
        largest.append(np.sort(np.bincount(states))[-3:].sum() / len(states))
    cells = _cells(outcomes)
    cells["test sentences in a state without a probability"] = f"{np.mean(unknown):.0%}"
    cells["test sentences in the three largest states"] = f"{np.mean(largest):.0%}"
    return cells


def _parts(split: Split) -> dict[str, Summarizer]:
    model, pairs = split.model, split.pairs
    systems: dict[str, Summarizer] = {
        "content model": learn_summaries(model, pairs),
        "... its topics found in the article, not in the summary": learn_summaries(model, pairs, topics_of="article"),
        "... without pairs, by centrality": model,
        "... shares drawn to the mean": States.drawn_to_the_mean(model, pairs),
        "... shares counted on the test documents (an oracle)": States.counted_on(model, split.test),
    }
    if split.test[0].labels:
        gold = GoldTopics.learn(pairs)
        named = States.named(model, sample_corpus("earthquakes"), gold)
        systems["... states with the share of their commonest gold topic (an oracle)"] = named
        systems["gold topics in place of states (an oracle)"] = gold
    return systems | {
        "lead": Lead(),
        "classifier (words and thirds)": train_summarizer("classifier", None, pairs),
        "... thirds alone": Votes.learn(pairs, location),
        "... words alone": Votes.learn(pairs, words),
        "... words, thirds and state": Votes.learn(pairs, with_state(model)),
    }


def _settings(corpora: Path | None) -> str:
    columns: dict[str, dict[str, str]] = {}
    for name in _names(corpora):
        outcomes: Outcomes = {}
        for change, given in CHANGES.items():
            for split in splits(name, corpora, Settings(**given)):  # type: ignore[arg-type]
                _examine({change: learn_summaries(split.model, split.pairs)}, split.test, outcomes)
        columns[name] = _cells(outcomes)
    return _side_by_side(columns)


def _names(corpora: Path | None) -> tuple[str, ...]:
    return ("synthetic", *(CORPORA if corpora else ()))


def _examine(systems: Mapping[str, Summarizer], test: Corpus, outcomes: Outcomes) -> None:
    for name, system in systems.items():
        outcomes.setdefault(name, []).extend(examine_summary(system, document, rouge=False) for document in test)


def _cells(outcomes: Outcomes) -> dict[str, str]:
    return {name: figure_text(summary_figures(found)[0]) for name, found in outcomes.items()}


def _side_by_side(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Lay out a table, a column a corpus, and say what it was made from."""
    rows = dict.fromkeys(row for column in columns.values() for row in column)
    names = [f"earthquakes, {name}" if name == "synthetic" else name for name in columns]
    table = [["", *names], *([row, *(column.get(row, "") for column in columns.values())] for row in rows)]
    return "\n".join([markdown_table(table), "", f"Default settings but for what is named; {signature()}"])


TABLES: dict[str, Callable[[Path | None], str]] = {
    **{name: partial(_table, name) for name in ("synthetic", *CORPORA)},
    "synthetic curve": _curve,
    "why": _why,
    "settings": _settings,
}


def main() -> None:
    """Print each table, and put it into the page where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path, nargs="?")
    parser.add_argument("--only", choices=list(TABLES), action="append")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", driftline.DriftlineWarning)
    for name in options.only or TABLES:
        if options.corpora is None and name.startswith(CORPORA):
            continue
        table = TABLES[name](options.corpora)
        print(f"\n{name}\n\n{table}", flush=True)
        if options.write:
            put_into_page(PAGE, f"summaries: {name}", table)


if __name__ == "__main__":
    main()
