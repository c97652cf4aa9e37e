import numpy as np

from driftline.model.summary_counts import FEWEST_ARTICLES, SummaryCounts


def test_three_articles_are_needed():
    """A state has a probability from three articles on; below that it counts as 0 and as not known."""
    counts = SummaryCounts(np.array([0, 1, 2, 3, 4]), np.array([0, 1, 2, 3, 1]), 4)

    assert FEWEST_ARTICLES == 3
    assert counts.known.tolist() == [False, False, False, True, True]
    np.testing.assert_allclose(counts.probability, [0, 0, 0, 1, 0.25], rtol=0, atol=0)
