"""Learning a content model from shards: the same bytes as from the same documents in memory."""

import itertools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from driftline.model.content_model import ContentModel
from driftline.model.fitting import first_record, warn_of_little, with_reference
from driftline.model.reference import MOST_DOCUMENTS
from driftline.model.training import TrainingRecord, document_keys, draw, first_estimate, why_end
from driftline.settings import Settings
from driftline.streaming.engines import Engine, Run
from driftline.streaming.examples import typical_sentences
from driftline.streaming.generations import (
    Generation,
    counts_name,
    estimate_of,
    load_generations,
    save_first_generation,
    save_generations,
)
from driftline.streaming.passes import next_generation
from driftline.streaming.progress import Progress, Say
from driftline.streaming.survey import Survey, masker_of, survey
from driftline.streaming.words import Part, join, number_words, read_part
from driftline.streaming.workspace import FIRST, Job, load_record, open_job, save_counts, save_record
from driftline.text.corpus import Corpus
from driftline.text.encoding import EncodedCorpus
from driftline.text.reading import ReadOptions, stream_documents
from driftline.text.shards import find_shards


def fit_shards(
    path: str | Path,
    settings: Settings | None = None,
    *,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    checkpoint: str | Path | None = None,
    on_progress: Say | None = None,
) -> ContentModel:
    """Learn a content model from a folder, a pattern or a file of documents that need not fit into memory.

    With a checkpoint, a folder, a fit that was ended goes on where it was when it is called again.

    >>> import json, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for shard in range(2):
    ...         lines = [json.dumps({"id": f"{shard}-{i}", "text": "A quake hit. No one died."}) for i in range(10)]
    ...         _ = Path(folder, f"{shard}.jsonl").write_text(chr(10).join(lines))
    ...     fit_shards(folder).n_states
    3
    """
    settings, engine, say = settings or Settings(), engine or Engine(), on_progress or (lambda _: None)
    shards = find_shards(Path(path))
    options = options or ReadOptions()
    # The lock of the folder is the last to go: by then no worker writes there any more.
    with _folder(checkpoint) as folder, open_job(folder, shards, options, settings) as job, engine.start() as run:
        say(f"reading {len(shards):,} shards")
        found = survey(job, run)
        say(f"masking {found.n_sentences:,} sentences of {found.n_documents:,} documents")
        vocabulary, parts = number_words(job, run)
        first = _begin(job, run, parts, found, say)
        generations = _reestimate(job, run, parts, say)
        last = generations[-1]
        moved = tuple(generation.n_moved for generation in generations[1:])
        record = replace(first, moved=moved, ending=last.ending or "max_iterations")
        warn_of_little(record, last.n_states)
        say("choosing examples")
        model = ContentModel(
            replace(settings, n_clusters=record.n_clusters, min_cluster_size=record.min_cluster_size),
            vocabulary,
            masker_of(job),
            estimate_of(job, counts_name(last.number)),
            record,
            found.data_hash,
            typical_sentences(job, run, parts, last),
        )
        if found.n_documents > MOST_DOCUMENTS:
            return model
        documents = (d for shard in job.shards for d in stream_documents(shard, job.options))
        return with_reference(model, Corpus(tuple(documents)))


@contextmanager
def _folder(checkpoint: str | Path | None) -> Iterator[Path]:
    """Return the folder to work in; without a checkpoint nothing of it stays."""
    if checkpoint is not None:
        yield Path(checkpoint)
        return
    with tempfile.TemporaryDirectory(prefix="driftline-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _begin(job: Job, run: Run, parts: list[Part], found: Survey, say: Say) -> TrainingRecord:
    """Cluster a sample of the documents, or all of them, and give every sentence its first state."""
    path, most = job.path("begun.json"), job.settings.max_clustered_sentences
    if not path.exists():
        say(f"clustering {min(found.n_sentences, most):,} sentences")
        sample = _sample(job, run, parts) if found.n_sentences > most else join(list(_corpora(job, parts)))
        clustering, estimate = first_estimate(sample, found.n_sentences, job.settings)
        save_counts(job.path("counts", FIRST), estimate.counts)
        if found.n_sentences <= most:
            save_first_generation(job, parts, clustering.states, estimate.counts)
        record = first_record(found.n_documents, found.n_sentences, sample.n_sentences, clustering)
        save_record(path, record)
    if not load_generations(job):
        progress = Progress("placing all sentences", found.n_sentences, say)
        save_generations(job, [next_generation(job, run, parts, None, progress)], parts)
    return load_record(path, TrainingRecord)


def _corpora(job: Job, parts: list[Part]) -> Iterator[EncodedCorpus]:
    for part in parts:
        yield from read_part(job, part)


def _sample(job: Job, run: Run, parts: list[Part]) -> EncodedCorpus:
    """Draw the same documents as from a collection in memory."""
    found = list(run(partial(keys_of_part, job), parts))
    keys, lengths = (np.concatenate(column) for column in zip(*found, strict=True))
    drawn = draw(keys, lengths, job.settings.max_clustered_sentences)
    chosen, first = [], 0
    for corpus in _corpora(job, parts):
        here = drawn[(drawn >= first) & (drawn < first + corpus.n_documents)] - first
        if len(here):
            chosen.append(corpus.select(here))
        first += corpus.n_documents
    return join(chosen)


def keys_of_part(job: Job, part: Part) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return what decides on the sample: a key for each document of a part, and its length."""
    corpora = list(read_part(job, part))
    keys = np.concatenate([document_keys(corpus, job.settings.seed) for corpus in corpora])
    return keys, np.concatenate([np.diff(corpus.document_offsets) for corpus in corpora])


def _reestimate(job: Job, run: Run, parts: list[Part], say: Say) -> list[Generation]:
    """Take passes until no sentence moves, the states were seen before, or the iterations run out."""
    generations = load_generations(job)
    n_sentences = sum(part.n_sentences for part in parts)
    while not generations[-1].ending and len(generations) <= job.settings.max_iterations:
        last = generations[-1]
        moved = f" ({last.n_moved:,} moved in the one before)" if last.number else ""
        progress = Progress(f"iteration {last.number + 1}{moved}", n_sentences, say)
        new = next_generation(job, run, parts, last, progress)
        seen_before = new.renumbered is None and (new.n_states, new.fingerprint) in _seen([*generations, new])
        counts = [generation.n_moved for generation in (*generations[1:], new)]
        ending = why_end(counts, n_sentences, job.settings, seen_before=seen_before)
        generations.append(replace(new, ending=ending))
        save_generations(job, generations, parts)
        say(f"iteration {new.number}: {new.n_moved:,} of {n_sentences:,} sentences moved")
    return generations


def _seen(generations: list[Generation]) -> set[tuple[int, str]]:
    """List the states of all generations but the last, as they were numbered when they were complete."""
    return {(old.n_states, new.before) for old, new in itertools.pairwise(generations)}
