import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from driftline.tuning.agreement import adjusted_rand

LABELS = st.lists(st.tuples(st.integers(0, 4), st.integers(-2, 2)), min_size=1, max_size=30)


@given(LABELS)
def test_as_scikit_learn_has_it(labels):
    """The index is that of another implementation, for any two partitions."""
    one, other = zip(*labels, strict=True)

    np.testing.assert_allclose(adjusted_rand(one, other), adjusted_rand_score(one, other), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("labels", [[0], [1, 1, 1], [0, 1, 2], [0, 0, 1]])
def test_a_partition_agrees_with_itself(labels):
    """Names of the parts do not matter."""
    assert adjusted_rand(labels, [9 - label for label in labels]) == 1.0
