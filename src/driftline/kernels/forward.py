"""The forward algorithm: the probability that a chain of states generates a document."""

import numpy as np

from driftline.kernels.hmm import Batch, Chain, Floats, Integers, batches
from driftline.kernels.threads import one_blas_thread


def forward(chain: Chain, log_emission: Floats, document_offsets: Integers) -> Floats:
    """Return the log-probability of each document, summed over all paths of states.

    Works with probabilities that are rescaled at every sentence, so that nothing underflows: what falls
    below the smallest float is a share of less than 1e-300 of the sum. An empty document has log 1 = 0.
    """
    result = np.zeros(len(document_offsets) - 1)
    transition = np.exp(chain.log_transition)
    final = np.exp(chain.log_final)
    with one_blas_thread():
        for batch in batches(document_offsets):
            result[batch.documents] = _forward_batch(chain, transition, final, log_emission, batch)
    return result


def _forward_batch(chain: Chain, transition: Floats, final: Floats, log_emission: Floats, batch: Batch) -> Floats:
    log_scale = np.zeros(len(batch.documents))
    alpha = np.empty((len(batch.documents), chain.n_states))
    for step in range(batch.n_steps):
        rows = batch.rows(step)
        n = len(rows)
        emission = log_emission[rows]
        if step == 0:
            emission = emission + chain.log_initial
        # The largest emission of a sentence is taken out before exp and added back as a log: nothing underflows.
        shift = emission.max(axis=1)
        likelihood = np.exp(emission - shift[:, None])
        value = likelihood if step == 0 else (alpha[:n] @ transition) * likelihood
        total = value.sum(axis=1)
        # Each row sums to 1. Documents that have ended keep the row of their last sentence.
        alpha[:n] = value / total[:, None]
        log_scale[:n] += shift + np.log(total)
    result: Floats = log_scale + np.log(alpha @ final)
    return result
