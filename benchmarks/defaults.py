"""How the default settings were chosen: the ordering task, cross-validated by story, over several corpora.

    python benchmarks/defaults.py CORPORA [--workers 2]

CORPORA is a folder of folders, each with a train.jsonl and a dev.jsonl. Each row is one choice of settings;
each figure is the mean over all documents of "pairwise discrimination in % / Kendall's tau (states)".
It is no part of `make bench`: it takes about twenty minutes.
"""

import argparse
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import driftline
from driftline.evaluation.comparison import folds
from driftline.evaluation.metrics import kendall_tau
from driftline.evaluation.ordering_exam import ExamRules, examine_discrimination, fit_for_exam, shuffle

CHOICES = {
    "defaults": {},
    "T = 4": {"min_cluster_size": 4},
    "T = 10": {"min_cluster_size": 10},
    "delta 1 = 1e-8": {"emission_smoothing": 1e-8},
    "delta 1 = 0.01": {"emission_smoothing": 0.01},
    "delta 1 = 1": {"emission_smoothing": 1.0},
    "delta 2 = 0.1": {"transition_smoothing": 0.1},
    "delta 2 = 0.3": {"transition_smoothing": 0.3},
    "delta 2 = 3": {"transition_smoothing": 3.0},
    "rows normalised": {"transitions": "normalised"},
    "k = 60": {"n_clusters": 60},
    "no masking": {"masking": "none"},
    "no re-estimation": {"max_iterations": 0},
}
MAX_DOCUMENTS, LONGEST_ORDERED = 200, 15


def main() -> None:
    """Print a row for each choice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    names = [n for n in ("earthquakes", "accidents", "earthquakes/body", "accidents/body", "ap89-finance",
             "reuters-moneyfx", "bbc-summ-business", "csabstruct", "scitldr-a") if (options.corpora / n).is_dir()]  # fmt: skip
    print(f"{'':18} {'mean':>11}  " + "  ".join(f"{name:>18}" for name in names))
    jobs = [(choice, options.corpora / name) for choice in CHOICES for name in names]
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        found = list(zip(jobs, pool.map(examine, jobs), strict=True))
    for choice in CHOICES:
        row = [figures for (name, _), figures in found if name == choice]
        mean = f"{np.mean([r[0] for r in row]):.1f} / {np.mean([r[1] for r in row]):.2f}"
        print(f"{choice:18} {mean:>11}  " + "  ".join(f"{d:.1f} / {t:.2f} ({m:3.0f})".rjust(18) for d, t, m in row))
    print(
        f"driftline {driftline.__version__}; {MAX_DOCUMENTS} documents of a corpus at the most; seed 0; 5 folds by story"
    )


def examine(job: tuple[str, Path]) -> tuple[float, float, float]:
    """Cross-validate one choice on one corpus: discrimination, tau (of documents up to 15 sentences), states."""
    warnings.simplefilter("ignore", driftline.DriftlineWarning)
    choice, folder = job
    settings = driftline.Settings(**CHOICES[choice])
    corpus = driftline.Corpus(
        tuple(d for part in ("train", "dev") for d in driftline.Corpus.read(folder / f"{part}.jsonl"))
    )
    if len(corpus) > MAX_DOCUMENTS:
        corpus = corpus.select(np.sort(np.random.default_rng(0).permutation(len(corpus))[:MAX_DOCUMENTS]))
    won, taus, sizes = [], [], []
    for train, test in folds(corpus, 5, 0):
        model = driftline.fit(train, settings)
        sizes.append(model.n_states)
        for document in fit_for_exam(test):
            outcome = examine_discrimination(model, document, ExamRules())
            won.append(outcome.won / outcome.n_pairs)
            if len(document) <= LONGEST_ORDERED:
                shown = shuffle(document, 0)
                best = driftline.order(model, shown.document, time_limit=2.0)
                taus.append(kendall_tau(shown.as_read(best.order)))
    return 100 * float(np.mean(won)), float(np.mean(taus)), float(np.mean(sizes))


if __name__ == "__main__":
    main()
