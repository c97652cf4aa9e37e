"""The weights of a log-linear score, learned by telling the order that documents have from others."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from driftline.kernels.hmm import Floats

_RIDGE = 1.0


def learn_weights(advantages: Sequence[Floats]) -> Floats:
    """Return the weight of each feature, none of them negative.

    Each array of advantages is [other order, feature]: by how much the true order of a document has more of
    each feature than some other orders of its sentences. What is made small is the mean logistic loss of the
    weighted advantages, each array counting as one.
    """
    rows = np.concatenate(list(advantages))
    shares = np.concatenate([np.full(len(block), 1 / len(block)) for block in advantages])
    # Features in units of their usual advantage, so that the ridge treats them alike.
    unit = np.sqrt(shares @ rows**2 / len(advantages))
    unit[unit == 0] = 1.0
    rows = rows / unit

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = rows @ weights
        slope = shares / (1 + np.exp(np.clip(margin, -500, 500)))
        value = shares @ np.logaddexp(0, -margin) + _RIDGE / 2 * weights @ weights
        return float(value), _RIDGE * weights - rows.T @ slope

    start = np.zeros(rows.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(start))
    weights: Floats = found.x / unit
    return weights
