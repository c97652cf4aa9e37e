"""What a choice of settings is worth: the mean score of held-out documents in one of the exams.

No clock decides anything here: documents that are too long for a proof are left out instead, so that the same
choice always has the same score, on any machine and in any process.
"""

import hashlib
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, get_args

import msgspec

from driftline.errors import DriftlineWarning, InputError
from driftline.evaluation.folds import folds
from driftline.evaluation.metrics import discrimination_figures, kendall_tau, summary_figures
from driftline.evaluation.ordering_exam import (
    ExamRules,
    examine_discrimination,
    examine_ordering,
    fit_for_exam,
    shuffle,
)
from driftline.evaluation.outcomes import group_of
from driftline.evaluation.significance import bootstrap_interval
from driftline.evaluation.summary_exam import examine_summary, with_summaries
from driftline.model.content_model import ContentModel
from driftline.model.fitting import fit
from driftline.settings import Settings
from driftline.tasks.ordering import order
from driftline.tasks.summarization import learn_summaries, paired
from driftline.text.corpus import Corpus, Document

Objective = Literal["ordering", "prediction", "discrimination", "summarization"]
OBJECTIVES: dict[str, str] = {
    "ordering": "mean Kendall's tau",
    "prediction": "original order found",
    "discrimination": "original order above random ones",
    "summarization": "extraction accuracy",
}
"""What each objective measures, in words."""

MAX_SENTENCES = 12
"""Longer documents are not ordered, so that every order is proved best in a moment ..."""
MAX_RANKED = 10
"""... nor ranked: 10! orders are counted in milliseconds whatever the settings."""


class Score(msgspec.Struct, frozen=True):
    """A mean over documents, with its 95 % interval."""

    value: float
    low: float
    high: float
    n_documents: int

    def __str__(self) -> str:
        """Write the score with its interval."""
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True)
class Split:
    """Documents to learn from, and others to be scored on."""

    train: Corpus
    test: tuple[Document, ...]


class Exam(Protocol):
    """Anything that can say what settings are worth."""

    def score(self, settings: Settings) -> Score:
        """Return what these settings are worth."""
        ...


@dataclass(frozen=True)
class FitAndExamine:
    """Learns a model on each split and examines it on what it has not seen."""

    objective: Objective
    splits: tuple[Split, ...]
    n_sentences: int | None = None
    """Of the corpus that the number of clusters is for: where less is learned from, there are fewer in proportion."""
    max_sentences: int = MAX_SENTENCES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.objective not in get_args(Objective):
            raise InputError(f"objective: expected one of {', '.join(OBJECTIVES)}, got {self.objective!r}")
        if not any(self.examined(split.test) for split in self.splits):
            what = "a summary" if self.objective == "summarization" else f"2 to {self.longest} sentences"
            raise InputError(f"objective {self.objective!r}: no document to score on has {what}")
        if self.objective == "summarization":
            for split in self.splits:
                paired(split.train)

    @property
    def longest(self) -> float:
        """The most sentences that a document may have to be scored."""
        if self.objective == "prediction":
            return min(self.max_sentences, MAX_RANKED)
        return self.max_sentences if self.objective == "ordering" else math.inf

    def examined(self, documents: Sequence[Document]) -> list[Document]:
        """Leave out the documents that cannot be scored."""
        if self.objective == "summarization":
            return with_summaries(documents)
        return [document for document in fit_for_exam(documents) if len(document) <= self.longest]

    def score(self, settings: Settings) -> Score:
        """Fit and examine on every split; what training warns of is no news in a search."""
        figures = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DriftlineWarning)
            for split in self.splits:
                model = fit(split.train, self._in_proportion(settings, split.train))
                if self.objective == "summarization":
                    model = learn_summaries(model, split.train)
                figures += [(self._examine(model, document), document) for document in self.examined(split.test)]
        return _mean(figures, self.seed)

    def _in_proportion(self, settings: Settings, train: Corpus) -> Settings:
        if settings.n_clusters is None or self.n_sentences is None:
            return settings
        n_clusters = round(settings.n_clusters * train.n_sentences / self.n_sentences)
        return replace(settings, n_clusters=max(1, n_clusters))

    def _examine(self, model: ContentModel, document: Document) -> float:
        rules = ExamRules(seed=self.seed, time_limit=math.inf, rank_time_limit=math.inf)
        if self.objective == "ordering":
            shown = shuffle(document, self.seed)
            return kendall_tau(shown.as_read(order(model, shown.document, time_limit=math.inf).order))
        if self.objective == "prediction":
            return examine_ordering(model, document, rules).credit
        if self.objective == "discrimination":
            return discrimination_figures([examine_discrimination(model, document, rules)])[0].value
        return summary_figures([examine_summary(model, document)])[0].value


def _mean(scored: Sequence[tuple[float, Document]], seed: int) -> Score:
    values = [value for value, _ in scored]
    low, high = bootstrap_interval(values, [1.0] * len(values), [group_of(d) for _, d in scored], seed=seed)
    return Score(sum(values) / len(values), low, high, len(values))


def cross_validation(corpus: Corpus, n_folds: int, seed: int) -> tuple[Split, ...]:
    """Cut a corpus into splits by story: each document is scored once, by a model that has not seen its story."""
    return tuple(Split(train, tuple(test)) for train, test in folds(corpus, n_folds, seed))


def hold_out(corpus: Corpus, n_folds: int, seed: int) -> Split:
    """Set a share of the stories aside, on which nothing is chosen."""
    train, test = next(iter(folds(corpus, n_folds, seed)))
    return Split(train, tuple(test))


def digest(documents: Sequence[Document]) -> str:
    """Name all of documents that can move a score: texts, ids (they seed shuffles), stories and summaries."""
    parts = sorted(repr((d.id, d.story, d.sentences, d.words, d.summary, d.in_summary)) for d in documents)
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]
