"""Typical sentences of every state, found shard by shard: the one thing that needs the text once more."""

import itertools
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from driftline.errors import InputError
from driftline.model.examples import Example, typicality
from driftline.streaming.engines import Run
from driftline.streaming.generations import Generation, counts_name, estimate_of, states_of
from driftline.streaming.words import Part, read_part
from driftline.streaming.workspace import Job
from driftline.text.corpus import Document
from driftline.text.reading import stream_documents

Found = dict[str, tuple[float, str, int]]
"""For each text how typical it is (negative, the most typical first), and the first place where it stands."""


def typical_sentences(
    job: Job, run: Run, parts: list[Part], generation: Generation
) -> tuple[tuple[Example, ...], ...]:
    """Choose the examples of every state, the same ones as from a collection in memory."""
    best: list[Found] = [{} for _ in range(generation.n_states)]
    n_examples = job.settings.n_examples
    if n_examples:
        of_shard = [[part for part in parts if part.shard == shard] for shard in range(len(job.shards))]
        for found in run(partial(examples_of_shard, job, generation), of_shard):
            for state, texts in enumerate(found):
                _merge(best[state], texts, n_examples)
    return tuple(
        tuple(Example(document, place, text) for text, (_, document, place) in texts.items()) for texts in best
    )


def examples_of_shard(job: Job, generation: Generation, parts: list[Part]) -> list[Found]:
    """Choose the examples of every state among the sentences of one shard."""
    best: list[Found] = [{} for _ in range(generation.n_states)]
    if not parts:
        return best
    estimate, n_examples = estimate_of(job, counts_name(generation.number)), job.settings.n_examples
    documents = stream_documents(job.shards[parts[0].shard], job.options)
    for part in parts:
        states_of_part, start = states_of(job, generation, part), 0
        for corpus in read_part(job, part):
            states = states_of_part[start : start + corpus.n_sentences]
            start += corpus.n_sentences
            lead = typicality(estimate.emissions.score(corpus), states, np.diff(corpus.sentence_offsets))
            texts = list(_sentences(documents, corpus.n_documents))
            if len(texts) != len(states):
                raise InputError(f"{job.shards[part.shard]}: was changed while it was read")
            for state in np.unique(states).tolist():
                members = np.flatnonzero(states == state)
                _merge(best[state], _candidates(members, lead, texts, n_examples), n_examples)
    return best


def _sentences(documents: Iterator[Document], n_documents: int) -> Iterator[tuple[str, str, int]]:
    """Return text, document and place of each sentence of the next documents."""
    for document in itertools.islice(documents, n_documents):
        for place, text in enumerate(document.sentences):
            yield text, document.id, place


def _candidates(
    members: NDArray[np.int64], lead: NDArray[np.float64], texts: list[tuple[str, str, int]], n_examples: int
) -> Found:
    """Keep the first place of each text that can be among the best: equal texts are equally typical."""
    least = np.unique(lead[members])[-n_examples:][0]
    found: Found = {}
    for i in members[lead[members] >= least].tolist():
        text, document, place = texts[i]
        _keep(found, text, (-float(lead[i]), document, place))
    return found


def _keep(found: Found, text: str, place: tuple[float, str, int]) -> None:
    if text not in found or place < found[text]:
        found[text] = place


def _merge(best: Found, more: Found, n_examples: int) -> None:
    """Add what was found elsewhere and keep the most typical; of equally typical ones the first by its text."""
    for text, place in more.items():
        _keep(best, text, place)
    ranked = sorted(best.items(), key=lambda item: (item[1][0], item[0]))[:n_examples]
    best.clear()
    best.update(ranked)
