"""One pass of re-estimation over all parts: decode, count, and add the counts up in a tree.

A generation is what a pass leaves: the state of every sentence, in a file a part, and the counts of all of them.
Counts are integers, so the sums are the same however the documents were cut into shards and parts.
"""

import hashlib
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from driftline.model.counts import Counts
from driftline.streaming.engines import Run
from driftline.streaming.generations import Generation, counts_name, estimate_of, save_states, states_of
from driftline.streaming.progress import Progress
from driftline.streaming.words import Part, read_part, vocabulary_of
from driftline.streaming.workspace import FIRST, Job, load_counts, remove, save_counts

_SUMMED_AT_ONCE = 8
_FINGERPRINT = 2**256


@dataclass(frozen=True)
class PartDone:
    """What a worker tells of a part."""

    n_moved: int
    fingerprint: int
    before: int


def decode_part(job: Job, source: str, generation: int, previous: Generation | None, part: Part) -> PartDone:
    """Give every sentence of a part its V-topic, by the counts of `source`, and count."""
    estimate = estimate_of(job, source)
    old = None if previous is None else states_of(job, previous, part)
    found, counts, start = [], [], 0
    for corpus in read_part(job, part):
        states, _ = estimate.decode(corpus)
        counts.append(Counts.of(corpus, states, estimate.counts.n_states))
        found.append(states)
        start += corpus.n_sentences
    states = np.concatenate(found)
    save_states(job, generation, part, states, estimate.counts.n_states)
    save_counts(job.path("counts", f"{generation:05d}-0-{part.name}"), Counts.sum(counts))
    n_moved = 0 if old is None else int((states != old).sum())
    return PartDone(n_moved, _fingerprint(part, states), 0 if old is None else _fingerprint(part, old))


def next_generation(
    job: Job, run: Run, parts: list[Part], previous: Generation | None, progress: Progress
) -> Generation:
    """Decode all parts by the model of the generation before, or by that of the first clusters."""
    number = 0 if previous is None else previous.number + 1
    source = FIRST if previous is None else counts_name(previous.number)
    done = []
    work = partial(decode_part, job, source, number, previous)
    for part, found in zip(parts, run(work, parts), strict=True):
        done.append(found)
        progress.advance(part.n_sentences)
    counts = _sum_tree(job, run, [job.path("counts", f"{number:05d}-0-{part.name}") for part in parts], number)
    kept = counts.sentence_counts > 0
    kept[-1] = True
    save_counts(job.path("counts", counts_name(number)), counts.keep(kept))
    return Generation(
        number,
        int(kept.sum()),
        None if kept.all() else np.where(kept, np.cumsum(kept) - 1, -1).tolist(),
        sum(found.n_moved for found in done),
        f"{sum(found.fingerprint for found in done) % _FINGERPRINT:064x}",
        f"{sum(found.before for found in done) % _FINGERPRINT:064x}",
    )


def _sum_tree(job: Job, run: Run, paths: list[Path], number: int) -> Counts:
    """Add the counts of all parts up, some at a time and where the workers are, level by level."""
    level = 0
    while len(paths) > 1:
        level += 1
        groups = [paths[i : i + _SUMMED_AT_ONCE] for i in range(0, len(paths), _SUMMED_AT_ONCE)]
        targets = [job.path("counts", f"{number:05d}-{level}-{i:05d}") for i in range(len(groups))]
        list(run(partial(add_counts, job), list(zip(groups, targets, strict=True))))
        remove(*paths)
        paths = targets
    counts = load_counts(paths[0], vocabulary_of(job).size)
    remove(*paths)
    return counts


def add_counts(job: Job, task: tuple[list[Path], Path]) -> None:
    """Add the counts of some files up into one, unless that was done before."""
    sources, target = task
    if not target.exists():
        size = vocabulary_of(job).size
        save_counts(target, Counts.sum([load_counts(path, size) for path in sources]))


def _fingerprint(part: Part, states: NDArray[np.int64]) -> int:
    """Return a number whose sum over all parts tells which state each sentence has."""
    return int.from_bytes(hashlib.sha256(part.name.encode() + states.astype("<i8").tobytes()).digest())
