"""Collections that lie in several files: finding the shards of a folder or a pattern, and opening them."""

import glob
import gzip
import os
from pathlib import Path
from typing import IO

from driftline.errors import InputError

SHARDS = (".jsonl", ".jsonl.gz", ".parquet")
_PATTERN = frozenset("*?[")


def find_shards(path: Path) -> tuple[Path, ...]:
    """Return the files that make up a collection, by name; a file or a folder of .txt files is one shard.

    A folder may hold shards in place of .txt files, and a pattern such as `reports/*.jsonl.gz` names them.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        if _PATTERN.intersection(str(path)):
            return _matching(path)
        raise InputError(f"{path}: there is no such file or folder") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    return (_shards_in(path) or (path,)) if path.is_dir() else (path,)


def is_sharded(path: Path) -> bool:
    """Tell whether a path names shards: a folder that holds some, or a pattern."""
    return find_shards(path) != (path,)


def text_files(folder: Path) -> list[Path]:
    """Find the .txt files of a folder and of the folders in it, in the order of their names."""
    found = []
    for parent, folders, names in os.walk(folder, onerror=_refuse_folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(parent, n) for n in names if n.lower().endswith(".txt") and not n.startswith(".")]
    if not found:
        raise InputError(f"{folder}: holds no .txt file")
    return sorted(found)


def suffix_of(path: Path) -> str:
    """Return the suffix that tells the format: `.jsonl.gz` is one."""
    name = path.name.lower()
    return ".jsonl.gz" if name.endswith(".jsonl.gz") else path.suffix.lower()


def stem_of(path: Path) -> str:
    """Return the name of a file without the suffix that tells its format."""
    return path.name[: len(path.name) - len(suffix_of(path))]


def open_shard(path: Path) -> IO[bytes] | gzip.GzipFile:
    """Open a file for reading, unpacked where it is packed."""
    return gzip.open(path, "rb") if suffix_of(path).endswith(".gz") else path.open("rb")


def _matching(pattern: Path) -> tuple[Path, ...]:
    found = tuple(sorted(Path(name) for name in glob.glob(str(pattern), recursive=True) if Path(name).is_file()))
    if not found:
        raise InputError(f"{pattern}: no file matches this pattern")
    return found


def _shards_in(folder: Path) -> tuple[Path, ...]:
    """List the shards right in a folder; with a .txt file beside them it is a folder of texts."""
    try:
        files = sorted(file for file in folder.iterdir() if not file.name.startswith("."))
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({error.strerror})") from None
    if any(suffix_of(file) == ".txt" for file in files):
        return ()
    return tuple(file for file in files if suffix_of(file) in SHARDS and file.is_file())


def _refuse_folder(error: OSError) -> None:
    raise InputError(f"{error.filename}: cannot be read ({error.strerror})")
