"""The results of cells, kept in a folder: what is there is not done again, whoever did it and whenever it stopped."""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from driftline.errors import DriftlineError, DriftlineWarning
from driftline.files import make_folder, write_atomically
from driftline.kernels.threads import one_blas_thread
from driftline.parallel import map_in_order
from driftline.reproduction.cells import Cell, short_name

Say = Callable[[str], None]
_MOST_BYTES = 64 * 2**20


@dataclass(frozen=True)
class Failed:
    """Why a cell has no result, in one sentence."""

    reason: str


class _Kept(msgspec.Struct, frozen=True):
    key: str
    result: msgspec.Raw


def run_cells(cells: Iterable[Cell], folder: Path, workers: int, say: Say = lambda _: None) -> dict[str, Any]:
    """Return the result of each cell by its key, or why it has none; what the folder holds is not done again."""
    make_folder(folder)
    wanted = {cell.key: cell for cell in cells}
    found = {key: kept for key, cell in wanted.items() if (kept := _kept(folder, cell)) is not None}
    missing = [cell for key, cell in wanted.items() if key not in found]
    done = map_in_order(partial(_run, folder), missing, min(workers, len(missing)))
    for number, (cell, result) in enumerate(zip(missing, done, strict=True), 1):
        found[cell.key] = result
        say(f"{cell.title} ({number} of {len(missing)})")
    return found


def _run(folder: Path, cell: Cell) -> object:
    """Run a cell wherever this is, and keep its result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DriftlineWarning)
        try:
            with one_blas_thread():
                result = cell.run(folder)
        except DriftlineError as error:
            return Failed(f"{cell.title}: {error}")
    kept = _Kept(cell.key, msgspec.Raw(msgspec.json.encode(result)))
    write_atomically(_path(folder, cell), msgspec.json.encode(kept) + b"\n")
    return result


def _kept(folder: Path, cell: Cell) -> object | None:
    """Read the result of a cell; what is damaged or of another cell is done again."""
    path = _path(folder, cell)
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return None
        kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        if kept.key != cell.key:
            return None
        return msgspec.json.decode(kept.result, type=get_type_hints(type(cell).run)["return"])  # type: ignore[no-any-return]
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError, DriftlineError):
        return None


def _path(folder: Path, cell: Cell) -> Path:
    return folder / f"{short_name(cell.key)}.json"
