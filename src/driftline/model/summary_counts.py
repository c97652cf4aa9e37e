"""What is known of human summaries: how often articles hold a state, and how often their summaries do too."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FEWEST_ARTICLES = 3
"""A state needs so many articles to have a probability (section 4.2)."""


@dataclass(frozen=True)
class SummaryCounts:
    """Counts over pairs of an article and its summary."""

    article_counts: NDArray[np.int64]
    """[state] Pairs whose article holds the state."""
    both_counts: NDArray[np.int64]
    """[state] Pairs whose article and summary both hold it."""
    n_pairs: int

    @property
    def known(self) -> NDArray[np.bool_]:
        """[state] Whether enough articles hold the state for a probability."""
        return self.article_counts >= FEWEST_ARTICLES

    @property
    def probability(self) -> NDArray[np.float64]:
        """[state] The share of articles with the state whose summary has it too; 0 where that is not known."""
        share: NDArray[np.float64] = self.both_counts / np.maximum(self.article_counts, 1)
        return np.where(self.known, share, 0.0)
