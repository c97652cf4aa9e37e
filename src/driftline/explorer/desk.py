"""What the server works with, and the one thing in it that changes: labels, which go into the model file."""

import os
import secrets
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path

from driftline.errors import InputError
from driftline.explorer.subject import Subject
from driftline.model.content_model import ContentModel
from driftline.model.topics import relabel

Stamp = tuple[int, ...]


class StaleModelError(InputError):
    """The model file is not the one that was opened any more."""


def stamp(path: Path) -> Stamp | None:
    """Return what changes when somebody else writes a file; None where there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


@dataclass
class Desk:
    """A subject, and the file its model came from."""

    subject: Subject
    path: Path | None = None
    """None for a model that is in no file: its labels last as long as the server."""
    seen: Stamp | None = None
    """The stamp of the file from before the model was read; it is taken now where none is given."""
    page_token: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    """Every page carries it, and everything that is sent back must show it."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.path is not None and self.seen is None:
            self.seen = stamp(self.path)

    def rename(self, state: int, label: str) -> Subject:
        """Give a state a label, in the file first and then on the pages."""
        with self._lock:
            model = relabel(self.subject.model, state, label)
            if self.path is not None:
                self._save(model, self.path)
            self.subject = replace(self.subject, model=model)
            return self.subject

    def _save(self, model: ContentModel, path: Path) -> None:
        if stamp(path) != self.seen:
            raise StaleModelError(f"{path.name}: has changed since it was opened; start the explorer again")
        # Replacing a file needs the folder alone, but a file marked as read-only is meant to stay as it is.
        if not os.access(path, os.W_OK):
            raise InputError(f"{path.name}: is read-only, so the label cannot be kept")
        model.save(path)
        self.seen = stamp(path)
