"""What a model knows of human summaries, if it does."""

import numpy as np

from driftline.model.summary_counts import SummaryCounts
from driftline.storage.packing import Arrays


def pack_summaries(summaries: SummaryCounts | None) -> Arrays:
    """Store the counts over pairs."""
    if summaries is None:
        return {}
    return {
        "summary_articles": summaries.article_counts,
        "summary_both": summaries.both_counts,
        "summary_pairs": np.array([summaries.n_pairs], dtype=np.int64),
    }


def unpack_summaries(arrays: Arrays, n_states: int) -> SummaryCounts | None:
    """Take the counts over pairs out again and check that they can be counts."""
    # All of them or none: what is left of damaged counts must not pass for a model without pairs.
    if not any(name.startswith("summary_") for name in arrays):
        return None
    made = SummaryCounts(arrays["summary_articles"], arrays["summary_both"], int(arrays["summary_pairs"].item()))
    shapes_fit = made.article_counts.shape == made.both_counts.shape == (n_states,)
    if not shapes_fit or (made.both_counts > made.article_counts).any() or (made.article_counts > made.n_pairs).any():
        raise ValueError("the counts of summaries do not fit together")
    return made
