"""Writing files so that nobody ever sees half of one."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from driftline.errors import InputError

OWN_FILES = ".driftline-"
"""What the names of files begin with that are not results: those that are being written, and locks."""


def write_atomically(path: str | Path, content: bytes | str, *, at_once: bool = True) -> None:
    """Write a file beside its final place and move it there when it is complete.

    `at_once` waits until the disk has it, so that it also outlives a loss of power. A file that is there already
    keeps its permissions.
    """
    # Half a surrogate pair, which a file name may bring in, is shown by its code.
    raw = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    path, temporary = Path(path), None
    try:
        path = _target(path)
        # In the same folder, so that the move is one step of the file system.
        handle, temporary = tempfile.mkstemp(prefix=OWN_FILES, suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            if at_once:
                os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
        if at_once:
            _keep_name(path.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def make_folder(path: str | Path) -> None:
    """Make a folder, and those that it stands in, unless it is there."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be made ({error.strerror})") from None


def check_writable(path: str | Path) -> None:
    """Refuse a path that nothing can be written to, before the work whose result it should take."""
    folder = _target(Path(path)).parent
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{path}: cannot be written (no permission to write to the folder {folder})")


def _target(path: Path) -> Path:
    """Return the file that a path, which may be a link, leads to; refuse what must not be replaced."""
    # The file behind a link is replaced, not the link.
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise InputError(f"{path}: is a folder; expected the path of a file to write")
    if not target.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist")
    if target.exists() and not target.is_file():
        raise InputError(f"{path}: is not a regular file")
    return target


def _mode(path: Path) -> int:
    """Return the permissions of a file, or those of any other new file: mkstemp lets nobody else read."""
    with suppress(FileNotFoundError):
        return path.stat().st_mode & 0o777
    return 0o666 & ~_umask()


def _keep_name(folder: Path) -> None:
    """Wait until the disk has the names in a folder, where the system lets a folder be opened."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _umask() -> int:
    """Return the mask for new files; the system tells it only when it is set."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
