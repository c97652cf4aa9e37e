"""The summarization exam (section 5.4): one for all systems.

A system is given a document and the length of its human summary, in sentences. What it chooses is judged
by the share of its sentences that stand in the human summary.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from driftline.baselines.lead import Chance, Lead
from driftline.baselines.sentence_classifier import SentenceClassifier
from driftline.errors import InputError
from driftline.evaluation.metrics import Figure, summary_figures
from driftline.evaluation.outcomes import SummaryOutcome, group_of
from driftline.model.content_model import ContentModel
from driftline.signature import signature
from driftline.tasks.alignment import summary_marks
from driftline.tasks.summarization import Summarizer, WantedLength, choose_sentences, learn_summaries
from driftline.text.corpus import Corpus, Document

SUMMARIZERS = ("content", "classifier", "lead", "random")


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


def train_summarizer(name: str, model: ContentModel, pairs: Corpus | None, seed: int = 0) -> Summarizer:
    """Train one of `SUMMARIZERS`; without pairs the content model goes by what it knows."""
    if name == "content":
        return learn_summaries(model, pairs) if pairs is not None else model
    if name == "lead":
        return Lead()
    if name == "random":
        return Chance(seed)
    if name != "classifier":
        raise InputError(f"system: expected one of {', '.join(SUMMARIZERS)}, got {name!r}")
    if pairs is None:
        raise InputError("system 'classifier' learns from pairs, which no model file holds; name them with --train")
    return SentenceClassifier.learn(pairs)


def examine_summary(system: Summarizer, document: Document) -> SummaryOutcome:
    """Let a system choose as many sentences as the human summary took over, and compare."""
    marks = np.array(summary_marks(document), dtype=bool)
    wanted = WantedLength(int(marks.sum()), "sentences")
    chosen = choose_sentences(system.summary_scores(document), wanted, document.sentences)
    human = document.summary or [s for s, mark in zip(document.sentences, marks, strict=True) if mark]
    return SummaryOutcome(
        document=document.id,
        group=group_of(document),
        n_sentences=len(document),
        n_chosen=len(chosen),
        n_agreed=int(marks[chosen].sum()),
        rouge=_rouge(human, [document.sentences[i] for i in chosen]),
    )


def with_summaries(corpus: Corpus) -> list[Document]:
    """Leave out the documents that cannot be examined."""
    return [document for document in corpus if any(summary_marks(document) or ())]


def compare_summarizers(
    systems: Mapping[str, Summarizer],
    corpus: Corpus,
    parts: Mapping[str, object],
    on_progress: Callable[[str], None] = lambda _: None,
) -> SummaryComparison:
    """Examine systems over a test corpus with human summaries; `parts` go into the signature."""
    documents = with_summaries(corpus)
    if not documents:
        raise InputError("the corpus holds no summary to compare with: its documents need `summary` or `in_summary`")
    results = []
    for name, system in systems.items():
        on_progress(name)
        outcomes = [examine_summary(system, document) for document in documents]
        results.append(SummaryResult(name, summary_figures(outcomes), outcomes))
    line = signature(task="summarization", test=corpus.data_hash, tested=len(documents), **parts)
    return SummaryComparison("summarization", line, len(documents), len(corpus) - len(documents), results)


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
    documents = with_summaries(test)
    points = []
    for size in sizes:
        if not 1 <= size <= len(pairs):
            raise InputError(f"sizes: expected numbers from 1 to the {len(pairs)} pairs there are, got {size!r}")
        draws = [np.random.default_rng([seed, size, draw]).permutation(len(pairs))[:size] for draw in range(n_draws)]
        for name in names:
            found = []
            for draw in draws:
                system = train_summarizer(name, model, pairs.select(sorted(draw.tolist())), seed)
                outcomes = [examine_summary(system, document) for document in documents]
                found.append(float(np.mean([o.n_agreed / o.n_chosen for o in outcomes])))
            points.append(CurvePoint(name, size, float(np.mean(found)), min(found), max(found), n_draws))
    return points


def _rouge(human: Sequence[str], chosen: Sequence[str]) -> tuple[float, float] | None:
    """Score with the kept library, if it is installed."""
    scorer = _scorer()
    if scorer is None:
        return None
    scores = scorer.score("\n".join(human), "\n".join(chosen))
    return float(scores["rouge1"].fmeasure), float(scores["rougeLsum"].fmeasure)


@lru_cache(maxsize=1)
def _scorer() -> Any:  # noqa: ANN401 (the library has no types)
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError:
        return None
    return RougeScorer(["rouge1", "rougeLsum"], use_stemmer=True, split_summaries=False)
