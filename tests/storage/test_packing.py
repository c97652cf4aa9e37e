"""Small records in a model file: they come back as they were, or not at all."""

from dataclasses import dataclass

import msgspec
import numpy as np
import pytest

from driftline.storage.packing import check_types, pack_record, unpack_record


@dataclass(frozen=True)
class Weights:
    names: tuple[str, ...]
    values: tuple[float, ...]


def test_a_record_comes_back_as_it_was():
    """Texts and floats survive to the last bit."""
    weights = Weights(("é", "\u2028"), (0.1, 1e-300, -1 / 3))
    arrays = pack_record("weights", weights)
    check_types({**arrays, "bigram_counts": np.ones(1, dtype=np.int64)})

    assert unpack_record("weights", arrays, Weights) == weights


def test_a_file_without_the_record_has_none():
    """A part that was never learned is absent, not empty."""
    assert unpack_record("weights", {}, Weights) is None


@pytest.mark.parametrize("raw", [b"", b"{", b'{"names": 3, "values": []}', b'{"names": []}'])
def test_a_damaged_record_is_refused(raw):
    """What is no such record raises what the model file reports as damage."""
    with pytest.raises(msgspec.MsgspecError):
        unpack_record("weights", {"weights.json": np.frombuffer(raw, dtype=np.uint8)}, Weights)
