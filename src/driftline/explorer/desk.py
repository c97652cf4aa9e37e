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


class StaleModelError(InputError):
    """The model file is not the one that was opened any more."""


@dataclass
class Desk:
    """A subject, and the file its model came from."""

    subject: Subject
    path: Path | None = None
    """None for a model that is in no file: its labels last as long as the server."""
    page_token: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    """Every page carries it, and everything that is sent back must show it."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _seen: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        self._seen = self._look()

    def rename(self, state: int, label: str) -> Subject:
        """Give a state a label, in the file first and then on the pages."""
        with self._lock:
            model = relabel(self.subject.model, state, label)
            if self.path is not None:
                self._save(model, self.path)
            self.subject = replace(self.subject, model=model)
            return self.subject

    def _save(self, model: ContentModel, path: Path) -> None:
        if self._look() != self._seen:
            raise StaleModelError(f"{path.name}: has changed since it was opened; start the explorer again")
        # Replacing a file needs the folder alone, but a file marked as read-only is meant to stay as it is.
        if not os.access(path, os.W_OK):
            raise InputError(f"{path.name}: is read-only, so the label cannot be kept")
        model.save(path)
        self._seen = self._look()

    def _look(self) -> tuple[int, ...] | None:
        """Return what changes when somebody else writes the file."""
        if self.path is None:
            return None
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size
