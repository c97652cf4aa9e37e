"""The Viterbi algorithm: the most probable path of states through a document.

A state can only be the best predecessor of some state if its best transition leads at least as high as the
worst transition of the leading state. Emissions tell states apart so well that this leaves about one state
a sentence. What is left is maximised in full, so the values are the floats of the full maximum.
"""

import numpy as np

from driftline.kernels.hmm import Batch, Chain, Floats, Integers, batches

_FEW_RIVALS = 8  # a document, on average; where there are more, a pass a state is quicker and needs no memory


def _best_ways(delta: Floats, log_transition: Floats, least: Floats, most: Floats) -> Floats:
    """Return the best way into each state [document, state], before emission."""
    documents = np.arange(len(delta))
    # What each state offers to every next state; a rival must offer more than the best of that somewhere.
    certain = delta + least
    leader = certain.argmax(axis=1)
    rival = delta + most >= certain[documents, leader][:, None]
    rival[documents, leader] = False
    best: Floats = log_transition[leader]
    best += delta[documents, leader][:, None]
    document, state = np.nonzero(rival)
    # One way for each pair of a document and a rival, all at once, or rival after rival if they are many.
    if len(state) > _FEW_RIVALS * len(delta):
        for source in np.unique(state):
            np.maximum(best, delta[:, source, None] + log_transition[source], out=best)
    elif len(state):
        ways = log_transition[state]
        ways += delta[document, state][:, None]
        starts = np.flatnonzero(np.diff(document, prepend=-1))
        contested = document[starts]
        best[contested] = np.maximum(best[contested], np.maximum.reduceat(ways, starts, axis=0))
    return best


def viterbi(chain: Chain, log_emission: Floats, document_offsets: Integers) -> tuple[Integers, Floats]:
    """Return the best state of every sentence and the log-probability of each document's best path.

    Of equally probable predecessors the lower state is taken, from the last sentence backwards.
    """
    states = np.zeros(len(log_emission), dtype=np.int64)
    log_probability = np.zeros(len(document_offsets) - 1)
    for batch in batches(document_offsets):
        log_probability[batch.documents] = _viterbi_batch(chain, log_emission, batch, states)
    return states, log_probability


def _viterbi_batch(chain: Chain, log_emission: Floats, batch: Batch, states: Integers) -> Floats:
    least, most = chain.log_transition.min(axis=1), chain.log_transition.max(axis=1)
    # No back pointers: predecessors are looked for on the way back, for the states on the path alone.
    deltas: list[Floats] = []
    for step in range(batch.n_steps):
        rows = batch.rows(step)
        delta = log_emission[rows]
        delta += _best_ways(deltas[-1][: len(rows)], chain.log_transition, least, most) if step else chain.log_initial
        deltas.append(delta)
    return _trace_back(chain, batch, deltas, states)


def _trace_back(chain: Chain, batch: Batch, deltas: list[Floats], states: Integers) -> Floats:
    log_probability = np.empty(len(batch.documents))
    current = np.zeros(len(batch.documents), dtype=np.int64)
    into = np.ascontiguousarray(chain.log_transition.T)
    n_before = 0
    for step in reversed(range(batch.n_steps)):
        rows = batch.rows(step)
        # Documents that end at this step join those that are already being traced.
        ending = slice(n_before, len(rows))
        score = deltas[step][ending] + chain.log_final
        current[ending] = score.argmax(axis=1)
        # At most steps no document ends, and there is nothing to take the maximum of.
        log_probability[ending] = score.max(axis=1, initial=-np.inf)
        if n_before:
            ways = into[current[:n_before]]
            ways += deltas[step][:n_before]
            current[:n_before] = ways.argmax(axis=1)
        states[rows] = current[: len(rows)]
        n_before = len(rows)
    return log_probability
