"""Summarizers that only the benchmarks know: they tell what the content model and the classifier owe to what."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from driftline import ContentModel, Corpus, Document
from driftline.baselines.sentence_classifier import Boosted, boost, sentence_features
from driftline.model.content_model import AnyDocument
from driftline.model.summary_counts import SummaryCounts
from driftline.tasks.alignment import summary_marks
from driftline.tasks.summarization import learn_summaries

N_HALVES = 10
DRAWN = 3.0
"""How many articles of average share are added to each state."""

Floats = NDArray[np.float64]
Features = Callable[[AnyDocument], list[list[str]]]


def halves(corpus: Corpus) -> Iterator[tuple[Corpus, Corpus]]:
    """Cut the pairs into halves to learn from and to examine, as the paper did once."""
    for seed in range(N_HALVES):
        order = np.random.default_rng(seed).permutation(len(corpus)).tolist()
        middle = len(order) // 2
        yield corpus.select(sorted(order[:middle])), corpus.select(sorted(order[middle:]))


@dataclass(frozen=True)
class GoldTopics:
    """The method of section 4.2 with the grammar's own topics in the place of states."""

    place: dict[str, int]
    counts: SummaryCounts

    @classmethod
    def learn(cls, pairs: Corpus) -> "GoldTopics":
        """Count the topics of articles, and those of the sentences that their summaries took over."""
        place = {topic: i for i, topic in enumerate(sorted({t for d in pairs for t in d.labels or ()}))}
        articles, both = np.zeros(len(place), dtype=np.int64), np.zeros(len(place), dtype=np.int64)
        for document in pairs:
            topics, marks = document.labels or (), summary_marks(document) or ()
            articles[[place[topic] for topic in set(topics)]] += 1
            both[[place[topic] for topic in {t for t, mark in zip(topics, marks, strict=True) if mark}]] += 1
        return cls(place, SummaryCounts(articles, both, len(pairs)))

    def summary_scores(self, document: AnyDocument) -> Floats:
        """Score sentences by the share of articles whose summary has their topic."""
        assert isinstance(document, Document)
        return self.shares(document.labels or ())

    def shares(self, topics: Sequence[str | None]) -> Floats:
        """Return the share of each topic; 0 for one that is not known."""
        known = self.counts.probability
        return np.array([known[self.place[topic]] if topic in self.place else 0.0 for topic in topics])


@dataclass(frozen=True)
class States:
    """Any score a state."""

    model: ContentModel
    scores: Floats

    def summary_scores(self, document: AnyDocument) -> Floats:
        """Score sentences by their states."""
        return self.scores[self.model.v_topics(document)]

    @classmethod
    def counted_on(cls, model: ContentModel, documents: Corpus) -> "States":
        """Take the shares from these documents: those that are examined, for what no pairs could teach better."""
        counts = _counts(learn_summaries(model, documents, topics_of="article"))
        return cls(model, counts.both_counts / np.maximum(counts.article_counts, 1))

    @classmethod
    def drawn_to_the_mean(cls, model: ContentModel, pairs: Corpus) -> "States":
        """Give every state some articles of average share, so that few articles say little."""
        counts = _counts(learn_summaries(model, pairs))
        mean = counts.both_counts.sum() / counts.article_counts.sum()
        return cls(model, (counts.both_counts + DRAWN * mean) / (counts.article_counts + DRAWN))

    @classmethod
    def named(cls, model: ContentModel, labelled: Corpus, gold: GoldTopics) -> "States":
        """Give each state the share of the gold topic that most of its sentences have."""
        topics: dict[int, Counter[str]] = {}
        for document in labelled:
            for state, topic in zip(model.v_topics(document).tolist(), document.labels or (), strict=True):
                topics.setdefault(state, Counter())[topic] += 1
        name = {state: counts.most_common(1)[0][0] for state, counts in topics.items()}
        return cls(model, gold.shares([name.get(state) for state in range(model.n_states)]))


def _counts(model: ContentModel) -> SummaryCounts:
    assert model.summaries is not None
    return model.summaries


@dataclass(frozen=True)
class Votes:
    """The boosting of the sentence classifier on other features."""

    features: Features
    index: dict[str, int]
    boosted: Boosted

    @classmethod
    def learn(cls, pairs: Corpus, features: Features) -> "Votes":
        """Learn which sentences are in."""
        rows = [row for document in pairs for row in features(document)]
        index = {feature: i for i, feature in enumerate(sorted({f for row in rows for f in row}))}
        marks = np.array([mark for document in pairs for mark in summary_marks(document) or ()], dtype=bool)
        return cls(features, index, boost(matrix(rows, index), marks))

    def summary_scores(self, document: AnyDocument) -> Floats:
        """Score sentences by the votes."""
        return self.boosted.scores(matrix(self.features(document), self.index))


def matrix(rows: Sequence[Sequence[str]], index: dict[str, int]) -> sparse.csr_array:
    """Make a binary matrix of the features that are known."""
    places = np.array([(i, index[f]) for i, row in enumerate(rows) for f in row if f in index], dtype=np.int64)
    i, j = places.reshape(-1, 2).T
    return sparse.csr_array((np.ones(len(i)), (i, j)), shape=(len(rows), len(index)))


def location(document: AnyDocument) -> list[list[str]]:
    """Return the third that each sentence stands in, alone."""
    return [row[-1:] for row in sentence_features(document)]


def words(document: AnyDocument) -> list[list[str]]:
    """Return the words alone."""
    return [row[:-1] for row in sentence_features(document)]


def with_state(model: ContentModel) -> Features:
    """Make features of words, location and the state of each sentence."""

    def features(document: AnyDocument) -> list[list[str]]:
        states = model.v_topics(document).tolist()
        return [[*row, f"<state {s}>"] for row, s in zip(sentence_features(document), states, strict=True)]

    return features
