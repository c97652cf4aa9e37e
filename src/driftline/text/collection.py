"""Collections that are read as often as they are needed instead of being held in memory."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from driftline.errors import InputError
from driftline.text.corpus import Document, raise_problems
from driftline.text.reading import ReadOptions, stream_documents
from driftline.text.shards import find_shards, is_sharded

LARGE_FILE = 100 * 2**20
"""Bytes from which a single file is read piece by piece."""
_PACKED = 10  # texts shrink to about a tenth


@dataclass(frozen=True)
class Collection:
    """The documents of some shards, one after another, each time that it is iterated over."""

    shards: tuple[Path, ...]
    options: ReadOptions

    @classmethod
    def at(cls, path: Path, options: ReadOptions) -> "Collection":
        """Read everything once, so that whatever is wrong is told before anything is done with it."""
        made, seen, problems = cls(find_shards(path), options), set[bytes](), list[str]()
        for document in made:
            key = id_hash(document)
            if key in seen:
                problems.append(f"{path}: the id {document.id!r} stands more than once")
            seen.add(key)
        raise_problems(problems)
        if not seen:
            raise InputError(f"{path}: holds no document")
        return made

    def __iter__(self) -> Iterator[Document]:
        """Iterate over the documents, shard by shard."""
        for shard in self.shards:
            yield from stream_documents(shard, self.options)


def is_large(path: Path) -> bool:
    """Tell whether a path names what is better read piece by piece: shards, or a large file."""
    if is_sharded(path):
        return True
    return path.stat().st_size * (_PACKED if path.suffix.lower() == ".gz" else 1) > LARGE_FILE


def id_hash(document: Document) -> bytes:
    """Return eight bytes that stand for a document's id where millions of them must be told apart."""
    return hashlib.blake2b(document.id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
