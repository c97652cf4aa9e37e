"""What each state is about, for people: label, telling bigrams, examples, place, neighbours."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from driftline.errors import InputError
from driftline.model.content_model import ContentModel
from driftline.model.examples import Example

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_N_BIGRAMS = 8
_LABEL_BIGRAMS = 3
_COMMON = 0.4  # a word that more than this share of all topics use tells nothing on its own
_N_NEIGHBOURS = 5

LONGEST_LABEL = 80
"""Characters of a label that somebody gives."""


@dataclass(frozen=True)
class TellingBigram:
    """Two words that stand together in a topic more often than elsewhere."""

    words: tuple[str, str]
    count: int
    lift: float
    """How many times more frequent, among the bigrams, than in the whole collection."""


@dataclass(frozen=True)
class Neighbour:
    """A state that comes before or after; None stands for the start or end of a document."""

    state: int | None
    share: float
    """Of the documents that hold the topic."""


@dataclass(frozen=True)
class Topic:
    """One state of a content model, explained."""

    state: int
    label: str
    is_insertion: bool
    n_sentences: int
    n_documents: int
    share: float
    """Of all sentences."""
    position: float
    """The mean place of its sentences in their documents: 0 is the beginning, 1 the end."""
    positions: tuple[float, ...]
    """The share of its sentences in each tenth of their documents."""
    bigrams: tuple[TellingBigram, ...]
    examples: tuple[Example, ...]
    before: tuple[Neighbour, ...]
    after: tuple[Neighbour, ...]


def topics(model: ContentModel) -> tuple[Topic, ...]:
    """Explain every state, in the order of their numbers.

    >>> from driftline.model.fitting import fit
    >>> from driftline.text.corpus import Corpus
    >>> model = fit(Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20))
    >>> [topic.label for topic in topics(model)]
    ['a quake hit', 'no one died', 'everything else']
    """
    counts = model.estimate.counts
    telling = _telling_bigrams(model)
    common = _common_words(model)
    n_sentences = max(int(counts.sentence_counts.sum()), 1)
    made = []
    for state in range(model.n_states):
        held = max(int(counts.document_counts[state]), 1)
        size = int(counts.sentence_counts[state])
        parts = counts.position_counts[state] / max(size, 1)
        into, out = counts.document_pair_counts[:, state], counts.document_pair_counts[state]
        insertion = state == model.insertion_state
        learned = "everything else" if insertion else _label(telling[state], common, model.examples[state])
        made.append(
            Topic(
                state=state,
                label=(model.given_labels and model.given_labels[state]) or learned,
                is_insertion=insertion,
                n_sentences=size,
                n_documents=int(counts.document_counts[state]),
                share=size / n_sentences,
                position=float(parts @ (np.arange(len(parts)) + 0.5) / len(parts)) if size else 0.5,
                positions=tuple(map(float, parts)),
                bigrams=telling[state],
                examples=model.examples[state],
                before=_neighbours(into, int(counts.initial_counts[state]), held),
                after=_neighbours(out, int(counts.final_counts[state]), held),
            )
        )
    return tuple(made)


def relabel(model: ContentModel, state: int, label: str) -> ContentModel:
    """Return the model with a label of your own for a state; an empty one brings the learned label back.

    >>> from driftline.model.fitting import fit
    >>> from driftline.text.corpus import Corpus
    >>> model = fit(Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20))
    >>> topics(relabel(model, 0, "the news"))[0].label
    'the news'
    """
    if not 0 <= state < model.n_states:
        raise InputError(f"state: expected a number from 0 to {model.n_states - 1}, got {state}")
    label = " ".join(label.split())
    if len(label) > LONGEST_LABEL:
        raise InputError(f"label: expected at most {LONGEST_LABEL} characters, got {len(label)}")
    labels = list(model.given_labels or ("",) * model.n_states)
    labels[state] = label
    return replace(model, given_labels=tuple(labels) if any(labels) else ())


def etcetera_reason(model: ContentModel) -> str:
    """Say in a sentence or two what the last state holds, and why."""
    record = model.record
    size = int(model.estimate.counts.sentence_counts[-1])
    if record.ending == "labels":
        return f"The labels place {size:,} sentence{'s' * (size != 1)} here."
    if record.min_cluster_size is None:
        n_left = record.n_clusters - record.n_merged + 1  # before re-estimation, which may empty some
        why = f"the {record.n_merged} smallest of {record.n_clusters} clusters, to leave {n_left} states"
    else:
        size_limit = record.min_cluster_size
        why = f"{record.n_merged} of {record.n_clusters} clusters, those with fewer than {size_limit} sentences"
    if size == 0:
        return f"It began as {why}. Re-estimation has left it without a sentence: each is explained by a topic."
    return (
        f"It began as {why}. Its language model is the complement of all topics, so it now holds the "
        f"{size:,} sentences that no topic explains better."
    )


def _telling_bigrams(model: ContentModel) -> list[tuple[TellingBigram, ...]]:
    """Rank each state's bigrams by how much they tell: count times the log of the lift."""
    counts, vocabulary = model.estimate.counts, model.vocabulary
    inside = counts.bigrams // vocabulary.size != vocabulary.start
    bigrams, states, values = (a[inside] for a in (counts.bigrams, counts.bigram_states, counts.bigram_counts))
    _, place = np.unique(bigrams, return_inverse=True)
    overall = np.bincount(place, weights=values)[place] / max(values.sum(), 1)
    in_state = np.bincount(states, weights=values, minlength=model.n_states)
    lift = values / in_state[states] / overall
    # Lift alone would name what occurs once, count alone what occurs everywhere.
    worth = values * np.log(lift)
    # Rounded, so that the last bits of a logarithm, which differ between machines, decide nothing.
    ranked = np.lexsort((bigrams, -np.round(worth, 9), states))
    starts = np.searchsorted(states[ranked], np.arange(model.n_states + 1))
    return [
        tuple(
            TellingBigram(
                (
                    vocabulary.name(int(bigrams[i]) // vocabulary.size),
                    vocabulary.name(int(bigrams[i]) % vocabulary.size),
                ),
                int(values[i]),
                float(lift[i]),
            )
            for i in ranked[a : min(b, a + _N_BIGRAMS)]
        )
        for a, b in itertools.pairwise(starts)
    ]


def _common_words(model: ContentModel) -> frozenset[str]:
    """Find the words that so many topics use that they name none."""
    counts, vocabulary = model.estimate.counts, model.vocabulary
    # A number for each word and state, to count the states of a word and not its bigrams.
    pairs = np.unique(counts.bigrams % vocabulary.size * model.n_states + counts.bigram_states)
    words, n_topics = np.unique(pairs // model.n_states, return_counts=True)
    return frozenset(vocabulary.name(int(word)) for word in words[n_topics > _COMMON * model.n_states])


def _label(bigrams: Sequence[TellingBigram], common: frozenset[str], examples: Sequence[Example]) -> str:
    """Join the most telling bigrams into short phrases: "on the", "the richter" -> "on the richter".

    A topic of one-word sentences has no bigrams; an example has to serve.
    """
    phrases: list[list[str]] = []
    chosen = [bigram.words for bigram in bigrams if not common.issuperset(bigram.words)]
    for first, second in (chosen or [bigram.words for bigram in bigrams])[:_LABEL_BIGRAMS]:
        before = next((phrase for phrase in phrases if phrase[-1] == first), None)
        after = next((phrase for phrase in phrases if phrase[0] == second and phrase is not before), None)
        if before and after:
            before += after
            phrases.remove(after)
        elif before:
            before.append(second)
        elif after:
            after.insert(0, first)
        else:
            phrases.append([first, second])
    if not phrases:
        return examples[0].text[:40] if examples else "(no words)"
    return " · ".join(" ".join(phrase) for phrase in phrases)


def _neighbours(pair_counts: Integers, edge_count: int, n_documents: int) -> tuple[Neighbour, ...]:
    """Rank the states on one side by the share of documents; the edge of the document is one of them."""
    found = [Neighbour(int(state), float(pair_counts[state] / n_documents)) for state in np.flatnonzero(pair_counts)]
    if edge_count:
        found.append(Neighbour(None, edge_count / n_documents))
    found.sort(key=lambda neighbour: -neighbour.share)
    return tuple(found[:_N_NEIGHBOURS])
