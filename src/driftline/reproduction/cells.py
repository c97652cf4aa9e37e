"""The work of a reproduction in pieces that depend on nothing but themselves: one result each, the same anywhere.

A cell is kept by its key, which names all that can move its result: documents, settings, limits, seeds, version.
"""

import hashlib
import math
import statistics
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from driftline.evaluation.comparison import train_system
from driftline.evaluation.ordering_exam import ExamRules, examine_ordering, fit_for_exam
from driftline.evaluation.outcomes import OrderingOutcome, SummaryOutcome
from driftline.evaluation.summary_exam import examine_summary, train_summarizer, with_summaries
from driftline.model.content_model import encode_corpus
from driftline.model.fitting import fit
from driftline.settings import Settings
from driftline.signature import signature
from driftline.text.corpus import Corpus, Document
from driftline.tuning.objective import digest
from driftline.tuning.tuning import Tuning, Worth, tune


class Cell(Protocol):
    """A piece of work."""

    @property
    def title(self) -> str:
        """What it does, for people."""
        ...

    @property
    def key(self) -> str:
        """All that can move its result."""
        ...

    def run(self, folder: Path) -> object:
        """Do it; the folder takes what has to survive being stopped in the middle."""
        ...


@dataclass(frozen=True)
class Counted:
    """Table 1 of one domain."""

    mean_length: float
    deviation: float
    n_types: int
    tokens_a_type: float
    n_documents: int


@dataclass(frozen=True)
class Chosen:
    """Settings that a search found for one domain, and the model that they make."""

    settings: Settings
    n_states: int
    chosen_on: Worth
    held_out: Worth
    n_trials: int


@dataclass(frozen=True)
class CountCell:
    """Counts the documents of a domain, after masking."""

    domain: str
    corpus: Corpus
    settings: Settings

    @property
    def title(self) -> str:
        """What it does."""
        return f"counting {self.domain}"

    @property
    def key(self) -> str:
        """All that can move its result."""
        return signature(counted=digest(self.corpus.documents), mask=self.settings.masking)

    def run(self, folder: Path) -> Counted:  # noqa: ARG002 (see Cell)
        """Count sentences, types and tokens."""
        lengths = [len(document) for document in self.corpus]
        _, encoded = encode_corpus(self.corpus, self.settings)
        n_types = len(np.unique(encoded.words))
        deviation = statistics.stdev(lengths) if len(lengths) > 1 else 0.0
        return Counted(statistics.mean(lengths), deviation, n_types, len(encoded.words) / n_types, len(self.corpus))


@dataclass(frozen=True)
class TuneCell:
    """Tunes the settings for one part of a domain."""

    domain: str
    train: Corpus
    dev: Corpus
    test: tuple[Document, ...]
    """What was found is scored on these too, and nothing chosen by it."""
    whole: Corpus
    """What the settings will be used on."""
    tuning: Tuning

    @property
    def title(self) -> str:
        """What it does."""
        return f"tuning {self.domain}"

    @property
    def key(self) -> str:
        """All that can move its result."""
        tuning = self.tuning
        parts = [digest(part) for part in (self.train.documents, self.dev.documents, self.test, self.whole.documents)]
        return signature(
            tuned="+".join(parts), objective=tuning.objective, method=tuning.method, trials=tuning.max_trials,
            max_sentences=tuning.max_sentences, seed=tuning.seed, **tuning.base.signature_parts,
        )  # fmt: skip

    def run(self, folder: Path) -> Chosen:
        """Search; every trial is kept in the folder."""
        trials = folder / f"{short_name(self.key)}.trials"
        found = tune(self.train, self.dev, self.tuning, test=Corpus(self.test), trials_path=trials)
        assert found.settings.n_clusters is not None
        # The number of clusters is for what tuning learned from; a larger corpus has more in proportion.
        n_clusters = round(found.settings.n_clusters * self.whole.n_sentences / self.train.n_sentences)
        settings = replace(found.settings, n_clusters=n_clusters)
        return Chosen(settings, fit(self.whole, settings).n_states, found.chosen_on, found.held_out, found.n_trials)


@dataclass(frozen=True)
class OrderingCell:
    """One system orders the test documents of one part of a domain."""

    domain: str
    system: str
    train: Corpus
    test: tuple[Document, ...]
    settings: Settings
    max_sentences: int
    seed: int = 0

    @property
    def title(self) -> str:
        """What it does."""
        return f"ordering {self.domain}: {self.system}"

    @property
    def key(self) -> str:
        """All that can move its result."""
        return signature(
            ordered=digest(self.test), by=_trained_as(self.system), train=digest(self.train.documents),
            max_sentences=self.max_sentences, seed=self.seed, **self.settings.signature_parts,
        )  # fmt: skip

    def run(self, folder: Path) -> list[OrderingOutcome]:  # noqa: ARG002 (see Cell)
        """Learn, order, rank: exactly, so that no clock decides."""
        system = train_system(_trained_as(self.system), self.train, self.settings)
        rules = ExamRules(seed=self.seed, time_limit=math.inf, rank_time_limit=math.inf)
        documents = [d for d in fit_for_exam(self.test) if len(d) <= self.max_sentences]
        return [examine_ordering(system, document, rules) for document in documents]


@dataclass(frozen=True)
class SummaryCell:
    """One system summarizes documents, after learning from others with their summaries."""

    domain: str
    system: str
    train: Corpus
    """What the content model is learned from."""
    pairs: Corpus
    test: tuple[Document, ...]
    settings: Settings
    seed: int = 0

    @property
    def title(self) -> str:
        """What it does."""
        return f"summarizing {self.domain}: {self.system}"

    @property
    def key(self) -> str:
        """All that can move its result."""
        return signature(
            summarized=digest(self.test), by=_trained_as(self.system), pairs=digest(self.pairs.documents),
            train=digest(self.train.documents), seed=self.seed, **self.settings.signature_parts,
        )  # fmt: skip

    def run(self, folder: Path) -> list[SummaryOutcome]:  # noqa: ARG002 (see Cell)
        """Learn and summarize; ROUGE is left out, since it is not installed everywhere."""
        name = _trained_as(self.system)
        model = fit(self.train, self.settings) if name == "content" else None
        system = train_summarizer(name, model, self.pairs, self.seed)
        return [replace(examine_summary(system, document), rouge=None) for document in with_summaries(self.test)]


def short_name(key: str) -> str:
    """Name a file by a key."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _trained_as(system: str) -> str:
    """Return the kind of a system: the content model has several rows, by its settings."""
    return system.partition(",")[0]
