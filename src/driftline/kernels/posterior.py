"""Forward and backward together: how probable each state is at each sentence, given the whole document."""

import numpy as np

from driftline.kernels.hmm import Chain, Floats


def posterior(chain: Chain, log_emission: Floats) -> Floats:
    """Return the probability of each state at each sentence of one document: [sentence, state]."""
    transition, n = np.exp(chain.log_transition), len(log_emission)
    likelihood = np.exp(log_emission - log_emission.max(axis=1, keepdims=True))
    alpha, beta = np.empty_like(likelihood), np.empty_like(likelihood)
    # Rows are rescaled as they come: the factors cancel in the quotient at the end.
    for i in range(n):
        before = np.exp(chain.log_initial - chain.log_initial.max()) if i == 0 else alpha[i - 1] @ transition
        alpha[i] = before * likelihood[i]
        alpha[i] /= alpha[i].sum()
    for i in reversed(range(n)):
        after = (
            np.exp(chain.log_final - chain.log_final.max())
            if i == n - 1
            else transition @ (beta[i + 1] * likelihood[i + 1])
        )
        beta[i] = after / after.sum()
    product = alpha * beta
    result: Floats = product / product.sum(axis=1, keepdims=True)
    return result
