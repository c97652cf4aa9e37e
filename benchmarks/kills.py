"""Kill tuning and reproduction at random moments, take them up again, and compare with undisturbed runs.

    python benchmarks/kills.py [--times 20] [--seed 0]

Each time a run is begun in a folder of its own and killed (SIGKILL) after a random part of the time that an
undisturbed one takes; the same command is then run to its end. It is no part of `make bench`: it measures nothing.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import driftline
from driftline.cli.main import main as command_line
from driftline.tuning.tuning import tune  # noqa: F401 (imported before the forks, which then begin at once)

EXPERIMENT = """
title = "Small"
where = "Small"
order = 1
about = "Small."
measures = ["parameters", "ordering", "statistics"]
domains = ["drugs"]
systems = ["content", "content, defaults", "content, paper", "lapata", "bigram", "random"]
figures = ["Kendall's tau", "mean rank", "k", "vocabulary"]

[full]
max_sentences = 8
trials = 8
"""


def main() -> None:
    """Do both, and say how many ended as the undisturbed run did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", driftline.DriftlineWarning)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_data(folder / "drugs")
        (folder / "experiments").mkdir()
        (folder / "experiments" / "small.toml").write_text(EXPERIMENT, "utf-8")
        for title, command, kept in (("tune", _tune(folder), ""), ("reproduce", _reproduce(folder), "cells")):
            same, caught = _compare(folder / title, command, kept, options)
            print(
                f"{title}: {same} of {options.times} ended as the undisturbed run; {caught} were killed in mid-work"
            )


def _write_data(folder: Path) -> None:
    folder.mkdir()
    for split in ("train", "dev", "test"):
        short = [document for document in driftline.sample_corpus("drugs", split) if 3 <= len(document) <= 9]
        rows = [json.dumps({"id": d.id, "sentences": d.sentences}) + "\n" for d in short[:30]]
        (folder / f"{split}.jsonl").write_text("".join(rows), "utf-8")


def _tune(folder: Path) -> Callable[[Path], list[str]]:
    data = folder / "drugs"
    return lambda out: [
        "tune", f"{data / 'train.jsonl'}", "--dev", f"{data / 'dev.jsonl'}", "--test", f"{data / 'test.jsonl'}",
        "--trials", "20", "--output", f"{out / 'tuned.toml'}",
    ]  # fmt: skip


def _reproduce(folder: Path) -> Callable[[Path], list[str]]:
    return lambda out: [
        "reproduce", "--data", f"{folder}", "--experiments", f"{folder / 'experiments'}", "--output", f"{out}",
    ]  # fmt: skip


def _compare(
    folder: Path, command: Callable[[Path], list[str]], kept: str, options: argparse.Namespace
) -> tuple[int, int]:
    rng = np.random.default_rng(options.seed)
    folder.mkdir()
    start = time.monotonic()
    wanted = _run_to_the_end(folder / "whole", command)
    lasted = time.monotonic() - start
    same = caught = 0
    for number in range(options.times):
        out = folder / str(number)
        out.mkdir()
        process = _begin(command(out))
        time.sleep(float(rng.uniform(0, lasted)))
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        caught += os.WIFSIGNALED(status) and any((out / kept).glob("*"))
        same += _run_to_the_end(out, command) == wanted
    return same, caught


def _run_to_the_end(out: Path, command: Callable[[Path], list[str]]) -> dict[str, bytes]:
    out.mkdir(exist_ok=True)
    _, status = os.waitpid(_begin(command(out)), 0)
    if status:
        raise SystemExit(f"{command(out)} ended with {status}")
    return {path.name: path.read_bytes() for path in sorted(out.iterdir()) if path.is_file()}


def _begin(arguments: Sequence[str]) -> int:
    """Run the command line in a process of its own, which need not import anything any more."""
    process = os.fork()
    if process:
        return process
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        sys.stdout = sys.stderr = nowhere
        sys.argv = ["driftline", *arguments]
        try:
            command_line()
        except SystemExit as left:
            os._exit(int(left.code or 0))
    os._exit(0)


if __name__ == "__main__":
    main()
