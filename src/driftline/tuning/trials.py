"""The trials of a search, kept in a file that survives a kill at any moment.

One JSON object a line: the first names the run, each other one is a trial. A line counts once its end is
there: it is on disk before the search goes on, and a torn last line is cut off when the file is opened again.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from driftline.errors import InputError
from driftline.files import write_atomically
from driftline.tuning.objective import Score
from driftline.tuning.space import Point

Line = TypeVar("Line")

_MOST_BYTES = 256 * 2**20


class Trial(msgspec.Struct, frozen=True):
    """One point and what it is worth."""

    point: Point
    score: Score


class _Header(msgspec.Struct, frozen=True):
    trials_of: str


class Trials:
    """All trials of a run, each point once; with a path, they are kept in that file."""

    def __init__(self, run: str, path: Path | None = None) -> None:
        """Take up what the file holds, if it is of this run."""
        self._scores: dict[Point, Score] = {}
        self._path = path
        if path is None:
            return
        if path.exists():
            self._scores = {trial.point: trial.score for trial in _read(path, run)}
        else:
            write_atomically(path, msgspec.json.encode(_Header(run)) + b"\n")

    def __len__(self) -> int:
        """Return the number of points that were evaluated."""
        return len(self._scores)

    def __iter__(self) -> Iterator[Trial]:
        """Iterate in the order of evaluation."""
        return (Trial(point, score) for point, score in self._scores.items())

    def known(self, point: Point) -> Score | None:
        """Return what a point is worth, if it was evaluated."""
        return self._scores.get(point)

    def add(self, trial: Trial) -> None:
        """Keep a trial; it is on disk when this returns."""
        self._scores[trial.point] = trial.score
        if self._path is None:
            return
        try:
            with self._path.open("ab") as file:
                file.write(msgspec.json.encode(trial) + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(f"{self._path}: cannot be written ({error.strerror})") from None


def _read(path: Path, run: str) -> Iterable[Trial]:
    """Read the whole lines of a file, and cut off a torn last one."""
    if not path.is_file():
        raise InputError(f"{path}: is not a regular file")
    if (size := path.stat().st_size) > _MOST_BYTES:
        raise InputError(f"{path}: {size:,} bytes; a file of trials has at most {_MOST_BYTES:,}")
    try:
        raw = path.read_bytes()
        whole = raw[: raw.rfind(b"\n") + 1]
        lines = whole.splitlines()
        header = _decoded(lines[0] if lines else b"", _Header, f"{path}, line 1")
        if header.trials_of != run:
            raise InputError(
                f"{path}: holds the trials of another run ({header.trials_of}), not of this one ({run}); "
                "name another file or remove it"
            )
        if len(whole) < len(raw):
            os.truncate(path, len(whole))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    return [_decoded(line, Trial, f"{path}, line {number}") for number, line in enumerate(lines[1:], 2)]


def _decoded(line: bytes, kind: type[Line], place: str) -> Line:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{place}: is no line of a file of trials ({error})") from None
