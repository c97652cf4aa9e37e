"""One thread for small matrix products.

A search makes thousands of small products. Where cores are busy with anything else, a BLAS library that
splits each of them waits for its other threads: measured at ten times slower, and never much faster.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from threadpoolctl import ThreadpoolController


class _Limit:
    """The BLAS library has one limit for the whole process: the first in sets it, the last out lifts it."""

    def __init__(self) -> None:
        self._lock, self._n_inside = threading.Lock(), 0
        self._limiter: Any = None

    def enter(self) -> None:
        with self._lock:
            if not self._n_inside:
                self._limiter = _controller().limit(limits=1, user_api="blas")
            self._n_inside += 1

    def leave(self) -> None:
        with self._lock:
            self._n_inside -= 1
            if not self._n_inside:
                self._limiter.restore_original_limits()


_LIMIT = _Limit()


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep matrix products on the calling thread while in this context, whatever other threads enter or leave."""
    _LIMIT.enter()
    try:
        yield
    finally:
        _LIMIT.leave()
