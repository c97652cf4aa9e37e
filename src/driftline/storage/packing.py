"""Texts and small records as arrays, the one thing that a model file holds beside its header."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
Record = TypeVar("Record")

_BYTES = (".bytes", ".json")
_MATRICES = {"document_pair_counts", "position_counts", "example_places"}
_MOST = 2**53  # what floats can still count


def pack_texts(name: str, texts: Sequence[str]) -> Arrays:
    """Store strings as their UTF-8 bytes and the place where each ends."""
    raw = [text.encode("utf-8", "surrogatepass") for text in texts]
    return {
        f"{name}.bytes": np.frombuffer(b"".join(raw), dtype=np.uint8),
        f"{name}.ends": np.cumsum([len(r) for r in raw], dtype=np.int64),
    }


def unpack_texts(name: str, arrays: Arrays) -> tuple[str, ...]:
    """Take strings out again, or say that they are damaged."""
    raw, ends = arrays[f"{name}.bytes"].tobytes(), arrays[f"{name}.ends"].tolist()
    # Ends that run backwards or past the bytes would cut texts out of the wrong places.
    starts = [0, *ends]
    if any(a > b for a, b in zip(starts, ends, strict=False)) or starts[-1] != len(raw):
        raise ValueError(f"the texts of {name} do not fit their places")
    return tuple(raw[a:b].decode("utf-8", "surrogatepass") for a, b in zip(starts, ends, strict=False))


def pack_record(name: str, record: object) -> Arrays:
    """Store a record (a dataclass or struct of plain values) as JSON; its floats come back as they were."""
    return {f"{name}.json": np.frombuffer(msgspec.json.encode(record), dtype=np.uint8)}


def unpack_record(name: str, arrays: Arrays, kind: type[Record]) -> Record | None:
    """Take a record out again, checked against its type; None if the file holds none."""
    if f"{name}.json" not in arrays:
        return None
    return msgspec.json.decode(arrays[f"{name}.json"].tobytes(), type=kind)


def check_types(arrays: Arrays) -> None:
    """Check what holds for all arrays: their types, their axes, and that nothing is negative or beyond floats."""
    for name, array in arrays.items():
        expected = np.uint8 if name.endswith(_BYTES) else np.int64
        kind = name.rpartition("/")[2]
        if array.dtype != expected or array.ndim != 1 + (kind in _MATRICES):
            raise ValueError(f"{name} is no {1 + (kind in _MATRICES)}-dimensional array of {np.dtype(expected)}")
        if array.size and (array.min() < 0 or float(array.sum(dtype=np.float64)) > 2.0**62):
            raise ValueError(f"{name} holds something else than counts")
        if kind == "bigram_counts" and (array.sum(dtype=np.float64) > _MOST or (array < 1).any()):
            raise ValueError(f"{name} holds something else than counts")
