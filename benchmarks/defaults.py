"""How the default settings were chosen: the ordering task, cross-validated by story, over several corpora.

    python benchmarks/defaults.py CORPORA [--seed 0] [--choices defaults "T = 4"] [--no-ordering] [--workers 1]

CORPORA is a folder of folders, each with a train.jsonl and a dev.jsonl. Each row is one choice of settings;
each figure is the mean over documents of "pairwise discrimination in % / Kendall's tau (states)". "against"
is how far the mean discrimination over the corpora is from the first row's, with a 95 % interval: a bootstrap
over stories, paired by document. The seed draws folds, documents and shuffles: another one is another exam.
Only documents of up to ten sentences are ordered, which a second is enough for; --no-ordering leaves tau out.
It is no part of `make bench`: a row takes half a minute or more.
"""

import argparse
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from driftline import Corpus, DriftlineWarning, Settings, fit, order
from driftline.evaluation.comparison import folds
from driftline.evaluation.metrics import kendall_tau
from driftline.evaluation.ordering_exam import ExamRules, examine_discrimination, fit_for_exam, shuffle
from driftline.evaluation.outcomes import group_of
from driftline.model.clustering import bigram_features, canonical_order, merges_of
from driftline.model.content_model import encode_corpus
from driftline.signature import signature

CORPORA = ("earthquakes", "accidents", "earthquakes/body", "accidents/body", "ap89-finance", "reuters-moneyfx",
           "bbc-summ-business", "csabstruct", "scitldr-a")  # fmt: skip
CHOICES: dict[str, dict[str, object]] = {
    "defaults": {},
    "paper": {
        name: value for name, value in Settings.paper().as_dict().items() if value != getattr(Settings(), name)
    },
    "k natural": {"sentences_a_cluster": None},
    "k = n/10": {"sentences_a_cluster": 10},
    "k = n/8": {"sentences_a_cluster": 8},
    "k = n/6": {"sentences_a_cluster": 6},
    "k = n/4": {"sentences_a_cluster": 4},
    "k = n/8, T = 4": {"sentences_a_cluster": 8, "min_cluster_size": 4},
    "T = 2": {"min_cluster_size": 2},
    "T = 4": {"min_cluster_size": 4},
    "T = 6": {"min_cluster_size": 6},
    "T = 10": {"min_cluster_size": 10},
    "delta 1 = 0.01": {"emission_smoothing": 0.01},
    "delta 1 = 0.3": {"emission_smoothing": 0.3},
    "delta 1 = 1": {"emission_smoothing": 1.0},
    "delta 2 = 0.1": {"transition_smoothing": 0.1},
    "delta 2 = 10": {"transition_smoothing": 10.0},
    "rows normalised": {"transitions": "normalised"},
    "no re-estimation": {"max_iterations": 0},
}
"""Settings that differ from the defaults; k is that of each training corpus (None: all merges above cosine 0)."""
MAX_DOCUMENTS, LONGEST_ORDERED, SECONDS_TO_ORDER = 110, 10, 1.0
N_FOLDS, N_DRAWS = 5, 2000


@dataclass(frozen=True)
class Job:
    """One cell of the table, to be measured."""

    choice: str
    folder: Path
    seed: int
    ordering: bool


@dataclass(frozen=True)
class Cell:
    """What one choice did on one corpus."""

    won: Mapping[str, float]
    """The share of pairs won, by document."""
    stories: Mapping[str, str]
    tau: float | None
    n_states: float
    signature: str

    def __str__(self) -> str:
        return f"{_figures(self.won.values(), [self.tau])} ({self.n_states:.0f})"


def main() -> None:
    """Print a row for each choice as soon as it is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--choices", nargs="+", choices=CHOICES, default=list(CHOICES), metavar="CHOICE")
    parser.add_argument("--no-ordering", action="store_true")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    names = [name for name in CORPORA if (options.corpora / name).is_dir()]
    print(f"| choice | mean | against | {' | '.join(names)} |\n|{'---|' * (3 + len(names))}")
    jobs = [
        Job(choice, options.corpora / name, options.seed, ordering=not options.no_ordering)
        for choice in options.choices
        for name in names
    ]
    first: list[Cell] = []
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        cells = pool.map(examine, jobs)
        for choice in options.choices:
            row = [next(cells) for _ in names]
            first = first or row
            print(f"| {choice} | {_mean(row)} | {_against(first, row)} | {' | '.join(map(str, row))} |", flush=True)
    print("\n" + "\n".join(f"{name}: {cell.signature}" for name, cell in zip(names, first, strict=True)))


def examine(job: Job) -> Cell:
    """Cross-validate one choice on one corpus."""
    warnings.simplefilter("ignore", DriftlineWarning)
    choice, seed = job.choice, job.seed
    corpus = Corpus(tuple(d for part in ("train", "dev") for d in Corpus.read(job.folder / f"{part}.jsonl")))
    if len(corpus) > MAX_DOCUMENTS:
        corpus = corpus.select(np.sort(np.random.default_rng(seed).permutation(len(corpus))[:MAX_DOCUMENTS]))
    won, stories, taus, sizes = {}, {}, [], []
    for train, test in folds(corpus, N_FOLDS, seed):
        model = fit(train, settings_for(choice, train))
        sizes.append(model.n_states)
        for document in fit_for_exam(test):
            outcome = examine_discrimination(model, document, ExamRules(seed=seed))
            won[document.id], stories[document.id] = outcome.won / outcome.n_pairs, group_of(document)
            if job.ordering and len(document) <= LONGEST_ORDERED:
                shown = shuffle(document, seed)
                best = order(model, shown.document, time_limit=SECONDS_TO_ORDER)
                taus.append(kendall_tau(shown.as_read(best.order)))
    used = {**Settings().as_dict(), **CHOICES[choice]}
    line = signature(
        data=corpus.data_hash, documents=len(won), ordered=len(taus), folds=N_FOLDS, **used | {"seed": seed}
    )
    return Cell(won, stories, float(np.mean(taus)) if taus else None, float(np.mean(sizes)), line)


def settings_for(choice: str, train: Corpus) -> Settings:
    """Return a choice's settings for one training corpus."""
    fields = {"n_examples": 0, **CHOICES[choice]}
    if "sentences_a_cluster" in fields:
        fields["n_clusters"] = n_clusters(train, fields.pop("sentences_a_cluster"))
    return Settings(**fields)


def n_clusters(train: Corpus, sentences_a_cluster: int | None) -> int:
    """Return k by a rule: a share of the sentences, or all merges of sentences that have something in common."""
    if sentences_a_cluster:
        return train.n_sentences // sentences_a_cluster
    _, encoded = encode_corpus(train, Settings())
    return encoded.n_sentences - len(merges_of(bigram_features(encoded)[canonical_order(encoded)]))


def _mean(row: list[Cell]) -> str:
    return _figures([float(np.mean(list(cell.won.values()))) for cell in row], [cell.tau for cell in row])


def _figures(won: Iterable[float], taus: Sequence[float | None]) -> str:
    measured = [tau for tau in taus if tau is not None]
    discrimination = f"{100 * np.mean(list(won)):.1f}"
    return f"{discrimination} / {np.mean(measured):.2f}" if measured else discrimination


def _against(first: list[Cell], row: list[Cell]) -> str:
    """Draw stories anew in each corpus, the same ones for both rows."""
    if row is first:
        return ""
    drawn, found = np.zeros(N_DRAWS), []
    for number, (one, other) in enumerate(zip(first, row, strict=True)):
        gain = {document: 100 * (other.won[document] - one.won[document]) for document in one.won}
        _, place = np.unique([one.stories[document] for document in gain], return_inverse=True)
        total, size = np.bincount(place, weights=list(gain.values())), np.bincount(place)
        draws = np.random.default_rng(number).integers(len(size), size=(N_DRAWS, len(size)))
        drawn += total[draws].sum(axis=1) / size[draws].sum(axis=1)
        found.append(np.mean(list(gain.values())))
    low, high = np.quantile(drawn / len(row), [0.025, 0.975])
    return f"{np.mean(found):+.1f} [{low:+.1f}, {high:+.1f}]"


if __name__ == "__main__":
    main()
