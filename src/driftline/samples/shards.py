"""Writing as many synthetic documents as anybody wants, into shards: to try what is said of large collections."""

from functools import partial
from pathlib import Path

import msgspec

from driftline.errors import InputError
from driftline.files import make_folder, write_atomically
from driftline.parallel import map_in_order
from driftline.samples.corpora import Domain, write_documents


def write_shards(domain: Domain, folder: Path, n_documents: int, n_shards: int, workers: int = 1) -> list[Path]:
    """Write documents into .jsonl shards of equal length, the same ones for any number of shards and workers."""
    if not 1 <= n_shards <= n_documents:
        raise InputError(f"shards: expected from 1 to one for each of {n_documents} documents, got {n_shards}")
    make_folder(folder)
    edges = [n_documents * i // n_shards for i in range(n_shards + 1)]
    width = len(str(n_shards - 1))
    tasks = [(folder / f"{domain}-{i:0{width}d}.jsonl", range(edges[i], edges[i + 1])) for i in range(n_shards)]
    return list(map_in_order(partial(_write_shard, domain), tasks, workers))


def _write_shard(domain: Domain, task: tuple[Path, range]) -> Path:
    path, numbers = task
    lines = [
        msgspec.json.encode({"id": document.id, "sentences": document.sentences, "labels": document.labels})
        for document in write_documents(domain, numbers)
    ]
    write_atomically(path, b"\n".join([*lines, b""]))
    return path
