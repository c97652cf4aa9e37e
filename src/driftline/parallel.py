"""The same work in one process or in several, with the same results in the same order."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from driftline.errors import InputError

Item = TypeVar("Item")
Made = TypeVar("Made")


def map_in_order(work: Callable[[Item], Made], items: Sequence[Item], workers: int) -> Iterator[Made]:
    """Apply a function to all items; results come in the order of the items, whoever made them."""
    if workers <= 1:
        yield from map(work, items)
        return
    # Fresh processes: a copy of this one could hold the locks of its threads for ever.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, items, chunksize=max(1, min(16, len(items) // (4 * workers))))


def check_workers(workers: int) -> None:
    """Refuse what is no number of processes."""
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise InputError(f"workers: expected a whole number of at least 1, got {workers!r}")
