"""The Viterbi algorithm: the most probable path of states through a document.

Most transitions of a content model are one smoothed default a row: the row's smallest value. A step
therefore needs one maximum over "any state, by its default" and one over the few transitions that are
better than that. The values are the same floats that the full maximum would give.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from driftline.kernels.hmm import Batch, Chain, Floats, Integers, batches


@dataclass(frozen=True)
class _Steps:
    """A transition matrix as a default a row and the entries above it, grouped by the state they lead to."""

    default: Floats
    sources: Integers
    gains: Floats
    group_starts: Integers
    targets: Integers

    @classmethod
    def of(cls, log_transition: Floats) -> Self:
        default = log_transition.min(axis=1)
        to, source = np.nonzero((log_transition > default[:, None]).T)
        targets, starts = np.unique(to, return_index=True)
        return cls(default[:, None], source, log_transition[source, to][:, None], starts, targets)

    def best(self, delta: Floats) -> Floats:
        """Return the best way into each state [state, document], before emission."""
        best = np.broadcast_to((delta + self.default).max(axis=0), delta.shape).copy()
        if len(self.sources):
            seen = delta[self.sources]
            seen += self.gains
            better = np.maximum.reduceat(seen, self.group_starts, axis=0)
            best[self.targets] = np.maximum(best[self.targets], better)
        return best


def viterbi(chain: Chain, log_emission: Floats, document_offsets: Integers) -> tuple[Integers, Floats]:
    """Return the best state of every sentence and the log-probability of each document's best path.

    Of equally probable predecessors the lower state is taken, from the last sentence backwards.
    """
    states = np.zeros(len(log_emission), dtype=np.int64)
    log_probability = np.zeros(len(document_offsets) - 1)
    steps = _Steps.of(chain.log_transition)
    for batch in batches(document_offsets):
        log_probability[batch.documents] = _viterbi_batch(chain, steps, log_emission, batch, states)
    return states, log_probability


def _viterbi_batch(chain: Chain, steps: _Steps, log_emission: Floats, batch: Batch, states: Integers) -> Floats:
    deltas: list[Floats] = []
    for step in range(batch.n_steps):
        rows = batch.rows(step)
        emission = log_emission[rows].T
        if step == 0:
            delta = emission + chain.log_initial[:, None]
        else:
            delta = steps.best(deltas[-1][:, : len(rows)])
            delta += emission
        deltas.append(delta)
    return _trace_back(chain, batch, deltas, states)


def _trace_back(chain: Chain, batch: Batch, deltas: list[Floats], states: Integers) -> Floats:
    log_probability = np.empty(len(batch.documents))
    current = np.zeros(len(batch.documents), dtype=np.int64)
    n_before = 0
    for step in reversed(range(batch.n_steps)):
        rows = batch.rows(step)
        # Documents that end at this step join those that are already being traced.
        ending = slice(n_before, len(rows))
        score = deltas[step][:, ending] + chain.log_final[:, None]
        current[ending] = score.argmax(axis=0)
        log_probability[ending] = score.max(axis=0, initial=-np.inf)
        if n_before:
            into = chain.log_transition[:, current[:n_before]]
            current[:n_before] = (deltas[step][:, :n_before] + into).argmax(axis=0)
        states[rows] = current[: len(rows)]
        n_before = len(rows)
    return log_probability
