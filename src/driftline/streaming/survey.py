"""The first pass over the text: how words are written, which documents there are, and that no id stands twice."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftline.errors import InputError
from driftline.streaming.engines import Run
from driftline.streaming.workspace import Job, load_array, load_record, save_array, save_record
from driftline.text.collection import id_hash
from driftline.text.corpus import document_digest, hash_of_digests, raise_problems
from driftline.text.masking import BuiltinMasker, Masker, NameCounts, NameEvidence, learn_masker
from driftline.text.reading import stream_documents

_DIGEST = "S32"  # bytes, which NumPy sorts as Python does


@dataclass(frozen=True)
class ShardSurvey:
    """What the first pass finds in one shard."""

    n_documents: int
    n_sentences: int
    lower: dict[str, int]
    capital: dict[str, int]


@dataclass(frozen=True)
class Survey:
    """What the first pass finds in a collection."""

    n_documents: int
    n_sentences: int
    data_hash: str


def survey(job: Job, run: Run) -> Survey:
    """Read all shards, and keep what the masker learns from them."""
    list(run(partial(survey_shard, job), range(len(job.shards))))
    n_documents = n_sentences = 0
    names = NameCounts()
    for number in range(len(job.shards)):
        found = load_record(job.path("survey", f"{number:05d}.json"), ShardSurvey)
        n_documents, n_sentences = n_documents + found.n_documents, n_sentences + found.n_sentences
        names.add(found.lower, found.capital)
    if not n_documents:
        raise InputError(f"{job.shards[0]}: holds no document")
    _check_ids(job)
    save_record(job.path("names.json"), names.evidence)
    return Survey(n_documents, n_sentences, hash_of_digests(np.sort(_arrays(job, "digests")).tobytes()))


def survey_shard(job: Job, number: int) -> None:
    """Read one shard and put down what is in it, unless that was done before."""
    done = job.path("survey", f"{number:05d}.json")
    if done.exists():
        return
    names, n_sentences, n_documents = NameCounts(), 0, 0
    digests, ids = bytearray(), bytearray()
    for document in stream_documents(job.shards[number], job.options):
        if job.settings.masking == "builtin":
            names.count(document.sentences)
        digests += document_digest(document)
        ids += id_hash(document)
        n_sentences += len(document)
        n_documents += 1
    save_array(job.path("survey", f"{number:05d}.digests.npy"), np.frombuffer(digests, _DIGEST))
    save_array(job.path("survey", f"{number:05d}.ids.npy"), np.frombuffer(ids, np.uint64))
    save_record(done, ShardSurvey(n_documents, n_sentences, names.lower, names.capital))


def masker_of(job: Job) -> Masker:
    """Return the masker that learned from all shards."""
    if job.settings.masking == "builtin":
        return BuiltinMasker(load_record(job.path("names.json"), NameEvidence))
    return learn_masker(job.settings.masking, ())


def _check_ids(job: Job) -> None:
    """Refuse a collection in which an id stands twice; eight bytes a document are all that is held for it."""
    known, counts = np.unique(_arrays(job, "ids"), return_counts=True)
    if (counts > 1).any():
        raise_problems(_repeated_ids(job, known[counts > 1]))


def _arrays(job: Job, kind: str) -> NDArray[Any]:
    """Return what the first pass has put down of every document."""
    return np.concatenate([load_array(job.path("survey", f"{i:05d}.{kind}.npy")) for i in range(len(job.shards))])


def _repeated_ids(job: Job, suspects: NDArray[np.uint64]) -> list[str]:
    """Read the shards again: equal hashes are not yet equal ids."""
    wanted, seen, problems = {hash_.tobytes() for hash_ in suspects}, dict[str, Path](), []
    for shard in job.shards:
        for document in stream_documents(shard, job.options):
            if id_hash(document) in wanted:
                if document.id in seen:
                    problems.append(f"{shard}: the id {document.id!r} was already given in {seen[document.id]}")
                seen[document.id] = shard
    return problems
