"""How a fit of shards grows: time a pass, sentences a second and memory, up to a million documents.

A command of its own, since it may take an hour:

    driftline sample earthquakes -o million --documents 1000000 --shards 200 --workers 2
    python benchmarks/million.py million --sizes 10000 100000 1000000 --workers 2 --write

It prints a table and, with `--write`, puts it into docs/performance.md. Every size is fitted in a fresh process.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import driftline
from driftline.streaming.engines import Engine
from measure import SYNTHETIC, exponent, signature, write_between

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
N_STATES = 64
SECONDS_A_LOOK = 0.5


@dataclass(frozen=True)
class Measured:
    """One fit."""

    n_documents: int
    n_sentences: int
    n_states: int
    text_seconds: float
    """Until all words are numbers."""
    pass_seconds: float
    """The median re-estimation pass."""
    pass_processor_seconds: float
    """The same in time of processors, which other work on the machine hardly changes."""
    n_passes: int
    total_seconds: float
    peak_megabytes: float
    """The most that all processes together held at a time; pages of files that are only read count too."""


def main() -> None:
    """Fit collections of several sizes and print how time and memory grow."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="shards of equal length, as `driftline sample` writes them")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(asdict(_fit(options.folder, options.workers, options.iterations))))
        return
    found = [_in_a_process(options, size) for size in options.sizes]
    table = "\n".join(_table(found, options.workers))
    print(table)
    if options.write:
        write_between(PAGE, "million", table)


def _in_a_process(options: argparse.Namespace, n_documents: int) -> Measured:
    shards = sorted(options.folder.glob("*.jsonl"))
    lines = sum(1 for _ in shards[0].open("rb"))
    with tempfile.TemporaryDirectory() as folder:
        for shard in shards[: n_documents // lines]:
            (Path(folder) / shard.name).symlink_to(shard.resolve())
        command = [sys.executable, __file__, folder, "--one", "--workers", str(options.workers)]
        process = subprocess.Popen(
            [*command, "--iterations", str(options.iterations)], stdout=subprocess.PIPE, text=True
        )
        peak = 0.0
        while process.poll() is None:
            peak = max(peak, _over_all(process.pid, _held))
            time.sleep(SECONDS_A_LOOK)
        output = process.stdout.read() if process.stdout else ""
    if process.returncode:
        sys.exit(process.returncode)
    measured = Measured(**{**json.loads(output), "peak_megabytes": peak})
    print(measured, file=sys.stderr, flush=True)
    return measured


def _held(pid: int) -> float:
    """Return what a process holds now, in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20


def _used(pid: int) -> float:
    """Return the processor seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _over_all(pid: int, measure: Callable[[int], float]) -> float:
    """Add up what is measured of a process and of those that it started."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()
        return measure(pid) + sum(_over_all(int(child), measure) for child in children)
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return 0.0


def _fit(folder: Path, workers: int, iterations: int) -> Measured:
    times: dict[str, tuple[float, float]] = {}

    def note(message: str) -> None:
        if message.startswith("clustering ") or (message.startswith("iteration") and message.endswith(" moved")):
            times[message.partition(":")[0]] = (time.perf_counter(), _over_all(os.getpid(), _used))
        print(f"{time.strftime('%H:%M:%S')} {message}", file=sys.stderr, flush=True)

    started = time.perf_counter()
    settings = driftline.Settings(max_iterations=iterations, n_states=N_STATES)
    model = driftline.fit_shards(folder, settings, engine=Engine(workers=workers), on_progress=note)
    ended = time.perf_counter()
    passes = np.diff([at for name, at in times.items() if name.startswith("iteration")], axis=0)
    text = next(at for name, (at, _) in times.items() if name.startswith("clustering"))
    record = model.record
    return Measured(
        record.n_documents, record.n_sentences, model.n_states, text - started, *np.median(passes, axis=0).tolist(),
        len(record.moved), ended - started, 0.0,
    )  # fmt: skip


def _table(found: list[Measured], workers: int) -> list[str]:
    heads = ("documents", "sentences", "text to numbers", "a pass", "its processor time", "sentences/s a core",
             "in all", "memory, all processes")  # fmt: skip
    lines = [f"| {' | '.join(heads)} |", "|" + "--:|" * len(heads)]
    for m in found:
        rate = m.n_sentences / m.pass_processor_seconds
        cells = (f"{m.n_documents:,}", f"{m.n_sentences:,}", f"{m.text_seconds:,.0f} s", f"{m.pass_seconds:,.1f} s",
                 f"{m.pass_processor_seconds:,.1f} s", f"{rate:,.0f}", f"{m.total_seconds:,.0f} s",
                 f"{m.peak_megabytes:,.0f} MB")  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    sizes = [m.n_sentences for m in found]
    if len(found) > 1:
        growth = [exponent(sizes, [getattr(m, n) for m in found]) for n in ("pass_processor_seconds", "pass_seconds")]
        lines += ["", f"Fitted exponents by sentences: processor time a pass {growth[0]:.3f}, time {growth[1]:.3f}."]
    return [*lines, "", f"{SYNTHETIC} (earthquakes), {N_STATES} states, {workers} workers; {signature()}"]


if __name__ == "__main__":
    main()
