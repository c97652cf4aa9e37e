"""The folder that a fit of shards works in: what it keeps there, and what it is kept for.

Every file is written beside its place and moved there when it is complete, so that whatever is there is whole:
a fit that was killed goes on from the files that it finds.
"""

import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import safetensors.numpy
from numpy.typing import NDArray

from driftline.errors import InputError
from driftline.files import OWN_FILES, make_folder, write_atomically
from driftline.model.counts import Counts
from driftline.settings import Settings
from driftline.storage.counts import pack_counts, unpack_counts
from driftline.text.reading import ReadOptions
from driftline.text.shards import text_files
from driftline.version import __version__

try:
    import fcntl
except ImportError:  # pragma: no cover (Windows has other locks; there nothing keeps a second fit out)
    fcntl = None  # type: ignore[assignment]

Record = TypeVar("Record")

FIRST = "first"
"""The name of the counts of the first clusters, by which all other sentences are placed."""


@dataclass(frozen=True)
class Job:
    """What every worker is told: what to read, how, and where to put what it makes of it."""

    folder: Path
    shards: tuple[Path, ...]
    options: ReadOptions
    settings: Settings
    identity: str
    """A hash of all of this, and of the sizes and times of the shards."""

    def path(self, *names: str | int) -> Path:
        """Return the path of a file of the folder; the shard's number goes before."""
        return self.folder.joinpath(*(f"{name:05d}" if isinstance(name, int) else name for name in names))


@contextmanager
def open_job(folder: Path, shards: Sequence[Path], options: ReadOptions, settings: Settings) -> Iterator[Job]:
    """Begin to work in a folder, or go on with what was begun there, if it is the same work and nobody is at it."""
    folder = folder.absolute()
    shards = tuple(shard.absolute() for shard in shards)
    if options.splitter is not None:
        raise InputError("splitter: a function cannot be told to other processes; give `sentences` in .jsonl instead")
    described = [__version__, settings.as_dict(), options, [_versions(shard) for shard in shards]]
    identity = hashlib.sha256(msgspec.json.encode(described)).hexdigest()
    make_folder(folder)
    begun = folder / "job.json"
    if not begun.exists() and any(not file.name.startswith(OWN_FILES) for file in folder.iterdir()):
        raise InputError(f"{folder}: holds something else than a checkpoint; name an empty or a new folder")
    with _locked(folder):
        _begin(begun, identity)
        for name in ("survey", "words", "states", "counts"):
            make_folder(folder / name)
        yield Job(folder, shards, options, settings, identity)


def _begin(begun: Path, identity: str) -> None:
    """Note what the folder is for, or refuse it if it is for something else."""
    if begun.exists():
        if load_record(begun, str) != identity:
            raise InputError(
                f"{begun.parent}: holds the checkpoint of another fit (of other shards, options, settings or "
                "version); name another folder, or remove this one"
            )
    else:
        save_record(begun, identity)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other fits out of a folder; the system lifts the lock when this process ends, however it does."""
    if fcntl is None:
        yield
        return
    path = folder / f"{OWN_FILES}lock"
    try:
        file = path.open("ab")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{folder}: another fit is at work there; wait for it, or name another folder") from None
        yield


def _versions(shard: Path) -> list[tuple[str, int, int]]:
    """Return what changes when somebody changes a shard: the name, size and time of each of its files."""
    try:
        files = text_files(shard) if shard.is_dir() else [shard]
        stats = [(str(file), file.stat()) for file in files]
    except OSError as error:
        raise InputError(f"{shard}: cannot be read ({error.strerror})") from None
    return [(name, status.st_size, status.st_mtime_ns) for name, status in stats]


def save_record(path: Path, record: object) -> None:
    """Write plain values as JSON."""
    try:
        write_atomically(path, msgspec.json.encode(record), at_once=False)
    except UnicodeEncodeError as error:
        raise InputError(f"{path}: the documents hold a word that is no text ({error})") from None


def load_record(path: Path, kind: type[Record]) -> Record:
    """Read what was written as JSON, checked against its type."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(f"{path}: is damaged ({error}); remove the folder and begin again") from None


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array."""
    content = io.BytesIO()
    np.save(content, array, allow_pickle=False)
    write_atomically(path, content.getvalue(), at_once=False)


def load_array(path: Path) -> NDArray[Any]:
    """Open an array without reading it: its pages come as they are used."""
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"{path}: is damaged ({error}); remove the folder and begin again") from None
    return array


def save_counts(path: Path, counts: Counts) -> None:
    """Write counts, the way a model file holds them."""
    write_atomically(path, safetensors.numpy.save(pack_counts(counts)), at_once=False)


def load_counts(path: Path, vocabulary_size: int) -> Counts:
    """Read counts and check that they can be counts."""
    try:
        return unpack_counts(safetensors.numpy.load(path.read_bytes()), vocabulary_size)
    except (OSError, ValueError, KeyError, safetensors.SafetensorError) as error:
        raise InputError(f"{path}: is damaged ({error}); remove the folder and begin again") from None


def remove(*paths: Path) -> None:
    """Remove files that are no longer needed, if they are still there."""
    for path in paths:
        if path.exists():
            os.unlink(path)
