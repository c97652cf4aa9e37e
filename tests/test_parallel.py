import os
import signal
import subprocess
import sys
import time

import pytest

from driftline.errors import DriftlineError, InputError
from driftline.parallel import check_workers, map_in_order, map_stream


def square(number):
    return number * number


def process(_):
    return os.getpid()


def fail(number):
    raise InputError(f"number: expected another one, got {number}")


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_items(workers):
    """Whoever makes them, results stand where their items stood."""
    items = list(range(37, 0, -1))
    assert list(map_in_order(square, items, workers)) == [i * i for i in items]
    assert list(map_in_order(square, [], workers)) == []


def test_one_worker_is_this_process():
    """With one worker nothing is started."""
    assert set(map_in_order(process, range(3), 1)) == {os.getpid()}
    assert os.getpid() not in set(map_in_order(process, range(3), 2))


@pytest.mark.parametrize("workers", [1, 2])
def test_errors_come_through(workers):
    """What goes wrong in another process is told as if it had been here."""
    with pytest.raises(InputError, match="number: expected another one, got 5"):
        list(map_in_order(fail, [5], workers))


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2", None, True])
def test_numbers_of_workers(workers):
    """What is no number of processes is refused."""
    with pytest.raises(InputError, match="workers: expected a whole number of at least 1, got "):
        check_workers(workers)
    check_workers(2)


def _times(factor, number):
    return factor * number


def test_a_stream_is_worked_on_in_order():
    """Results stand in the order of the items, for any number of workers and of items."""
    for n in (0, 1, 300):
        for workers in (1, 2):
            assert list(map_stream(_times, 3, iter(range(n)), workers)) == [3 * i for i in range(n)]


def test_a_stream_is_not_read_ahead():
    """However long a stream is, few of its items are held."""
    taken = []

    def items():
        for i in range(100_000):
            taken.append(i)
            yield i

    made = map_stream(_times, 2, items(), 2)

    assert next(made) == 0
    assert len(taken) < 1_000
    made.close()


def _die(*_):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are told otherwise there")
@pytest.mark.parametrize(
    "work", [lambda: map_in_order(_die, [1, 2], 2), lambda: map_stream(_die, None, [1, 2], 2)], ids=["list", "stream"]
)
def test_a_killed_worker_is_told(work):
    """Whoever shares work out, the loss of a process is one sentence that says what may help."""
    with pytest.raises(DriftlineError, match="a worker process was ended from outside"):
        list(work())


WITH_WORKERS = """
import os, time
from driftline.parallel import process_pool

def pid(_):
    time.sleep(0.2)
    return os.getpid()

if __name__ == "__main__":
    with process_pool(2) as pool:
        print(*set(pool.map(pid, range(4))), flush=True)
        time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are told otherwise there")
def test_workers_end_with_the_process_that_started_them(tmp_path):
    """When a command is killed outright, nothing of it stays."""
    script = tmp_path / "script.py"
    script.write_text(WITH_WORKERS, "utf-8")
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as process:
        workers = [int(pid) for pid in process.stdout.readline().split()]
        process.kill()
    until = time.monotonic() + 20

    assert workers
    while any(map(is_alive, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(is_alive, workers))


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
