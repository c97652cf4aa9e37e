"""How the time to order and to rank grows with the number of sentences: a plot for docs/exact-ordering.md.

    python benchmarks/ordering_curve.py --write

Processor time, in one run and on one thread, beside scoring all orders by meeting in the middle. The bundled
corpora suffice. Without --write the figures are printed alone.
"""

import argparse
import itertools
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np

import driftline
from driftline.kernels.order_problem import OrderProblem
from driftline.kernels.order_search import best_orders
from driftline.kernels.threads import one_blas_thread
from measure import SYNTHETIC, signature
from peers import highest_of_all

PICTURE = Path(__file__).parents[1] / "docs" / "figures" / "ordering-time.svg"
DOMAIN = "accidents"
N_STATES = 72
N_RUNS = 3
MEASURES: dict[str, tuple[range, Callable[[OrderProblem], object]]] = {
    "best order, proved": (range(2, 21, 2), best_orders),
    "best by scoring all orders": (range(2, 11), highest_of_all),
}
RANKED = range(2, 12)


def main() -> None:
    """Measure, print a table, and draw it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"draw {PICTURE.name} too")
    options = parser.parse_args()
    model = driftline.fit(driftline.sample_corpus(DOMAIN), driftline.Settings(n_states=N_STATES))
    curves = measure(model, driftline.sample_corpus(DOMAIN, "test"))
    print(f"{signature()}\n{model.signature}\n{DOMAIN}, {SYNTHETIC}; milliseconds, medians of {N_RUNS} runs\n")
    for name, curve in curves.items():
        print(f"{name}: " + "  ".join(f"{n}: {1000 * seconds:.3g}" for n, seconds in curve.items()))
    if options.write:
        draw(curves)


def measure(model: driftline.ContentModel, documents: driftline.Corpus) -> dict[str, dict[int, float]]:
    """Return the median seconds by the number of sentences, for each thing that is measured."""
    sentences = list(itertools.chain.from_iterable(document.sentences for document in documents))
    curves: dict[str, dict[int, float]] = {}
    with one_blas_thread():
        for name, (lengths, action) in MEASURES.items():
            curves[name] = {
                n: _median(lambda text, do=action: do(model.order_problem(text)), sentences, n) for n in lengths
            }
        curves["rank, exact"] = {n: _median(lambda text: _exact_rank(model, text), sentences, n) for n in RANKED}
    return curves


def _exact_rank(model: driftline.ContentModel, text: Sequence[str]) -> None:
    if not driftline.rank(model, text, time_limit=np.inf).exact:
        raise AssertionError(f"the rank of {len(text)} sentences is an estimate")


def _median(action: Callable[[Sequence[str]], object], sentences: Sequence[str], n: int) -> float:
    """Time an action on some runs of n sentences; the best of three turns where that is quick."""
    seconds = []
    for start in range(0, N_RUNS * n, n):
        text, best = sentences[start : start + n], np.inf
        for _ in range(3 if n <= 8 else 1):
            begun = time.process_time()
            action(text)
            best = min(best, time.process_time() - begun)
        seconds.append(best)
    return float(np.median(seconds))


def draw(curves: dict[str, dict[int, float]]) -> None:
    """Write the plot, the same bytes for the same figures."""
    from matplotlib.figure import Figure

    mpl.rcParams.update({"svg.hashsalt": "driftline", "svg.fonttype": "none", "font.family": "sans-serif"})
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    for (name, curve), marker in zip(curves.items(), "osD", strict=True):
        axes.plot(list(curve), list(curve.values()), marker=marker, markersize=4, label=name)
    axes.set(xlabel="sentences", ylabel="processor time (s)", yscale="log", xticks=range(2, 21, 2))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, metadata={"Date": None, "Creator": None})
    # Lines of the file must end as those of any other text here do.
    PICTURE.write_text("\n".join(line.rstrip() for line in PICTURE.read_text("utf-8").splitlines()) + "\n", "utf-8")


if __name__ == "__main__":
    main()
