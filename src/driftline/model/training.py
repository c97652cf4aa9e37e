"""Viterbi re-estimation (section 3): cluster, estimate, decode, and again until no sentence moves."""

import hashlib
import itertools
from collections.abc import Iterator, Sequence
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
Ending = Literal["converged", "cycle", "diverged", "max_iterations"]

_RISE = 2.0  # so many times more sentences move than in the calmest round before: re-estimation diverges
_FEW, _FEW_IN_ALL = 20, 0.005  # but a few more, of all, are no sign of it


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
    """Why re-estimation ended: no sentence moved, it came back to where it had been, or it was stopped.

    "diverged" means that more and more sentences moved, and "max_iterations" that the rounds ran out.
    """
    n_added_documents: int = 0
    """Of the documents, those that were added later."""
    n_added_sentences: int = 0


def start(corpus: EncodedCorpus, settings: Settings) -> tuple[State, Clustering, int]:
    """Make the first clusters and the first estimate; returns the sentences clustered as well."""
    sample = corpus if corpus.n_sentences <= settings.max_clustered_sentences else _sample(corpus, settings)
    clustering, estimate = first_estimate(sample, corpus.n_sentences, settings)
    if sample is corpus:
        return State(clustering.states, estimate), clustering, corpus.n_sentences
    # The other sentences join through a first Viterbi pass.
    states, _ = estimate.decode(corpus)
    return _estimate(corpus, states, clustering.n_states, settings), clustering, sample.n_sentences


def first_estimate(sample: EncodedCorpus, n_sentences: int, settings: Settings) -> tuple[Clustering, Estimate]:
    """Cluster a sample of a collection of so many sentences, or all of it, and estimate from the clusters."""
    if sample.n_sentences < (settings.n_clusters or 0) <= n_sentences:
        raise SettingsError(
            f"n_clusters: {settings.n_clusters} clusters were asked for, but only a sample of {sample.n_sentences} "
            f"sentences is clustered (max_clustered_sentences is {settings.max_clustered_sentences})"
        )
    clustering = cluster(sample, settings)
    counts = Counts.of(sample, clustering.states, clustering.n_states)
    return clustering, Estimate.of(counts, sample.vocabulary.size, settings)


def step(state: State, corpus: EncodedCorpus, settings: Settings) -> tuple[State, int, float]:
    """Place each sentence in its most likely state and estimate anew; returns how many moved, and log p."""
    states, log_probability = state.estimate.decode(corpus)
    n_moved = int((states != state.states).sum())
    return _estimate(corpus, states, state.estimate.counts.n_states, settings), n_moved, log_probability


def reestimate(state: State, corpus: EncodedCorpus, settings: Settings) -> Iterator[tuple[State, StepInfo]]:
    """Take steps until no sentence moves, the states were seen before, ever more move, or the iterations run out."""
    seen, moved = {_fingerprint(state)}, list[int]()
    for iteration in range(1, settings.max_iterations + 1):
        state, n_moved, log_probability = step(state, corpus, settings)
        fingerprint = _fingerprint(state)
        moved.append(n_moved)
        ending = why_end(moved, corpus.n_sentences, settings, seen_before=fingerprint in seen)
        seen.add(fingerprint)
        n_states = state.estimate.counts.n_states
        yield state, StepInfo(iteration, n_moved, n_states, log_probability, ending)
        if ending:
            return


def why_end(moved: Sequence[int], n_sentences: int, settings: Settings, *, seen_before: bool) -> Ending | None:
    """Tell why the last of these iterations, in which so many sentences moved, ends re-estimation, if it does."""
    *before, now = moved
    if now == 0:
        return "converged"
    if seen_before:
        return "cycle"
    # The larger a topic, the more bigrams it has seen: in long documents of many words one can swallow all
    # others, a few sentences in the first rounds and hundreds in each of the later ones.
    if before and now > _RISE * max(min(before), _FEW + _FEW_IN_ALL * n_sentences):
        return "diverged"
    return "max_iterations" if len(moved) == settings.max_iterations else None


def _estimate(corpus: EncodedCorpus, states: Integers, n_states: int, settings: Settings) -> State:
    """Drop the states that lost all sentences, but for the insertion state, and estimate from the rest."""
    # An empty topic would give 1 / |V| to every word, which is more than others give to what they have not seen:
    # it would swallow all that is new.
    kept = np.bincount(states, minlength=n_states) > 0
    kept[-1] = True
    states = (np.cumsum(kept) - 1)[states]
    counts = Counts.of(corpus, states, int(kept.sum()))
    return State(states, Estimate.of(counts, corpus.vocabulary.size, settings))


def _fingerprint(state: State) -> tuple[int, bytes]:
    """The same numbers mean other states in a model of another size: the last one is the insertion state."""
    return state.estimate.counts.n_states, hashlib.sha256(state.states.tobytes()).digest()


def document_keys(corpus: EncodedCorpus, seed: int) -> NDArray[np.uint64]:
    """Give each document a number that depends on its words and a seed alone, as if it were drawn."""
    words, offsets = corpus.words.astype("<i8"), corpus.sentence_offsets
    key = hashlib.sha256(str(seed).encode()).digest()
    keys = []
    for a, b in itertools.pairwise(corpus.document_offsets):
        ends = offsets[a : b + 1]
        digest = hashlib.blake2b(np.diff(ends).astype("<i8").tobytes(), digest_size=8, key=key)
        digest.update(words[ends[0] : ends[-1]].tobytes())
        keys.append(int.from_bytes(digest.digest()))
    return np.array(keys, dtype=np.uint64)


def draw(keys: NDArray[np.uint64], lengths: Integers, most: int) -> Integers:
    """Choose the documents with the lowest keys that hold up to so many sentences, one at least."""
    drawn = np.argsort(keys, kind="stable")
    n_drawn = max(1, int(np.searchsorted(np.cumsum(lengths[drawn]), most, side="right")))
    return np.sort(drawn[:n_drawn])


def _sample(corpus: EncodedCorpus, settings: Settings) -> EncodedCorpus:
    """Draw whole documents, so that their transitions are seen too, whatever order they come in."""
    keys = document_keys(corpus, settings.seed)
    return corpus.select(draw(keys, np.diff(corpus.document_offsets), settings.max_clustered_sentences))
