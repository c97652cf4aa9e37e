"""The counts of a model, its one part that cannot be missing."""

from dataclasses import asdict
from typing import Any

import numpy as np

from driftline.model.counts import N_POSITIONS, Counts
from driftline.storage.packing import Arrays


def pack_counts(counts: Counts) -> Arrays:
    """Store counts, an array each."""
    return {name: np.ascontiguousarray(value, dtype=np.int64) for name, value in asdict(counts).items()}


def unpack_counts(arrays: Arrays, vocabulary_size: int) -> Counts:
    """Take the counts out of the arrays and check that they can be counts."""
    fields = Counts.__dataclass_fields__
    values: dict[str, Any] = {name: arrays[name] for name in fields}
    made = Counts(**{**values, "n_documents": values["n_documents"].item()})
    m, n = made.n_states, len(made.bigrams)
    shapes = {
        "bigram_states": (n,), "bigram_counts": (n,), "document_pair_counts": (m, m), "initial_counts": (m,),
        "final_counts": (m,), "sentence_counts": (m,), "position_counts": (m, N_POSITIONS),
    }  # fmt: skip
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise ValueError(f"{name} has the shape {arrays[name].shape}, expected {shape}")
    # The formulas index with these and search in them: what does not hold here would fail later, or silently.
    entries = made.bigrams * m + made.bigram_states
    if m < 1 or (
        n and (made.bigrams.max() >= (vocabulary_size + 1) * vocabulary_size or made.bigram_states.max() >= m)
    ):
        raise ValueError("a bigram or state is out of range")
    if (np.diff(entries) <= 0).any():
        raise ValueError("the bigrams are not sorted")
    return made
