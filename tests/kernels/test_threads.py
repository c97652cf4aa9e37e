"""The limit of the BLAS library holds for as long as any thread wants it, and no longer."""

import contextlib

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from driftline.kernels.threads import one_blas_thread

CONTROLLER = ThreadpoolController().select(user_api="blas")


def n_threads():
    """How many threads each BLAS library would take now."""
    return [library["num_threads"] for library in CONTROLLER.info()]


@pytest.fixture(autouse=True)
def two_threads():
    """A BLAS library that would take two."""
    assert np.ones((2, 2)).sum() == 4
    with CONTROLLER.limit(limits=2):
        if 2 not in n_threads():
            pytest.skip("this BLAS library takes one thread at the most")
        yield


def test_contexts_that_overlap():
    """Where one leaves while another is inside, as threads of a server do, the limit stays; then it is lifted."""
    before = n_threads()
    first, second = contextlib.ExitStack(), contextlib.ExitStack()

    first.enter_context(one_blas_thread())
    second.enter_context(one_blas_thread())
    first.close()

    assert set(n_threads()) == {1}
    second.close()
    assert n_threads() == before


def test_a_context_that_fails():
    """An error lifts the limit too."""
    before = n_threads()

    with contextlib.suppress(ValueError), one_blas_thread():
        raise ValueError

    assert n_threads() == before
