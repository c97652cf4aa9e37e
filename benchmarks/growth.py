"""How the time and memory of a decoding pass grow with sentences, states and the length of documents.

A command of its own: `python benchmarks/growth.py --write` draws docs/growth.svg and puts the table into
docs/performance.md. An exponent of 1 is growth in proportion.
"""

import argparse
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

import driftline
from driftline.model.counts import Counts
from driftline.text.encoding import EncodedCorpus
from measure import SYNTHETIC, exponent, fresh_documents, signature, write_between

DOCS = Path(__file__).parents[1] / "docs"
SENTENCES, STATES, LENGTHS = (5_000, 10_000, 20_000, 40_000, 80_000), (16, 32, 64, 128, 256), (5, 10, 20, 40, 80, 160)
N_WRITTEN = 2_000
REPETITIONS = 5


@dataclass(frozen=True)
class Growth:
    """One thing that grows while the others stay."""

    what: str
    sizes: Sequence[int]
    seconds: Sequence[float]
    megabytes: Sequence[float]


def main() -> None:
    """Measure, print the table, and write it and the figure where that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write docs/growth.svg and docs/performance.md")
    options = parser.parse_args()
    written = list(islice(fresh_documents(["earthquakes"], "growth"), N_WRITTEN))
    models = {m: _model(m) for m in STATES}
    encoded = models[64].encode(written)
    growths = [
        _measured("sentences", SENTENCES, lambda n: (models[64], _first(encoded, n))),
        _measured("states", STATES, lambda m: (models[m], replace(models[m].encode(written)))),
        _measured("sentences a document", LENGTHS, lambda length: (models[64], _of_length(encoded, length))),
    ]
    table = "\n".join(_table(growths))
    print(table)
    if options.write:
        _draw(growths, DOCS / "growth.svg")
        write_between(DOCS / "performance.md", "growth", table)


def _model(n_states: int) -> driftline.ContentModel:
    settings = driftline.Settings(n_states=n_states, n_clusters=max(300, n_states))
    return driftline.fit(driftline.sample_corpus("earthquakes"), settings)


def _first(corpus: EncodedCorpus, n_sentences: int) -> EncodedCorpus:
    """Return copies of the documents, cut to so many sentences."""
    times = -(-n_sentences // corpus.n_sentences)
    lengths = np.tile(np.diff(corpus.document_offsets), times)
    ends = np.cumsum(lengths)
    kept = lengths[: int(np.searchsorted(ends, n_sentences)) + 1].copy()
    kept[-1] -= kept.sum() - n_sentences
    sentences = np.tile(np.diff(corpus.sentence_offsets), times)[:n_sentences]
    words = np.tile(corpus.words, times)[: sentences.sum()]
    return EncodedCorpus(words, _ends(sentences), _ends(kept), corpus.vocabulary)


def _of_length(corpus: EncodedCorpus, length: int) -> EncodedCorpus:
    """Cut the same sentences into documents of one length."""
    n_documents = corpus.n_sentences // max(LENGTHS) * max(LENGTHS) // length
    n_sentences = n_documents * length
    offsets = corpus.sentence_offsets[: n_sentences + 1]
    return EncodedCorpus(
        corpus.words[: offsets[-1]], offsets, np.arange(0, n_sentences + 1, length), corpus.vocabulary
    )


def _ends(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)])


def _measured(
    what: str, sizes: Sequence[int], case: Callable[[int], tuple[driftline.ContentModel, EncodedCorpus]]
) -> Growth:
    cases = [case(size) for size in sizes]
    best = [float("inf")] * len(sizes)
    for _ in range(REPETITIONS):  # sizes take turns, so that a busy moment hits all of them
        for i, (model, corpus) in enumerate(cases):
            start = time.process_time()
            _pass(model, corpus)
            best[i] = min(best[i], time.process_time() - start)
    return Growth(what, sizes, best, [_memory(model, corpus) for model, corpus in cases])


def _pass(model: driftline.ContentModel, corpus: EncodedCorpus) -> None:
    fresh = replace(corpus)  # which has not yet worked out its bigrams
    states, _ = model.estimate.decode(fresh)
    Counts.of(fresh, states, model.n_states)


def _memory(model: driftline.ContentModel, corpus: EncodedCorpus) -> float:
    tracemalloc.start()
    _pass(model, corpus)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def _table(growths: Sequence[Growth]) -> list[str]:
    lines = ["| what grows | from | to | time grows with exponent | memory with exponent |", "|---|--:|--:|--:|--:|"]
    lines += [
        f"| {g.what} | {g.sizes[0]:,} | {g.sizes[-1]:,} | {exponent(g.sizes, g.seconds):.2f} "
        f"| {exponent(g.sizes, g.megabytes):.2f} |"
        for g in growths
    ]
    return [*lines, "", f"{SYNTHETIC} (earthquakes), one core, processor time, best of {REPETITIONS}; {signature()}"]


def _draw(growths: Sequence[Growth], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "driftline"
    from matplotlib import pyplot as plt
    from matplotlib.ticker import NullFormatter, NullLocator

    figure, axes = plt.subplots(2, len(growths), figsize=(10, 6), layout="constrained")
    for column, growth in enumerate(growths):
        for row, (values, unit) in enumerate(((growth.seconds, "seconds"), (growth.megabytes, "MB"))):
            axis, power = axes[row][column], exponent(growth.sizes, values)
            axis.loglog(growth.sizes, values, "o", color="#1f5fa8")
            scale = np.exp(np.mean(np.log(values) - power * np.log(growth.sizes)))
            axis.loglog(growth.sizes, scale * np.asarray(growth.sizes, float) ** power, color="#9aa7b5", zorder=0)
            axis.set_title(f"{unit}: exponent {power:.2f}", fontsize=10)
            axis.set_xlabel(growth.what)
            axis.set_ylabel(unit)
            axis.set_xticks(growth.sizes, [f"{size:,}" for size in growth.sizes], fontsize=8)
            axis.set_ylim(min(values) / 3, max(values) * 3)  # so that what hardly grows looks flat
            axis.xaxis.set_minor_locator(NullLocator())
            axis.yaxis.set_minor_formatter(NullFormatter())
            axis.grid(visible=True, which="major", alpha=0.3)
    figure.suptitle(
        "A decoding pass: scoring, Viterbi, counting (synthetic earthquake reports, one core)", fontsize=11
    )
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
