"""Writing files so that nobody ever sees half of one."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from driftline.errors import InputError


def write_atomically(path: str | Path, content: bytes | str) -> None:
    """Write a file beside its final place and move it there when it is complete."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path}: is a folder; expected the path of a file to write")
    if not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist")
    raw = content.encode("utf-8") if isinstance(content, str) else content
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _umask() -> int:
    """Return the mask for new files; the system tells it only when it is set."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
