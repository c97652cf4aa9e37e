"""The summarization exam (section 5.4): one for all systems.

A system is given a document and the length of its human summary, in sentences. What it chooses is judged
by the share of its sentences that stand in the human summary.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from driftline.baselines.lead import Chance, Lead
from driftline.baselines.sentence_classifier import SentenceClassifier
from driftline.errors import InputError
from driftline.evaluation.outcomes import SummaryOutcome, group_of
from driftline.model.content_model import ContentModel
from driftline.tasks.alignment import summary_marks
from driftline.tasks.summarization import Summarizer, WantedLength, choose_sentences, learn_summaries
from driftline.text.corpus import Corpus, Document

SUMMARIZERS = ("content", "classifier", "lead", "random")


def check_name(name: str) -> None:
    """Refuse a system that there is not."""
    if name not in SUMMARIZERS:
        raise InputError(f"system: expected one of {', '.join(SUMMARIZERS)}, got {name!r}")


def train_summarizer(name: str, model: ContentModel | None, pairs: Corpus | None, seed: int = 0) -> Summarizer:
    """Train one of `SUMMARIZERS`; only "content" needs a model, which without pairs goes by what it knows."""
    check_name(name)
    if name == "lead":
        return Lead()
    if name == "random":
        return Chance(seed)
    if name == "content":
        if model is None:
            raise InputError("system 'content' needs a model")
        return learn_summaries(model, pairs) if pairs is not None else model
    if pairs is None:
        raise InputError("system 'classifier' learns from pairs, which no model file holds; name them with --train")
    return SentenceClassifier.learn(pairs)


def examine_summary(system: Summarizer, document: Document, *, rouge: bool = True) -> SummaryOutcome:
    """Let a system choose as many sentences as the human summary took over, and compare.

    ROUGE takes most of the time; a curve, which does not show it, does without.
    """
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
        rouge=_rouge(human, [document.sentences[i] for i in chosen]) if rouge else None,
    )


def with_summaries(corpus: Iterable[Document]) -> list[Document]:
    """Leave out the documents that cannot be examined."""
    return [document for document in corpus if any(summary_marks(document) or ())]


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
