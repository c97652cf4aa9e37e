"""Learning curves (section 5.4): extraction accuracy by the number of pairs that were learned from."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from driftline.errors import DriftlineWarning, InputError
from driftline.evaluation.comparison import Say
from driftline.evaluation.summary_comparison import examinable, summaries_digest
from driftline.evaluation.summary_exam import check_name, examine_summary, train_summarizer
from driftline.model.content_model import ContentModel
from driftline.signature import signature
from driftline.tasks.summarization import paired
from driftline.text.corpus import Corpus, Document

CURVE_SYSTEMS = ("content", "classifier", "lead")
N_DRAWS = 5


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
class LearningCurve:
    """All systems, at growing numbers of pairs, over the same test documents."""

    signature: str
    n_documents: int
    points: tuple[CurvePoint, ...]


def learning_curve(
    model: ContentModel,
    pairs: Corpus,
    test: Corpus,
    sizes: Sequence[int],
    *,
    n_draws: int = N_DRAWS,
    seed: int = 0,
    names: Sequence[str] = CURVE_SYSTEMS,
    on_progress: Say = lambda _: None,
) -> LearningCurve:
    """Learn from random parts of the pairs, several draws a size, and examine each on the test documents.

    A draw is the same for all systems.

    >>> import driftline
    >>> pairs = driftline.sample_corpus("earthquakes", "pairs")
    >>> model = driftline.fit(driftline.sample_corpus("earthquakes"))
    >>> curve = learning_curve(model, pairs.select(range(30)), pairs.select(range(30, 60)), [5, 30], n_draws=2)
    >>> [(point.system, point.n_pairs) for point in curve.points][:3]
    [('content', 5), ('classifier', 5), ('lead', 5)]
    """
    for name in names:
        check_name(name)
    documents, known = examinable(test), paired(pairs)
    _check(sizes, n_draws, len(known))
    points: list[CurvePoint] = []
    for size in sizes:
        on_progress(f"{size} pairs")
        draws = list(_draws(known, size, n_draws, seed))
        for name in names:
            found = [_accuracy(name, model, draw, documents, seed) for draw in draws]
            points.append(CurvePoint(name, size, float(np.mean(found)), min(found), max(found), n_draws))
    line = signature(
        task="summarization", curve=",".join(map(str, sizes)), draws=n_draws, seed=seed, test=test.data_hash,
        summaries=summaries_digest(documents), tested=len(documents),
        pairs=f"{pairs.data_hash} {summaries_digest(known)}", **model.signature_parts,
    )  # fmt: skip
    return LearningCurve(line, len(documents), tuple(points))


def _check(sizes: Sequence[int], n_draws: int, n_known: int) -> None:
    for size in sizes:
        if not 1 <= size <= n_known:
            raise InputError(f"sizes: expected numbers from 1 to the {n_known} pairs there are, got {size!r}")
    if n_draws < 1:
        raise InputError(f"n_draws: expected a whole number of at least 1, got {n_draws!r}")


def _draws(known: Sequence[Document], size: int, n_draws: int, seed: int) -> Iterator[Corpus]:
    for draw in range(n_draws):
        places = np.random.default_rng([seed, size, draw]).permutation(len(known))[:size]
        yield Corpus(tuple(known[place] for place in sorted(places.tolist())))


def _accuracy(name: str, model: ContentModel, pairs: Corpus, documents: Sequence[Document], seed: int) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DriftlineWarning)  # that few pairs teach little is what a curve shows
        system = train_summarizer(name, model, pairs, seed)
    outcomes = [examine_summary(system, document, rouge=False) for document in documents]
    return float(np.mean([outcome.accuracy for outcome in outcomes]))
