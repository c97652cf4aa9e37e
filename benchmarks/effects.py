"""What the other choice changes: the tables of docs/decisions, measured anew and, with --write, put into the pages.

    python benchmarks/effects.py [--corpora CORPORA] [--only transitions] [--workers 2] [--write]

The bundled corpora are synthetic. CORPORA is a folder with `earthquakes` and `accidents`, each with a
train.jsonl and a dev.jsonl; without it only the synthetic columns are printed, and nothing can be written.
"""

import argparse
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import driftline
from driftline.baselines.lapata import LapataModel
from driftline.evaluation.comparison import folds
from driftline.evaluation.metrics import discrimination_figures
from driftline.evaluation.ordering_exam import ExamRules, examine_discrimination, fit_for_exam
from driftline.evaluation.tables import figure_text
from driftline.kernels.hmm import Chain
from driftline.kernels.order_problem import OrderProblem
from driftline.model.clustering import bigram_features, canonical_order, merges_of
from driftline.model.content_model import AnyDocument, encode_corpus
from driftline.settings import Settings
from driftline.tasks.ordering import Orderer
from driftline.text.corpus import Corpus, Document
from driftline.text.masking import NameEvidence, learn_names, token_classes
from driftline.text.tokens import tokenize
from measure import PIPELINE, SYNTHETIC, read_splits, signature

PAGES = Path(__file__).parents[1] / "docs" / "decisions"
N_FOLDS = 5

# The other choices, where no setting makes them


@dataclass(frozen=True)
class Altered:
    """A content model whose chain of states was changed."""

    model: driftline.ContentModel
    initial: bool
    final: bool

    def order_problem(self, document: AnyDocument) -> OrderProblem:
        """State the problem with the dummy states' probabilities kept or not."""
        chain = self.model.chain
        chain = Chain(chain.log_initial * self.initial, chain.log_transition, chain.log_final * self.final)
        return OrderProblem.of(chain, self.model.log_emission(document))


class LapataProduct(LapataModel):
    """Lapata's model with the product over all pairs of features in place of the mean."""

    def _log_step(self, before: tuple[str, ...], after: tuple[str, ...]) -> float:
        return super()._log_step(before, after) * max(1, len(before) * len(after))


@dataclass(frozen=True)
class WithPunctuation:
    """A content model of words that punctuation belongs to."""

    names: NameEvidence
    model: driftline.ContentModel

    def order_problem(self, document: AnyDocument) -> OrderProblem:
        """State the problem for a document of text."""
        assert isinstance(document, Document)
        return self.model.order_problem(replace(document, words=_with_punctuation(document, self.names)))


def _with_punctuation(document: Document, names: NameEvidence) -> tuple[tuple[str, ...], ...]:
    tokens = [tokenize(sentence) for sentence in document.sentences]
    classes = [token_classes(line, names) for line in tokens]
    return tuple(
        tuple(generic or token.lower() for token, generic in zip(line, found, strict=True))
        for line, found in zip(tokens, classes, strict=True)
    )


def _learn_with_punctuation(train: Corpus) -> Orderer:
    names = learn_names(sentence for document in train for sentence in document.sentences)
    words = Corpus(tuple(replace(document, words=_with_punctuation(document, names)) for document in train))
    return WithPunctuation(names, driftline.fit(words))


def _content(**settings: object) -> Callable[[Corpus], Orderer]:
    return lambda train: driftline.fit(train, Settings(**settings))  # type: ignore[arg-type]


def _dummies(*, initial: bool, final: bool) -> Callable[[Corpus], Orderer]:
    return lambda train: Altered(driftline.fit(train), initial, final)


def _without_stories(corpus: Corpus) -> Corpus:
    return Corpus(tuple(replace(document, story=None) for document in corpus))


DEFAULT = _content()

# By page: what stands before the rows, and for each of them how a system is learned.
DISCRIMINATION: Mapping[str, Mapping[str, Callable[[Corpus], Orderer]]] = {
    "clustering-ties": {"default k": DEFAULT, "k = 40": _content(n_clusters=40)},
    "etcetera": {
        "T = 3 (default)": DEFAULT,
        **{f"T = {size}": _content(min_cluster_size=size) for size in (1, 6, 10)},
        **{f"m = {size}": _content(n_states=size) for size in (20, 40, 60)},
    },
    "initial-and-final": {
        "both (default)": DEFAULT,
        "no final factor": _dummies(initial=True, final=False),
        "neither": _dummies(initial=False, final=False),
    },
    "lapata": {
        "content model": DEFAULT,
        "Lapata, mean (default)": LapataModel.learn,
        "Lapata, product": LapataProduct.learn,
        "Lapata, mean, spaCy": lambda train: LapataModel.learn(train, pipeline=PIPELINE),
    },
    "masking": {
        "built-in (default)": DEFAULT,
        "spaCy": _content(masking=f"spacy:{PIPELINE}"),
        "none": _content(masking="none"),
    },
    "sampling": {
        "all sentences (default)": DEFAULT,
        "sample of 300": _content(max_clustered_sentences=300),
    },
    "stopping": {
        "until it stops (default)": DEFAULT,
        "one round": _content(max_iterations=1),
        "none": _content(max_iterations=0),
    },
    "tokens": {"no punctuation (default)": DEFAULT, "punctuation as words": _learn_with_punctuation},
    "transitions": {"as printed (default)": DEFAULT, "normalised": _content(transitions="normalised")},
}


def discrimination(learn: Callable[[Corpus], Orderer], corpus: Corpus) -> str:
    """Cross-validate by story: how often does the original order score higher than another one?"""
    outcomes = [
        examine_discrimination(system, document, ExamRules())
        for train, test in folds(corpus, N_FOLDS, 0)
        for system in [learn(train)]
        for document in fit_for_exam(test)
    ]
    return figure_text(discrimination_figures(outcomes)[0])


# Tables that are no discrimination: by page, the rows for one corpus


def _clusters(corpus: Corpus) -> dict[str, str]:
    _, encoded = encode_corpus(corpus, Settings())
    n_natural = encoded.n_sentences - len(merges_of(bigram_features(encoded)[canonical_order(encoded)]))
    return {
        "sentences": f"{encoded.n_sentences:,}",
        "default k": str(driftline.fit(corpus).record.n_clusters),
        "clusters left before the first arbitrary merge": str(n_natural),
        "arbitrary merges at k = 40": str(max(0, n_natural - 40)),
    }


def _etcetera(corpus: Corpus) -> dict[str, str]:
    found = {"sentences": f"{corpus.n_sentences:,}"}
    for smoothing in (1.0, 0.1, 0.01, 1e-4, 1e-8):
        model = driftline.fit(corpus, Settings(emission_smoothing=smoothing))
        found[f"{smoothing:g}"] = str(model.estimate.counts.sentence_counts[model.insertion_state])
    return found


def _stories(corpus: Corpus) -> dict[str, str]:
    return {
        "stories kept together (default)": discrimination(DEFAULT, corpus),
        "stories ignored": discrimination(DEFAULT, _without_stories(corpus)),
    }


def _rounds(corpus: Corpus) -> dict[str, str]:
    model = driftline.fit(corpus)
    first = driftline.fit(corpus, Settings(max_iterations=0))
    kept, began = (m.estimate.counts.sentence_counts[m.insertion_state] for m in (model, first))
    return {
        "rounds": f"{len(model.record.moved)} ({model.record.ending})",
        "states at first": str(first.n_states),
        "states at the end": str(model.n_states),
        "in etcetera at first": str(began),
        "in etcetera at the end": str(kept),
    }


COUNTS: Mapping[str, Callable[[Corpus], dict[str, str]]] = {
    "clustering-ties-counts": _clusters,
    "insertion-state": _etcetera,
    "ordering-exam": _stories,
    "emptied-states": _rounds,
}


def main() -> None:
    """Print the tables, and put them into their pages where that is asked for."""
    options = _options()
    warnings.simplefilter("ignore", driftline.DriftlineWarning)
    names = [f"earthquakes, {SYNTHETIC}", f"accidents, {SYNTHETIC}"]
    names += ["earthquakes", "accidents"] if options.corpora else []
    pages = options.only or [*DISCRIMINATION, *COUNTS]
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        results: dict[tuple[object, ...], Future[dict[str, str]]] = {}

        def measured(page: str, row: str | None, name: str) -> Future[dict[str, str]]:
            job = (page, row, name, options.corpora)
            key: tuple[object, ...] = ("defaults", name) if row and DISCRIMINATION[page][row] is DEFAULT else job
            if key not in results:
                results[key] = pool.submit(_measure, job)
            return results[key]

        wanted = {
            page: [(row, [measured(page, row, name) for name in names]) for row in DISCRIMINATION.get(page, [None])]
            for page in pages
        }
        for page, rows in wanted.items():
            table = _table(names, _cells(rows))
            print(f"\n{page}\n\n{table}", flush=True)
            if options.write:
                _write(page, table)
    print(f"\n{signature()}; {N_FOLDS} folds by story, seed 0")


def _cells(rows: Sequence[tuple[str | None, Sequence[Future[dict[str, str]]]]]) -> dict[str, list[str]]:
    """Wait for the figures of one table: by row, one for each corpus."""
    cells: dict[str, list[str]] = {}
    for row, futures in rows:
        for future in futures:
            for found, cell in future.result().items():
                cells.setdefault(row or found, []).append(cell)
    return cells


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--only", choices=[*DISCRIMINATION, *COUNTS], action="append")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.write and not options.corpora:
        parser.error("--write needs --corpora: the tables of the pages have real corpora too")
    return options


def _measure(job: tuple[str, str | None, str, Path | None]) -> dict[str, str]:
    page, row, name, corpora = job
    warnings.simplefilter("ignore", driftline.DriftlineWarning)
    domain, _, kind = name.partition(", ")
    if kind == SYNTHETIC or corpora is None:
        corpus = driftline.sample_corpus(domain)  # type: ignore[arg-type]
    else:
        corpus = read_splits(corpora / domain, "train", "dev")
    if row is None:
        return COUNTS[page](corpus)
    return {row: discrimination(DISCRIMINATION[page][row], corpus)}


def _table(names: Sequence[str], cells: Mapping[str, Sequence[str]]) -> str:
    lines = ["| | " + " | ".join(names) + " |", "|---|" + "--:|" * len(names)]
    return "\n".join([*lines, *(f"| {row} | " + " | ".join(values) + " |" for row, values in cells.items())])


def _write(name: str, table: str) -> None:
    """Replace what stands between the page's marks for this table."""
    path = PAGES / f"{name.removesuffix('-counts')}.md"
    text = path.read_text("utf-8")
    marks = re.compile(rf"(<!-- effects: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not marks.search(text):
        raise SystemExit(f"{path} has no place for the table {name!r}")
    path.write_text(marks.sub(lambda match: match[1] + table + "\n" + match[2], text), "utf-8")


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
