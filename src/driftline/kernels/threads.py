"""One thread for small matrix products.

A search makes thousands of small products. Where cores are busy with anything else, a BLAS library that
splits each of them waits for its other threads: measured at ten times slower, and never much faster.
"""

from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any

from threadpoolctl import ThreadpoolController


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager[Any]:
    """Keep matrix products on the calling thread while in this context."""
    limited: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limited
