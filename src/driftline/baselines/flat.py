"""The floor: a model to which all orders are the same, so that the shuffle it is shown decides."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from driftline.kernels.order_problem import OrderProblem
from driftline.model.content_model import AnyDocument
from driftline.settings import Settings
from driftline.tasks.texts import sentence_texts
from driftline.text.corpus import Corpus


@dataclass(frozen=True)
class FlatModel:
    """Knows nothing: a random order."""

    @classmethod
    def learn(cls, corpus: Corpus, settings: Settings | None = None) -> Self:  # noqa: ARG003
        """Learn nothing."""
        return cls()

    def order_problem(self, document: AnyDocument) -> OrderProblem:
        """State a problem in which every order has the probability 1 / N!."""
        n = len(sentence_texts(document))
        later_twin = np.append(np.arange(1, n), -1)
        return OrderProblem(np.ones(1), np.ones((1, 1)), np.ones(1), np.ones((n, 1)), -math.lgamma(n + 1), later_twin)
