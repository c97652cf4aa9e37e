"""The part of `driftline evaluate` that is about summaries."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from driftline.evaluation.comparison import Say
from driftline.evaluation.summary_comparison import (
    SummaryComparison,
    compare_summarizers,
    cross_validate_summaries,
)
from driftline.evaluation.summary_curve import CURVE_SYSTEMS, LearningCurve, learning_curve
from driftline.evaluation.summary_exam import SUMMARIZERS, train_summarizer
from driftline.evaluation.tables import comparison_table, curve_table
from driftline.storage import load
from driftline.tasks.summarization import paired
from driftline.text.corpus import Corpus

_WITHOUT_PAIRS = ("content", "lead", "random")


@dataclass(frozen=True)
class SummaryExam:
    """What was asked for on the command line."""

    systems: Sequence[str] | None
    model: Path | None
    pairs: Corpus | None
    seed: int
    workers: int

    def compare(self, corpus: Corpus, n_folds: int | None, say: Say) -> tuple[SummaryComparison, str]:
        """Compare summarizers over a corpus with human summaries; also as a table."""
        has_pairs = n_folds is not None or self.pairs is not None
        names = self.systems or (SUMMARIZERS if has_pairs else _WITHOUT_PAIRS)
        model = None if self.model is None else load(self.model)
        if n_folds is not None:
            found = cross_validate_summaries(
                corpus, names, model=model, n_folds=n_folds, seed=self.seed, workers=self.workers, on_progress=say
            )
            return found, comparison_table(found)
        assert model is not None
        learned = model.summaries.n_pairs if model.summaries else "none"
        known = f"{learned} in the model" if self.pairs is None else _pairs_part(self.pairs)
        trained = {name: train_summarizer(name, model, self.pairs, self.seed) for name in names}
        parts = {"seed": self.seed, "pairs": known, **model.signature_parts}
        found = compare_summarizers(trained, corpus, parts, say)
        return found, comparison_table(found)

    def curve(self, corpus: Corpus, sizes: str, say: Say) -> tuple[LearningCurve, str]:
        """Examine systems that learned from growing parts of the pairs; also as a table."""
        assert self.model is not None
        assert self.pairs is not None
        found = learning_curve(
            load(self.model), self.pairs, corpus, _sizes(sizes), seed=self.seed,
            names=self.systems or CURVE_SYSTEMS, on_progress=say,
        )  # fmt: skip
        return found, curve_table(found)


def _pairs_part(pairs: Corpus) -> str:
    known = paired(pairs)
    return f"{len(known)} of {pairs.data_hash}"


def _sizes(text: str) -> list[int]:
    try:
        return [int(size) for size in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"--curve: expected whole numbers by commas, like 5,10,20, got {text!r}") from None
