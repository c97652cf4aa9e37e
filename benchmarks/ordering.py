"""Ordering: the best order, proved, and the exact rank, beside scoring every order there is."""

import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import driftline
from driftline.kernels.forward import forward
from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.threads import one_blas_thread
from driftline.tasks.ordering import Ordering
from driftline.tasks.ranking import TIE_TOLERANCE, Rank
from measure import SYNTHETIC, Result, Row, peak_memory, read_splits, side_by_side
from peers import count_all, highest_of_all

DOMAINS = ("earthquakes", "accidents")
N_STATES = 72
N_DOCUMENTS = {10: 15, 12: 5, 20: 5}
"""How many documents are taken at the most, by the number of sentences that they are cut to."""
ORDER_10, RANK_12, ORDER_20 = 0.005, 0.5, 2.0
"""The budgets in seconds."""
MEMORY = 1024.0
"""The budget in MB for ordering 20 sentences."""
REPETITIONS = 3
N_SAMPLED = 2_000
"""The forward algorithm is timed on so many orders."""

Sentences = tuple[str, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Case:
    """A model, and documents that it has not seen."""

    name: str
    model: driftline.ContentModel
    documents: driftline.Corpus

    def cut_to(self, n: int) -> list[Sentences]:
        """Return the first n sentences of some documents; where too few are long enough, of two joined."""
        whole = [d.sentences[:n] for d in self.documents if len(d) >= n]
        short = [d.sentences for d in self.documents if len(d) < n]
        pairs = zip(short[::2], short[1::2], strict=False)
        joined = [(first + second)[:n] for first, second in pairs if len(first + second) >= n]
        return (whole + joined)[: N_DOCUMENTS[n]]

    def describe(self) -> str:
        """Say what was taken."""
        taken = {n: len(self.cut_to(n)) for n in N_DOCUMENTS}
        whole = sum(len(d) >= 20 for d in self.documents)
        return (
            f"{self.name}: {self.model.n_states} states; {taken[10]} documents cut to 10 sentences, "
            f"{taken[12]} to 12, {taken[20]} to 20 (of these {max(0, taken[20] - whole)} joined from two documents)"
        )


def run(corpora: Path | None) -> Result:
    """Learn from the training documents, and order and rank others."""
    rows, notes = [], []
    for case in _cases(corpora):
        rows += [*_best_of_ten(case), *_rank_of_twelve(case), *_best_of_twenty(case)]
        notes += [case.describe(), case.model.signature]
    return Result(
        tuple(rows),
        (
            "medians over documents; ours starts at the words, the peers get the emissions ready",
            f"10 sentences: the best of {REPETITIONS} turns a document; meeting in the middle finds the same maximum",
            f"forward on each: timed on {N_SAMPLED:,} orders of one document and scaled up to all 3,628,800",
            "12 sentences: meeting in the middle counts the same orders in the document of median time",
            "20 sentences: in a process of its own, and all its memory counts, that of the libraries too",
            "all matrix products run on one thread, in driftline and in its peers",
            *notes,
        ),
    )


def _cases(corpora: Path | None) -> Iterator[Case]:
    settings = driftline.Settings(n_states=N_STATES)
    for domain in DOMAINS:
        model = driftline.fit(driftline.sample_corpus(domain), settings)
        yield Case(f"{domain}, {SYNTHETIC}", model, driftline.sample_corpus(domain, "test"))
    for domain in DOMAINS if corpora else ():
        model = driftline.fit(read_splits(corpora / domain, "train"), settings)
        yield Case(f"{domain}, real", model, read_splits(corpora / domain, "dev"))


def _best_of_ten(case: Case) -> list[Row]:
    """Order 10 sentences, beside two ways of scoring all their orders."""
    documents = case.cut_to(10)
    ours, meeting = np.median([_order_and_meet(case.model, sentences) for sentences in documents], axis=0)
    at_once, one_by_one = _forward_on_all(case.model, documents[0])
    what = f"{case.name}: best of 10!"
    return [
        Row(what, ours, "the budget", ORDER_10, target=1),
        Row(what, ours, "meeting in the middle", meeting, target=10),
        Row(what, ours, "forward on each, batched", at_once, target=10_000),
        Row(what, ours, "forward on each, one by one", one_by_one, target=10_000),
    ]


def _order_and_meet(model: driftline.ContentModel, sentences: Sentences) -> list[float]:
    problem = model.order_problem(sentences)
    kept: dict[str, Any] = {}
    with one_blas_thread():
        seconds = side_by_side(
            [
                lambda: kept.update(ours=_proved_order(model, sentences)),
                lambda: kept.update(highest=highest_of_all(problem)),
            ],
            REPETITIONS,
        )
    np.testing.assert_allclose(kept["ours"].log_probability, kept["highest"], rtol=1e-9, atol=0)
    return seconds


def _forward_on_all(model: driftline.ContentModel, sentences: Sentences) -> tuple[float, float]:
    """Return how long the forward algorithm would take for all orders, at once and one at a time."""
    n, emission = len(sentences), model.log_emission(sentences)
    orders = np.random.default_rng(0).permuted(np.tile(np.arange(n), (N_SAMPLED, 1)), axis=1)
    offsets = np.arange(0, orders.size + 1, n)
    with one_blas_thread():
        (at_once,) = side_by_side([lambda: forward(model.chain, emission[orders.ravel()], offsets)], REPETITIONS)
        (one_by_one,) = side_by_side([lambda: _one_by_one(model, emission, orders)], 1)
    scale = math.factorial(n) / N_SAMPLED
    return at_once * scale, one_by_one * scale


def _one_by_one(model: driftline.ContentModel, emission: Floats, orders: Integers) -> None:
    offsets = np.array([0, orders.shape[1]])
    for order in orders:
        forward(model.chain, emission[order], offsets)


def _rank_of_twelve(case: Case) -> list[Row]:
    """Rank the order of 12 sentences, and count all orders of the document that took the median time."""
    documents = case.cut_to(12)
    timed = [_timed(lambda s=sentences: _exact_rank(case.model, s)) for sentences in documents]
    seconds = [taken for taken, _ in timed]
    middle = int(np.argsort(seconds)[len(seconds) // 2])
    counting, counted = _timed(lambda: _count_all(case.model, documents[middle]))
    ranked = timed[middle][1]
    if (ranked.better, ranked.equal) != counted:
        raise AssertionError(f"{case.name}: {ranked}, but counting all orders gives {counted}")
    what = f"{case.name}: rank among 12!"
    return [
        Row(what, float(np.median(seconds)), "the budget", RANK_12, target=1),
        Row(what, seconds[middle], "meeting in the middle", counting, target=1),
    ]


def _exact_rank(model: driftline.ContentModel, sentences: Sentences) -> Rank:
    found = driftline.rank(model, sentences, time_limit=math.inf)
    if not found.exact:
        raise AssertionError(f"the rank of {len(sentences)} sentences is an estimate")
    return found


def _count_all(model: driftline.ContentModel, sentences: Sentences) -> tuple[int, int]:
    """Count the orders that are better than the given one, and the others that are equal."""
    log_score = model.log_probability(sentences)
    with one_blas_thread():
        better, equal = count_all(model.order_problem(sentences), log_score, TIE_TOLERANCE * abs(log_score))
    return better, equal - 1


def _best_of_twenty(case: Case) -> list[Row]:
    """Order 20 sentences in a fresh process, whose peak memory is then due to that alone."""
    with tempfile.TemporaryDirectory() as folder:
        model, documents = Path(folder) / "model", Path(folder) / "documents.json"
        case.model.save(model)
        documents.write_text(json.dumps(case.cut_to(20)), "utf-8")
        command = [sys.executable, __file__, model, documents]
        measured = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    what = f"{case.name}: best of 20!"
    return [
        Row(what, float(np.median(measured["seconds"])), "the budget", ORDER_20, target=1),
        Row(f"{what}, memory", measured["MB"], "the budget", MEMORY, "MB", target=1),
    ]


def _order_all(model_path: str, documents_path: str) -> dict[str, object]:
    model = driftline.load(model_path)
    documents = json.loads(Path(documents_path).read_text("utf-8"))
    seconds = [_timed(lambda s=sentences: _proved_order(model, s))[0] for sentences in documents]
    return {"seconds": seconds, "MB": peak_memory()}


def _proved_order(model: driftline.ContentModel, sentences: Sentences) -> Ordering:
    found = driftline.order(model, sentences, time_limit=math.inf)
    if not found.proved:
        raise AssertionError(f"the best order of {len(sentences)} sentences is not proved")
    return found


def _timed(action: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    print(json.dumps(_order_all(*sys.argv[1:])))
