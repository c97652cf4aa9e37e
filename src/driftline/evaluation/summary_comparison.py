"""Several summarizers in one exam: on a test corpus, and in cross-validation by story."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
from driftline.tasks.alignment import has_wording, summary_marks
from driftline.tasks.summarization import Summarizer
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
    documents = examinable(corpus)
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
    examinable(corpus)
    settings = settings or Settings()
    jobs = [_Fold(names, settings, model, *fold, seed) for fold in folds(corpus, n_folds, seed)]
    found: dict[str, list[SummaryOutcome]] = {name: [] for name in names}
    for number, outcomes in enumerate(map_in_order(_Fold.run, jobs, workers), 1):
        on_progress(f"{number} of {n_folds} folds")
        for name, of_fold in outcomes.items():
            found[name] += of_fold
    parts = fold_parts(n_folds, settings) if model is None else {"folds": n_folds, **model.signature_parts}
    return _comparison(corpus, found, {"seed": seed, **parts})


def examinable(corpus: Corpus) -> list[Document]:
    """Return the documents with a sentence that a human summary took over; refuse a corpus that has none."""
    documents = with_summaries(corpus)
    if documents:
        return documents
    n_summaries = sum(map(has_wording, corpus))
    if n_summaries:
        raise InputError(
            f"no document can be examined: {n_summaries} of {len(corpus)} have a `summary`, but no sentence of one "
            "stands in its document, as it is or edited"
        )
    raise InputError("the corpus holds no summary to compare with: its documents need `summary` or `in_summary`")


def summaries_digest(documents: Sequence[Document]) -> str:
    """Name the summaries: the hash of a corpus is that of its texts alone."""
    answers = sorted(repr((document.sentences, document.summary, summary_marks(document))) for document in documents)
    return hashlib.sha256("\n".join(answers).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _comparison(
    corpus: Corpus, found: Mapping[str, list[SummaryOutcome]], parts: Mapping[str, object]
) -> SummaryComparison:
    documents = examinable(corpus)
    line = signature(
        task="summarization",
        test=corpus.data_hash,
        summaries=summaries_digest(documents),
        tested=len(documents),
        **parts,
    )
    results = [SummaryResult(name, summary_figures(outcomes), outcomes) for name, outcomes in found.items()]
    return SummaryComparison("summarization", line, len(documents), len(corpus) - len(documents), results)
