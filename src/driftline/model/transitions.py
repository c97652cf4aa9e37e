"""Transition probabilities (section 3, "Determining states, emission and transition probabilities")."""

import numpy as np

from driftline.kernels.hmm import Chain
from driftline.model.counts import Counts
from driftline.settings import Transitions


def estimate_chain(counts: Counts, smoothing: float, rows: Transitions = "as-printed") -> Chain:
    """Estimate all transitions from counts of documents.

    p(j | i)  = (D(c_i, c_j) + delta_2) / (D(c_i) + delta_2 m)                      as printed
    initial_j = (documents that begin in c_j + delta_2) / (documents + delta_2 m)
    final_i   = (documents that end in c_i + delta_2) / (D(c_i) + delta_2 m)

    As printed, a row need not sum to 1: a document with clusters 1, 2, 1, 3 adds 1 to D(c_1), but 1 to
    both D(c_1, c_2) and D(c_1, c_3). "normalised" divides each row by its sum.
    """
    m = counts.n_states
    held = counts.document_counts + smoothing * m
    log_transition = np.log((counts.document_pair_counts + smoothing) / held[:, None])
    if rows == "normalised":
        log_transition -= np.log(np.exp(log_transition).sum(axis=1, keepdims=True))
    return Chain(
        log_initial=np.log((counts.initial_counts + smoothing) / (counts.n_documents + smoothing * m)),
        log_transition=log_transition,
        log_final=np.log((counts.final_counts + smoothing) / held),
    )
