"""Viterbi re-estimation (section 3): cluster, estimate, decode, and again until no sentence moves."""

import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from driftline.errors import SettingsError
from driftline.kernels.hmm import Chain
from driftline.kernels.viterbi import viterbi
from driftline.model.clustering import Clustering, cluster
from driftline.model.counts import Counts
from driftline.model.emissions import Emissions
from driftline.model.transitions import estimate_chain
from driftline.settings import Settings
from driftline.text.encoding import EncodedCorpus

Integers = NDArray[np.int64]
Ending = Literal["converged", "cycle", "max_iterations"]


@dataclass(frozen=True)
class Estimate:
    """A model's arrays, estimated from counts."""

    counts: Counts
    emissions: Emissions
    chain: Chain

    @classmethod
    def of(cls, counts: Counts, vocabulary_size: int, settings: Settings) -> "Estimate":
        """Apply the formulas of section 3 to counts."""
        return cls(
            counts,
            Emissions.estimate(counts, vocabulary_size, settings.emission_smoothing),
            estimate_chain(counts, settings.transition_smoothing, settings.transitions),
        )

    def decode(self, corpus: EncodedCorpus) -> tuple[Integers, float]:
        """Return the V-topic of every sentence, and the log-probability of all best paths together."""
        states, log_probability = viterbi(self.chain, self.emissions.score(corpus), corpus.document_offsets)
        return states, float(log_probability.sum())


@dataclass(frozen=True)
class State:
    """What the next step of re-estimation needs."""

    states: Integers
    """The state of every sentence."""
    estimate: Estimate


@dataclass(frozen=True)
class StepInfo:
    """What a person wants to know of a step."""

    iteration: int
    n_moved: int
    """Sentences that changed their state."""
    n_states: int
    log_probability: float
    """Of the best paths through all documents, by the model before this step."""
    ending: Ending | None
    """Why this step is the last one, if it is."""


@dataclass(frozen=True)
class TrainingRecord:
    """How a model came to be, kept in its file."""

    n_documents: int
    n_sentences: int
    n_clusters: int
    min_cluster_size: int | None
    n_merged: int
    n_arbitrary_merges: int
    n_sampled_sentences: int
    """Sentences that the initial clustering saw; fewer than `n_sentences` if the corpus was sampled."""
    moved: tuple[int, ...]
    """Sentences that changed their state in each iteration."""
    ending: Ending | Literal["labels"]
    """Why re-estimation ended: no sentence moved, it came back to where it had been, or it was stopped."""


def start(corpus: EncodedCorpus, settings: Settings) -> tuple[State, Clustering, int]:
    """Make the first clusters and the first estimate; returns the sentences clustered as well."""
    sample = corpus if corpus.n_sentences <= settings.max_clustered_sentences else _sample(corpus, settings)
    if sample.n_sentences < (settings.n_clusters or 0) <= corpus.n_sentences:
        raise SettingsError(
            f"n_clusters: {settings.n_clusters} clusters were asked for, but only a sample of {sample.n_sentences} "
            f"sentences is clustered (max_clustered_sentences is {settings.max_clustered_sentences})"
        )
    clustering = cluster(sample, settings)
    counts = Counts.of(sample, clustering.states, clustering.n_states)
    estimate = Estimate.of(counts, corpus.vocabulary.size, settings)
    if sample is corpus:
        return State(clustering.states, estimate), clustering, corpus.n_sentences
    # The other sentences join through a first Viterbi pass.
    states, _ = estimate.decode(corpus)
    return _estimate(corpus, states, clustering.n_states, settings), clustering, sample.n_sentences


def step(state: State, corpus: EncodedCorpus, settings: Settings) -> tuple[State, int, float]:
    """Place each sentence in its most likely state and estimate anew; returns how many moved, and log p."""
    states, log_probability = state.estimate.decode(corpus)
    n_moved = int((states != state.states).sum())
    return _estimate(corpus, states, state.estimate.counts.n_states, settings), n_moved, log_probability


def reestimate(state: State, corpus: EncodedCorpus, settings: Settings) -> Iterator[tuple[State, StepInfo]]:
    """Take steps until no sentence moves, the states were seen before, or the iterations run out."""
    seen = {_fingerprint(state)}
    for iteration in range(1, settings.max_iterations + 1):
        state, n_moved, log_probability = step(state, corpus, settings)
        ending: Ending | None = "max_iterations" if iteration == settings.max_iterations else None
        if n_moved == 0:
            ending = "converged"
        elif (fingerprint := _fingerprint(state)) in seen:
            ending = "cycle"
        else:
            seen.add(fingerprint)
        n_states = state.estimate.counts.n_states
        yield state, StepInfo(iteration, n_moved, n_states, log_probability, ending)
        if ending:
            return


def _estimate(corpus: EncodedCorpus, states: Integers, n_states: int, settings: Settings) -> State:
    """Drop the states that lost all sentences, but for the insertion state, and estimate from the rest."""
    kept = np.bincount(states, minlength=n_states) > 0
    kept[-1] = True
    states = (np.cumsum(kept) - 1)[states]
    counts = Counts.of(corpus, states, int(kept.sum()))
    return State(states, Estimate.of(counts, corpus.vocabulary.size, settings))


def _fingerprint(state: State) -> tuple[int, bytes]:
    """The same numbers mean other states in a model of another size: the last one is the insertion state."""
    return state.estimate.counts.n_states, hashlib.sha256(state.states.tobytes()).digest()


def _sample(corpus: EncodedCorpus, settings: Settings) -> EncodedCorpus:
    """Draw whole documents, so that their transitions are seen too, whatever order they come in."""
    words, offsets = corpus.words.astype(">i8"), corpus.sentence_offsets
    keys = [
        [words[i:j].tobytes() for i, j in itertools.pairwise(offsets[a : b + 1])]
        for a, b in itertools.pairwise(corpus.document_offsets)
    ]
    canonical = np.array(sorted(range(len(keys)), key=keys.__getitem__))
    drawn = canonical[np.random.default_rng(settings.seed).permutation(len(keys))]
    lengths = np.diff(corpus.document_offsets)[drawn]
    n_drawn = max(1, int(np.searchsorted(np.cumsum(lengths), settings.max_clustered_sentences, side="right")))
    return corpus.select(np.sort(drawn[:n_drawn]))
