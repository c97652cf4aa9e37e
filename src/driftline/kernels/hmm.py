"""What every HMM kernel takes: the chain of states, and documents packed so that they move in step."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_DOCUMENTS_AT_ONCE = 256  # a block of [document, state] values that stays in the cache


@dataclass(frozen=True)
class Chain:
    """The states of an HMM without its emissions, in natural-log space.

    All of its probabilities are positive: smoothing sees to that, and the kernels rely on it.
    """

    log_initial: Floats
    """[state]"""
    log_transition: Floats
    """[from state, to state]; rows need not sum to 1"""
    log_final: Floats
    """[state]"""

    @property
    def n_states(self) -> int:
        """The number of states."""
        return len(self.log_initial)


@dataclass(frozen=True)
class Batch:
    """Documents that are processed in step, longest first."""

    documents: Integers
    """Which documents these are."""
    first_sentences: Integers
    """Where each of them begins."""
    lengths: Integers
    """How many sentences each of them has, in descending order."""

    @property
    def n_steps(self) -> int:
        """The number of sentences of the longest document."""
        return int(self.lengths[0])

    def n_active(self, step: int) -> int:
        """Count the documents that have a sentence at this step; they are the first ones."""
        # Lengths descend, and searchsorted wants them ascending.
        return int(np.searchsorted(-self.lengths, -step, side="left"))

    def rows(self, step: int) -> Integers:
        """Return the sentence that each active document has at this step."""
        return self.first_sentences[: self.n_active(step)] + step


def batches(document_offsets: Integers, at_once: int = _DOCUMENTS_AT_ONCE) -> Iterator[Batch]:
    """Group documents of like lengths into batches, by default such that fit the cache; empty ones are left out."""
    lengths = np.diff(document_offsets)
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > 0]
    for start in range(0, len(order), at_once):
        chosen = order[start : start + at_once]
        yield Batch(chosen, document_offsets[chosen], lengths[chosen])
