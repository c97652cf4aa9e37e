"""What is usual in a domain: the ruler that `check` and the alarm hold a document against.

Training documents fit their own model too well. So the states stay as they are, but each fifth of the stories
is scored by counts of the other four: what unseen documents of the domain would get, at the price of a few
rounds of counting.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftline.kernels.forward import forward
from driftline.model.counts import Counts
from driftline.model.familiarity import (
    FEWEST_IN_SENTENCE,
    FEWEST_TEXTS,
    FEWEST_WORDS,
    Scale,
    WordStories,
    kept_values,
)
from driftline.model.themes import Theme, find_themes
from driftline.model.training import Estimate
from driftline.settings import Settings
from driftline.text.corpus import Corpus, story_key
from driftline.text.encoding import EncodedCorpus

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_DOCUMENTS = 20_000
"""Of more documents nothing usual is learned: it takes all of their words in memory."""

_N_FOLDS = 5
_MOST_HELD_OUT = 500  # documents that say what is usual; more would cost time and change little
_RARE_STEP = 0.02  # the share of a domain's own steps that count as abrupt


@dataclass(frozen=True)
class Norms:
    """The marks of the ruler, as far as they are plain values."""

    documents: Scale
    """How familiar the words of documents are ..."""
    sentences: Scale | None
    """... and of sentences; None if hardly any has words enough."""
    order: tuple[float, ...]
    """How well the order of topics fits, a sentence, ascending over documents."""
    overall: tuple[float, ...]
    """Words and order together, ascending over documents."""
    abrupt: float
    """A step between two sentences that is worth less than this is rarer than one in fifty."""
    themes: tuple[Theme, ...]
    """What nearly all documents have."""


@dataclass(frozen=True)
class Reference:
    """What is usual in a domain."""

    words: WordStories
    norms: Norms

    def overall(self, familiarity: Floats, order: Floats) -> Floats:
        """Put words and order together, each in units of its own spread."""
        return overall(self.norms.documents.values, familiarity) + overall(self.norms.order, order)


@dataclass(frozen=True)
class Evidence:
    """What a model says of sentences, each on its own and with the one before."""

    posterior: Floats
    """[sentence, state] How probable each state is, by the sentence's own words."""
    log_alone: Floats
    """[sentence] Its log-probability if topics came in no order at all."""
    log_share: Floats
    """[state] The log of the share of sentences in each state."""

    @classmethod
    def of(cls, estimate: Estimate, log_emission: Floats) -> "Evidence":
        """Weigh the states of each sentence by how frequent they are."""
        sizes = estimate.counts.sentence_counts + 1.0
        log_share = np.log(sizes / sizes.sum())
        joint = log_emission + log_share
        log_alone = np.logaddexp.reduce(joint, axis=1)
        return cls(np.exp(joint - log_alone[:, None]), log_alone, log_share)

    def steps(self, estimate: Estimate) -> Floats:
        """Return how much more probable each sentence is after the one before it than anywhere: log of a ratio."""
        into = self.posterior[:-1] @ np.exp(estimate.chain.log_transition)
        after: Floats = (self.posterior[1:] * into / np.exp(self.log_share)).sum(axis=1)
        return np.log(after)


def order_worth(estimate: Estimate, log_emission: Floats, document_offsets: Integers, evidence: Evidence) -> Floats:
    """Return how much the order of topics adds to the log-probability of each document, a sentence.

    Any two orders of the same sentences compare by it as they do by their probability.
    """
    together = forward(estimate.chain, log_emission, document_offsets)
    alone = np.add.reduceat(evidence.log_alone, document_offsets[:-1])
    worth: Floats = (together - alone) / np.diff(document_offsets)
    return worth


def overall(values: tuple[float, ...], value: Floats) -> Floats:
    """Return how many spreads a value is above the middle of others."""
    low, middle, high = np.quantile(values, [0.16, 0.5, 0.84])
    result: Floats = (value - middle) / max((high - low) / 2, 1e-6)
    return result


def learn_reference(
    corpus: Corpus, encoded: EncodedCorpus, states: Integers, estimate: Estimate, settings: Settings
) -> Reference | None:
    """Learn what is usual from the training documents and their states; None where they are too few or too many."""
    if len(corpus) > MOST_DOCUMENTS:
        return None
    stories = _numbered_stories(corpus)
    if stories.max() + 1 < FEWEST_TEXTS:
        return None
    words = WordStories.of(encoded, stories)
    of_documents = words.documents(encoded, left_out=True)
    documents = Scale.fit(of_documents, FEWEST_WORDS)
    sentences = Scale.fit(words.sentences(encoded, left_out=True), FEWEST_IN_SENTENCE)
    if documents is None:
        return None
    order = np.empty(0)
    kept: list[Integers] = []
    steps: list[Floats] = []
    posteriors: list[Floats] = []
    for held_out, part, part_estimate in _held_out(encoded, stories, states, estimate, settings):
        log_emission = part_estimate.emissions.score(part)
        evidence = Evidence.of(part_estimate, log_emission)
        order = np.append(order, order_worth(part_estimate, log_emission, part.document_offsets, evidence))
        follows = np.diff(part.document_of_sentence) == 0
        steps.append(evidence.steps(part_estimate)[follows])
        kept.append(held_out)
        posteriors.append(np.add.reduceat(evidence.posterior, part.document_offsets[:-1], axis=0))
    places = np.concatenate(kept)
    order_values = kept_values(order)
    together = overall(documents.values, documents.familiarity(of_documents)[places]) + overall(order_values, order)
    all_steps = np.concatenate([*steps, [0.0]])
    return Reference(
        words,
        Norms(
            documents, sentences, order_values, kept_values(together),
            abrupt=round(float(np.quantile(all_steps, _RARE_STEP)), 6),
            themes=find_themes(estimate.counts, encoded.vocabulary.size, np.concatenate(posteriors)),
        ),
    )  # fmt: skip


def grown(reference: Reference, corpus: Corpus, encoded: EncodedCorpus) -> Reference:
    """Add the words of new documents; what is usual stays what it was."""
    return Reference(reference.words.grown(encoded.vocabulary, encoded, _numbered_stories(corpus)), reference.norms)


def _numbered_stories(corpus: Corpus) -> Integers:
    """Number the stories by their content, so that the order of the documents does not show."""
    keys = [story_key(document) for document in corpus]
    place = {key: number for number, key in enumerate(sorted(set(keys)))}
    return np.array([place[key] for key in keys])


def _held_out(
    encoded: EncodedCorpus, stories: Integers, states: Integers, estimate: Estimate, settings: Settings
) -> Iterator[tuple[Integers, EncodedCorpus, Estimate]]:
    """Yield some documents at a time, with what their model would be without their stories."""
    fold = stories % max(_N_FOLDS, -(-encoded.n_documents // _MOST_HELD_OUT))
    n_folds = _N_FOLDS if encoded.n_documents <= _MOST_HELD_OUT else 1
    home = encoded.document_of_sentence
    for number in range(n_folds):
        held_out, others = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        counts = Counts.of(encoded.select(others), states[fold[home] != number], estimate.counts.n_states)
        yield held_out, encoded.select(held_out), Estimate.of(counts, encoded.vocabulary.size, settings)
