"""The same work in one process or in several, with the same results in the same order."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, TypeVar

from driftline.errors import DriftlineError, InputError

Item = TypeVar("Item")
Made = TypeVar("Made")
Shared = TypeVar("Shared")

_ITEMS_AT_ONCE, _BATCHES_A_WORKER = 32, 4
_SHARED: list[Any] = []
"""In a worker of `map_stream`, what it was given to begin with."""


def map_in_order(work: Callable[[Item], Made], items: Sequence[Item], workers: int) -> Iterator[Made]:
    """Apply a function to all items; results come in the order of the items, whoever made them."""
    if workers <= 1:
        yield from map(work, items)
        return
    with process_pool(workers) as pool:
        yield from pool.map(work, items, chunksize=max(1, min(16, len(items) // (4 * workers))))


def map_stream(
    work: Callable[[Shared, Item], Made], shared: Shared, items: Iterable[Item], workers: int
) -> Iterator[Made]:
    """Apply a function of something large and an item to however many items, of which few are held at a time.

    Results come in the order of the items; what is shared goes to each process once.
    """
    if workers <= 1:
        for item in items:
            yield work(shared, item)
        return
    waiting: deque[Future[list[Made]]] = deque()
    with process_pool(workers, shared) as pool:
        source = iter(items)
        while batch := list(islice(source, _ITEMS_AT_ONCE)):
            waiting.append(pool.submit(_work_on, work, batch))
            if len(waiting) > _BATCHES_A_WORKER * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


@contextmanager
def process_pool(workers: int, shared: object = None) -> Iterator[ProcessPoolExecutor]:
    """Start processes that end when this one does, however it ends; the loss of one is told in a sentence."""
    try:
        # Fresh processes: a copy of this one could hold the locks of its threads for ever.
        with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=(shared,)) as pool:
            yield pool
    except BrokenProcessPool:
        raise DriftlineError(
            "a worker process was ended from outside, most likely for want of memory; fewer workers need less, "
            "and work with a checkpoint goes on where it was"
        ) from None


def _begin(shared: object) -> None:
    """In a worker: keep what all tasks share, and watch the process that started it."""
    _SHARED.append(shared)
    parent = parent_process()
    if parent is not None:
        Thread(target=_leave_after, args=(parent.sentinel,), daemon=True).start()


def _leave_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _work_on(work: Callable[[Shared, Item], Made], batch: Sequence[Item]) -> list[Made]:
    return [work(_SHARED[-1], item) for item in batch]


def check_workers(workers: int) -> None:
    """Refuse what is no number of processes."""
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise InputError(f"workers: expected a whole number of at least 1, got {workers!r}")
