"""How many states? A curve for users without a development set: what unseen documents say, and stability.

For each number of states the model is learned from all folds but one, and the documents of that one get a
log-probability a word, and are told from random orders of their sentences. And the model is learned from random parts
of the documents, and all sentences are decoded by each of these models: where they agree, the topics are in the
domain and not in the sample.

The probability of unseen words is highest with few states, since every state learns its words alone; what the order
of sentences is worth is not. So it is the order that decides, and stability among what is equally good.
"""

import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from driftline.errors import DriftlineWarning, InputError
from driftline.evaluation.folds import N_FOLDS, fold_parts, folds
from driftline.evaluation.ordering_exam import ExamRules, examine_discrimination
from driftline.evaluation.outcomes import group_of
from driftline.evaluation.significance import bootstrap_interval
from driftline.model.content_model import ContentModel
from driftline.model.fitting import fit
from driftline.parallel import check_workers, map_in_order
from driftline.settings import Settings
from driftline.signature import signature
from driftline.text.corpus import Corpus, Document
from driftline.tuning.agreement import adjusted_rand
from driftline.tuning.objective import digest

Say = Callable[[str], None]
Floats = NDArray[np.float64]

N_REFITS = 5
_SHARE = 0.8  # of the stories, for each refit
_SIZES = (3, 5, 8, 12, 18, 27, 40, 60, 90, 135)


@dataclass(frozen=True)
class SizePoint:
    """What is known of one number of states."""

    n_states: int
    log_probability: float
    """Held out, a word (natural logarithm), with its 95 % interval."""
    log_low: float
    log_high: float
    discrimination: float
    """How often the original order of an unseen document scores higher than a random one, with its interval."""
    low: float
    high: float
    stability: float
    """The mean adjusted Rand index between refits: 1 where they agree on every sentence, about 0 by chance."""
    as_good_as_best: bool
    """Whether its distance from the highest discrimination is within what other documents would move."""


@dataclass(frozen=True)
class SizeCurve:
    """The curve, and what to make of it."""

    points: tuple[SizePoint, ...]
    recommended: int
    default: int
    """The states that the default settings make of this corpus."""
    advice: str
    signature: str


@dataclass(frozen=True)
class _Held:
    """Learns from some documents and scores others."""

    train: Corpus
    test: tuple[Document, ...]
    settings: Settings
    seed: int

    def run(self) -> list[list[float]]:
        """Return of each document the log-probability, the words, the orders it was told from, and of how many."""
        model, rules = _learn(self.train, self.settings), ExamRules(seed=self.seed)
        found = []
        for document in self.test:
            n_words = max(1.0, float(len(model.encode([document]).words)))
            told = examine_discrimination(model, document, rules) if len(document) > 1 else None
            pairs = [told.won, float(told.n_pairs)] if told else [0.0, 0.0]
            found.append([model.log_probability(document), n_words, *pairs])
        return found


@dataclass(frozen=True)
class _Refit:
    """Learns from some documents and decodes all."""

    train: Corpus
    whole: Corpus
    settings: Settings

    def run(self) -> list[int]:
        """Return the state of each sentence."""
        model = _learn(self.train, self.settings)
        return [int(state) for document in self.whole for state in model.v_topics(document)]


@dataclass(frozen=True)
class _Work:
    """What is done for every size alike."""

    corpus: Corpus
    cut: tuple[tuple[Corpus, tuple[Document, ...]], ...]
    drawn: tuple[Corpus, ...]
    settings: Settings
    seed: int

    @property
    def documents(self) -> list[Document]:
        """All documents, in the order in which they are held out."""
        return [document for _, test in self.cut for document in test]

    def jobs(self, size: int) -> Iterator[_Held | _Refit]:
        """List the work for one number of states."""
        settings = replace(self.settings, n_states=size)
        yield from (_Held(train, test, settings, self.seed) for train, test in self.cut)
        yield from (_Refit(train, self.corpus, settings) for train in self.drawn)

    def fewest_clusters(self) -> int:
        """Return how many clusters there are to merge where there are fewest of them."""
        short = replace(self.settings, max_iterations=0)
        return min(_learn(c, short).record.n_clusters for c in (*self.drawn, *(train for train, _ in self.cut)))


def states_curve(
    corpus: Corpus,
    sizes: Sequence[int] = (),
    settings: Settings | None = None,
    *,
    n_folds: int = N_FOLDS,
    n_refits: int = N_REFITS,
    seed: int = 0,
    workers: int = 1,
    on_progress: Say = lambda _: None,
) -> SizeCurve:
    """Measure what unseen documents say, and stability, for several numbers of states, and recommend one.

    >>> import driftline
    >>> quakes = driftline.sample_corpus("earthquakes").select(range(30))
    >>> curve = states_curve(quakes, [4, 8], n_folds=2, n_refits=2)
    >>> [point.n_states for point in curve.points]
    [4, 8]
    """
    check_workers(workers)
    if not isinstance(n_refits, int) or n_refits < 2:
        raise InputError(f"refits: expected a whole number of at least 2, got {n_refits!r}")
    base = replace(settings or Settings(), n_states=None, n_examples=0)
    cut = tuple((train, tuple(test)) for train, test in folds(corpus, n_folds, seed))
    if all(len(document) < 2 for document in corpus):
        raise InputError("the corpus holds only documents of one sentence: there is no order to learn")
    work = _Work(corpus, cut, tuple(_part_of(corpus, seed, number) for number in range(n_refits)), base, seed)
    wanted = _checked(sizes, work.fewest_clusters())
    done = map_in_order(_run, [job for size in wanted for job in work.jobs(size)], workers)
    held, stability = {}, {}
    for size in wanted:
        held[size] = np.array([pair for _ in cut for pair in next(done)])
        refits = [next(done) for _ in work.drawn]
        stability[size] = float(np.mean([adjusted_rand(*two) for two in itertools.combinations(refits, 2)]))
        on_progress(f"{size} states ({len(held)} of {len(wanted)})")
    points = _points(held, stability, [group_of(document) for document in work.documents], seed)
    default = _learn(corpus, base).n_states
    recommended = max((p for p in points if p.as_good_as_best), key=lambda p: (p.stability, -p.n_states)).n_states
    line = signature(
        states="+".join(map(str, wanted)), data=digest(corpus.documents), refits=n_refits, seed=seed,
        **fold_parts(n_folds, base),
    )  # fmt: skip
    return SizeCurve(points, recommended, default, _advice(points, recommended, default), line)


def _run(job: _Held | _Refit) -> list[list[float]] | list[int]:
    return job.run()


def _learn(corpus: Corpus, settings: Settings) -> ContentModel:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DriftlineWarning)
        return fit(corpus, settings)


def _part_of(corpus: Corpus, seed: int, number: int) -> Corpus:
    """Draw most of the stories."""
    stories = sorted({group_of(document) for document in corpus})
    drawn = np.random.default_rng([seed, number]).permutation(len(stories))[: max(1, round(_SHARE * len(stories)))]
    kept = {stories[int(i)] for i in drawn}
    return Corpus(tuple(document for document in corpus if group_of(document) in kept))


def _checked(sizes: Sequence[int], most: int) -> list[int]:
    """Return the sizes to measure, or say which of them cannot be had."""
    if not sizes:
        return [size for size in _SIZES if size <= most] or [most]
    for size in sizes:
        if not isinstance(size, int) or not 2 <= size <= most:
            raise InputError(f"sizes: expected whole numbers from 2 to the {most} clusters there are, got {size!r}")
    return sorted(set(sizes))


def _points(
    held: dict[int, Floats], stability: dict[int, float], groups: Sequence[str], seed: int
) -> tuple[SizePoint, ...]:
    """Average over documents, and compare each size with the best one on the same documents."""
    ordered = [place for place, n_pairs in enumerate(next(iter(held.values()))[:, 3]) if n_pairs]
    of_ordered = [groups[place] for place in ordered]
    won = {size: float(found[:, 2].sum() / found[:, 3].sum()) for size, found in held.items()}
    best = held[max(won, key=lambda size: won[size])]
    points = []
    for size, found in held.items():
        logs, words = found[:, :2].T.tolist()
        pairs_won, pairs = found[ordered, 2:].T.tolist()
        lost = (best[ordered, 2] - found[ordered, 2]).tolist()
        least_lost, _ = bootstrap_interval(lost, pairs, of_ordered, seed=seed)
        words_low, words_high = bootstrap_interval(logs, words, groups, seed=seed)
        low, high = bootstrap_interval(pairs_won, pairs, of_ordered, seed=seed)
        mean = sum(logs) / sum(words)
        points.append(
            SizePoint(size, mean, words_low, words_high, won[size], low, high, stability[size], least_lost <= 0)
        )
    return tuple(points)


def _advice(points: Sequence[SizePoint], recommended: int, default: int) -> str:
    """Say in words what the curve means."""
    good = [point.n_states for point in points if point.as_good_as_best]
    chosen = next(point for point in points if point.n_states == recommended)
    told = f"it tells the order of unseen documents from a random one in {chosen.discrimination:.0%}"
    if len(good) == 1:
        reason = f"{told}, more often than any other number that was tried"
    else:
        reason = (
            f"{told}; these documents cannot show that any of {', '.join(map(str, good))} is better, and of them its "
            "topics hold best"
        )
    ends = {points[0].n_states: "fewer", points[-1].n_states: "more"}
    beyond = (
        f" It is at the end of what was tried: {ends[recommended]} could be better." if recommended in ends else ""
    )
    return (
        f"Take {recommended} states: {reason} (models of other samples agree with an adjusted Rand index of "
        f"{chosen.stability:.2f}). The default settings make {default}.{beyond}"
    )
