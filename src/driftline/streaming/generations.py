"""Generations: what a pass of re-estimation leaves, and where it is kept until it is no longer needed."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from driftline.model.counts import Counts
from driftline.model.training import Ending, Estimate
from driftline.streaming.words import Part, vocabulary_of
from driftline.streaming.workspace import (
    Job,
    load_array,
    load_counts,
    load_record,
    remove,
    save_array,
    save_counts,
    save_record,
)


@dataclass(frozen=True)
class Generation:
    """What a pass leaves, but for what stands in files of its own."""

    number: int
    n_states: int
    renumbered: list[int] | None
    """The number of each state that was decoded, -1 for those that have lost all sentences; None if none has."""
    n_moved: int
    fingerprint: str
    """Of the states of all sentences, as they were decoded."""
    before: str
    """The fingerprint of the generation before, with its states as they are numbered now."""
    ending: Ending | None = None


@lru_cache(maxsize=1)
def estimate_of(job: Job, source: str) -> Estimate:
    """Return the model of some counts; a worker makes it once a pass."""
    size = vocabulary_of(job).size
    return Estimate.of(load_counts(job.path("counts", source), size), size, job.settings)


def states_of(job: Job, generation: Generation, part: Part) -> NDArray[np.int64]:
    """Return the states of the sentences of a part, as a generation numbers them."""
    states: NDArray[np.int64] = load_array(states_path(job, generation.number, part)).astype(np.int64)
    return states if generation.renumbered is None else np.array(generation.renumbered)[states]


def save_states(job: Job, generation: int, part: Part, states: NDArray[np.int64], n_states: int) -> None:
    """Write the states of the sentences of a part, in as few bytes as they need."""
    save_array(states_path(job, generation, part), states.astype(np.min_scalar_type(n_states)))


def states_path(job: Job, generation: int, part: Part) -> Path:
    """Return where the states of a part are."""
    return job.path("states", f"{generation:05d}-{part.name}.npy")


def counts_name(generation: int) -> str:
    """Return the name of the counts of a whole generation."""
    return f"{generation:05d}"


def save_generations(job: Job, generations: list[Generation], parts: list[Part]) -> None:
    """Make a generation the one to go on from, and remove what only the one before the last still needed."""
    save_record(job.path("generations.json"), generations)
    if len(generations) > 1:
        old = generations[-2].number
        remove(job.path("counts", counts_name(old)), *(states_path(job, old, part) for part in parts))


def load_generations(job: Job) -> list[Generation]:
    """Return the generations that were completed."""
    path = job.path("generations.json")
    return load_record(path, list[Generation]) if path.exists() else []


def save_first_generation(job: Job, parts: list[Part], states: NDArray[np.int64], counts: Counts) -> None:
    """Begin with the clusters of all sentences."""
    start = 0
    for part in parts:
        save_states(job, 0, part, states[start : start + part.n_sentences], counts.n_states)
        start += part.n_sentences
    save_counts(job.path("counts", counts_name(0)), counts)
    save_generations(job, [Generation(0, counts.n_states, None, 0, "", "")], parts)
