"""Workers: the decoding pass over shards in two processes beside one, and the same bytes."""

import itertools
import tempfile
import time
from functools import partial
from pathlib import Path

import driftline
from driftline.samples.shards import write_shards
from driftline.streaming.engines import Engine
from measure import SYNTHETIC, Result, Row

N_DOCUMENTS, N_SHARDS, N_STATES = 20_000, 8, 64
REPETITIONS = 3


def run(_: Path | None) -> Result:
    """Fit the same shards with one worker and with two, in turns, and compare their quickest passes."""
    with tempfile.TemporaryDirectory() as folder:
        shards = Path(folder) / "shards"
        write_shards("earthquakes", shards, N_DOCUMENTS, N_SHARDS, workers=2)
        # They take turns, so that a busy moment hits both.
        runs = [[_fit(shards, workers, Path(folder) / "model") for workers in (1, 2)] for _ in range(REPETITIONS)]
    if len({model for done in runs for _, model in done}) != 1:
        raise AssertionError("two workers made another model than one")
    one, two = (min(seconds for seconds, _ in done) for done in zip(*runs, strict=True))
    return Result(
        (Row("a decoding pass, two workers", two, "one", one, target=1.7),),
        (f"{SYNTHETIC}: {N_DOCUMENTS:,} documents in {N_SHARDS} shards, {N_STATES} states; the same model file",),
    )


def _fit(shards: Path, workers: int, path: Path) -> tuple[float, bytes]:
    """Return the seconds of the quickest pass, and the model file."""
    ends: list[float] = []
    settings = driftline.Settings(n_states=N_STATES, max_iterations=4, max_clustered_sentences=3_000)
    note = partial(_note, ends)
    driftline.fit_shards(shards, settings, engine=Engine(workers=workers), on_progress=note).save(path)
    return min(after - before for before, after in itertools.pairwise(ends)), path.read_bytes()


def _note(ends: list[float], message: str) -> None:
    if message.startswith("iteration") and message.endswith(" moved"):
        ends.append(time.perf_counter())
