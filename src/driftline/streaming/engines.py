"""Where work is done: in this process, in several processes, or on a Dask cluster that is already there.

An engine is no more than a `map`: a function and a list of tasks go in, results come out in the order of the
tasks. Work reads and writes files, so a task that is done twice, because a worker was lost, does no harm.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar, get_args

from driftline.errors import DriftlineError, InputError
from driftline.parallel import check_workers, process_pool

Task = TypeVar("Task")
Made = TypeVar("Made")
EngineName = Literal["processes", "dask"]


class Run(Protocol):
    """Does the same work for every task."""

    def __call__(self, work: Callable[[Task], Made], tasks: Sequence[Task], /) -> Iterator[Made]:
        """Yield the result of each task, in the order of the tasks."""
        ...


@dataclass(frozen=True)
class Engine:
    """What work is done on; the results are the same on all of them.

    >>> with Engine(workers=1).start() as run:
    ...     list(run(len, ["a", "bb"]))
    [1, 2]
    """

    name: EngineName = "processes"
    workers: int = 1
    """Processes to start; with one, work is done in this process. A Dask cluster has workers of its own."""
    scheduler: str | None = None
    """The address of a Dask scheduler, such as `tcp://10.0.0.1:8786`."""

    def __post_init__(self) -> None:
        check_workers(self.workers)
        if self.name not in get_args(EngineName):
            raise InputError(f"engine: expected one of {', '.join(get_args(EngineName))}, got {self.name!r}")
        if (self.name == "dask") != (self.scheduler is not None):
            raise InputError(
                "engine: dask needs the address of a scheduler (scheduler= / --scheduler), and nothing else takes one"
            )

    @contextmanager
    def start(self) -> Iterator[Run]:
        """Start the workers, or reach those of the cluster, for as long as the context lasts."""
        if self.name == "dask":
            with _dask(str(self.scheduler)) as run:
                yield run
        elif self.workers == 1:
            yield map
        else:
            with process_pool(self.workers) as pool:
                yield pool.map


@contextmanager
def _dask(scheduler: str) -> Iterator[Run]:
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise InputError("engine: dask needs the package distributed; install driftline[dask]") from None
    try:
        client: Any = Client(scheduler, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise InputError(f"scheduler: {scheduler} cannot be reached ({error})") from None

    def run(work: Callable[[Task], Made], tasks: Sequence[Task], /) -> Iterator[Made]:
        futures = client.map(work, tasks, pure=False)
        try:
            for future in futures:
                yield future.result()
        except KilledWorker as error:
            raise DriftlineError(f"{scheduler}: a task ended several workers in turn ({error})") from None
        finally:
            client.cancel(futures)

    with client:
        yield run
