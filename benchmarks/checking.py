"""How often `check` is right: moved sentences, deleted topics, texts of other domains, cross-validated by story.

    python benchmarks/checking.py [CORPORA --real earthquakes --real accidents ...] [--most 100]

Without CORPORA the bundled (synthetic) corpora are examined. CORPORA is a folder whose folders hold `train.jsonl`
and `dev.jsonl`.
"""

import argparse
import warnings
from pathlib import Path

import driftline
from driftline.evaluation.checking_exam import cross_validate_checking
from driftline.evaluation.folds import N_FOLDS, fold_parts
from driftline.evaluation.tables import figure_text
from driftline.samples.corpora import DOMAINS
from driftline.settings import Settings
from driftline.signature import signature
from driftline.text.corpus import Corpus
from measure import SYNTHETIC, read_splits

N_FOREIGN = 20
"""Documents of each other domain that every fold is shown."""


def main() -> None:
    """Print the figures of each corpus, and their signature."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path, nargs="?")
    parser.add_argument("--real", action="append", default=[], help="a folder of CORPORA; may stand repeatedly")
    parser.add_argument("--most", type=int, default=100, help="documents of a corpus at the most")
    options = parser.parse_args()
    warnings.simplefilter("ignore", driftline.DriftlineWarning)
    found = {f"{name} ({SYNTHETIC})": driftline.sample_corpus(name) for name in DOMAINS}  # type: ignore[arg-type]
    real = {name: _read(options.corpora / name, options.most) for name in options.real}
    for name in real or found:
        _print(name, {**found, **real})


def _read(folder: Path, most: int) -> Corpus:
    corpus = read_splits(folder, "train", "dev")
    return corpus.select(range(0, len(corpus), max(1, len(corpus) // most)))


def _print(name: str, corpora: dict[str, Corpus]) -> None:
    corpus, settings = corpora[name], Settings()
    subject = name.partition(" ")[0].partition("/")[0]
    others = {
        other: documents.select(range(min(N_FOREIGN, len(documents))))
        for other, documents in corpora.items()
        if other.partition(" ")[0].partition("/")[0] != subject
    }
    print(f"\n{name}: {len(corpus)} documents")
    for figure in cross_validate_checking(corpus, others, settings):
        print(f"  {figure.name:<46}{figure_text(figure)}")
    print(f"  {signature(task='check', test=corpus.data_hash, **fold_parts(N_FOLDS, settings))}", flush=True)


if __name__ == "__main__":
    main()
