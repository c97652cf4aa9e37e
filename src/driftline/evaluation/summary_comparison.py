"""Several summarizers in one exam: on a test corpus, in cross-validation by story, and by the number of pairs."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from driftline.errors import InputError
from driftline.evaluation.comparison import Say
from driftline.evaluation.folds import N_FOLDS, fold_parts, folds
from driftline.evaluation.metrics import Figure, summary_figures
from driftline.evaluation.outcomes import SummaryOutcome
from driftline.evaluation.summary_exam import (
    SUMMARIZERS,
    check_name,
    examine_summary,
    train_summarizer,
    with_summaries,
)
from driftline.model.content_model import ContentModel
from driftline.model.fitting import fit
from driftline.parallel import check_workers, map_in_order
from driftline.settings import Settings
from driftline.signature import signature
from driftline.tasks.alignment import summary_marks
from driftline.tasks.summarization import Summarizer, paired
from driftline.text.corpus import Corpus, Document


@dataclass(frozen=True)
class SummaryResult:
    """One system's outcomes and figures."""

    system: str
    figures: list[Figure]
    outcomes: list[SummaryOutcome]


@dataclass(frozen=True)
class SummaryComparison:
    """All systems over the same documents."""

    task: str
    signature: str
    n_documents: int
    n_left_out: int
    """Documents without a human summary, or without a sentence of it in the text."""
    results: list[SummaryResult]


@dataclass(frozen=True)
class CurvePoint:
    """The mean accuracy of a system that learned from so many pairs, over several draws."""

    system: str
    n_pairs: int
    accuracy: float
    lowest: float
    highest: float
    n_draws: int


@dataclass(frozen=True)
class _Fold:
    """One fold of a cross-validation; goes to whichever process is free."""

    names: Sequence[str]
    settings: Settings
    model: ContentModel | None
    train: Corpus
    test: Sequence[Document]
    seed: int

    def run(self) -> dict[str, list[SummaryOutcome]]:
        """Learn from the other folds and examine this one."""
        model = self.model or (fit(self.train, self.settings) if "content" in self.names else None)
        systems = {name: train_summarizer(name, model, self.train, self.seed) for name in self.names}
        return {name: [examine_summary(s, d) for d in with_summaries(self.test)] for name, s in systems.items()}


def compare_summarizers(
    systems: Mapping[str, Summarizer], corpus: Corpus, parts: Mapping[str, object], on_progress: Say = lambda _: None
) -> SummaryComparison:
    """Examine systems over a test corpus with human summaries; `parts` go into the signature."""
    documents = _examinable(corpus)
    found: dict[str, list[SummaryOutcome]] = {}
    for name, system in systems.items():
        on_progress(name)
        found[name] = [examine_summary(system, document) for document in documents]
    return _comparison(corpus, found, parts)


def cross_validate_summaries(
    corpus: Corpus,
    names: Sequence[str] = SUMMARIZERS,
    settings: Settings | None = None,
    *,
    model: ContentModel | None = None,
    n_folds: int = N_FOLDS,
    seed: int = 0,
    workers: int = 1,
    on_progress: Say = lambda _: None,
) -> SummaryComparison:
    """Learn from the pairs of all folds but one and examine that one; a story stays in one fold.

    The content model is learned from the articles of the same folds, unless one is given. A given one should
    not have learned from this corpus.
    """
    for name in names:
        check_name(name)
    check_workers(workers)
    _examinable(corpus)
    settings = settings or Settings()
    jobs = [_Fold(names, settings, model, *fold, seed) for fold in folds(corpus, n_folds, seed)]
    found: dict[str, list[SummaryOutcome]] = {name: [] for name in names}
    for number, outcomes in enumerate(map_in_order(_Fold.run, jobs, workers), 1):
        on_progress(f"{number} of {n_folds} folds")
        for name, of_fold in outcomes.items():
            found[name] += of_fold
    parts = fold_parts(n_folds, settings) if model is None else {"folds": n_folds, **model.signature_parts}
    return _comparison(corpus, found, {"seed": seed, **parts})


def learning_curve(
    model: ContentModel,
    pairs: Corpus,
    test: Corpus,
    sizes: Sequence[int],
    *,
    n_draws: int = 5,
    seed: int = 0,
    names: Sequence[str] = ("content", "classifier"),
) -> list[CurvePoint]:
    """Learn from growing random parts of the pairs, several draws a size, and examine each."""
    documents, known = _examinable(test), paired(pairs)
    points = []
    for size in sizes:
        if not 1 <= size <= len(known):
            raise InputError(f"sizes: expected numbers from 1 to the {len(known)} pairs there are, got {size!r}")
        draws = [np.random.default_rng([seed, size, draw]).permutation(len(known))[:size] for draw in range(n_draws)]
        for name in names:
            found = []
            for draw in draws:
                system = train_summarizer(name, model, Corpus(tuple(known[i] for i in sorted(draw.tolist()))), seed)
                found.append(summary_figures([examine_summary(system, document) for document in documents])[0].value)
            points.append(CurvePoint(name, size, float(np.mean(found)), min(found), max(found), n_draws))
    return points


def _examinable(corpus: Corpus) -> list[Document]:
    documents = with_summaries(corpus)
    if not documents:
        raise InputError("the corpus holds no summary to compare with: its documents need `summary` or `in_summary`")
    return documents


def _comparison(
    corpus: Corpus, found: Mapping[str, list[SummaryOutcome]], parts: Mapping[str, object]
) -> SummaryComparison:
    documents = _examinable(corpus)
    line = signature(
        task="summarization", test=corpus.data_hash, summaries=_digest(documents), tested=len(documents), **parts
    )
    results = [SummaryResult(name, summary_figures(outcomes), outcomes) for name, outcomes in found.items()]
    return SummaryComparison("summarization", line, len(documents), len(corpus) - len(documents), results)


def _digest(documents: Sequence[Document]) -> str:
    """Name the summaries: the hash of a corpus is that of its texts alone."""
    answers = sorted(repr((document.sentences, document.summary, summary_marks(document))) for document in documents)
    return hashlib.sha256("\n".join(answers).encode("utf-8", "surrogatepass")).hexdigest()[:12]
