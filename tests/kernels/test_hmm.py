import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.kernels import hmm
from driftline.kernels.hmm import _DOCUMENTS_AT_ONCE, Chain, batches

LENGTHS = st.lists(st.integers(0, 7), max_size=40)


def small_batches(offsets):
    """Make batches of at most five documents, so that a few dozen documents fill many of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hmm, "_DOCUMENTS_AT_ONCE", 5)
        return list(batches(offsets))


def offsets_of(lengths):
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def test_a_chain_counts_its_states():
    """The number of states is that of the initial probabilities."""
    chain = Chain(np.zeros(3), np.zeros((3, 3)), np.zeros(3))

    assert chain.n_states == 3


@given(LENGTHS)
def test_batches_hold_every_document_that_is_not_empty_once(lengths):
    """No document is lost or done twice, and empty ones are left out."""
    seen = [int(d) for batch in small_batches(offsets_of(lengths)) for d in batch.documents]

    assert sorted(seen) == [d for d, length in enumerate(lengths) if length]


@given(LENGTHS)
def test_a_step_of_a_batch_holds_the_sentence_that_each_document_has_there(lengths):
    """At every step exactly the documents that are long enough are active, each with its own sentence."""
    offsets = offsets_of(lengths)
    rows = []
    for batch in small_batches(offsets):
        assert batch.n_steps == max(lengths[d] for d in batch.documents)
        for step in range(batch.n_steps):
            active = batch.documents[: batch.n_active(step)]
            assert {int(d) for d in active} == {int(d) for d in batch.documents if lengths[d] > step}
            np.testing.assert_array_equal(batch.rows(step), offsets[active] + step)
            rows += batch.rows(step).tolist()

    assert sorted(rows) == list(range(sum(lengths)))


def test_batches_are_bounded():
    """However many documents there are, a batch holds so few that its values fit the cache."""
    sizes = [len(batch.documents) for batch in batches(np.arange(1001))]

    assert sum(sizes) == 1000
    assert max(sizes) == _DOCUMENTS_AT_ONCE < 1000


def test_batches_hold_documents_of_like_lengths():
    """Long documents come first, so that no batch waits for a single one."""
    lengths = [1, 9] * _DOCUMENTS_AT_ONCE
    steps = [batch.n_steps for batch in batches(offsets_of(lengths))]

    assert steps == [9, 1]
