"""How far the hot loops are from what the machine can do: memory bandwidth and matrix products, on one core."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

import driftline
from driftline.kernels.forward import forward
from driftline.kernels.threads import one_blas_thread
from driftline.kernels.viterbi import viterbi
from driftline.model.counts import Counts
from measure import SYNTHETIC, Result, Row, fresh_documents, side_by_side

N_DOCUMENTS, N_STATES = 3_000, 64
REPETITIONS = 5
COPIED = 16 * 2**20  # doubles: more than any cache holds
MATRIX = 768
FLOAT = 8


def run(_: Path | None) -> Result:
    """Measure a copy, a matrix product and the steps of a decoding pass side by side."""
    model = driftline.fit(driftline.sample_corpus("earthquakes"), driftline.Settings(n_states=N_STATES))
    corpus = model.encode(list(islice(fresh_documents(["earthquakes"], "limits"), N_DOCUMENTS)))
    scores, offsets, m = model.estimate.emissions.score(corpus), corpus.document_offsets, model.n_states
    states, _ = viterbi(model.chain, scores, offsets)
    source, target = np.random.default_rng(0).random((2, COPIED))
    a, b = np.random.default_rng(1).random((2, MATRIX, MATRIX))
    with one_blas_thread():
        copy, product, scoring, decoding, summing, counting = side_by_side(
            [
                lambda: np.copyto(target, source),
                lambda: a @ b,
                lambda: model.estimate.emissions.score(replace(corpus)),
                lambda: viterbi(model.chain, scores, offsets),
                lambda: forward(model.chain, scores, offsets),
                lambda: Counts.of(replace(corpus), states, m),
            ],
            REPETITIONS,
        )
    n, n_words = corpus.n_sentences, len(corpus.words)
    bandwidth, rate = 2 * COPIED * FLOAT / copy / 1e9, 2 * MATRIX**3 / product / 1e9
    moved = {
        "scoring": (scoring, (n_words + 2 * n) * m * FLOAT),
        "Viterbi": (decoding, 3 * n * m * FLOAT),
        "counting": (counting, 2 * n_words * FLOAT),
    }
    rows = [
        Row(f"{what}: bytes moved", size / seconds / 1e9, "a copy", bandwidth, "GB/s", higher_is_better=True)
        for what, (seconds, size) in moved.items()
    ]
    products = 2 * n * m * m / summing / 1e9
    rows.append(Row("forward: products", products, "a matrix product", rate, "GFLOP/s", higher_is_better=True))
    whole = n / (scoring + decoding + counting)
    rows.append(Row("a pass", whole, "the target", 100_000, "sentences/s", 1, higher_is_better=True))
    return Result(
        tuple(rows),
        (
            f"{SYNTHETIC}: {N_DOCUMENTS:,} documents, {n:,} sentences, {m} states, one core",
            "bytes moved are the fewest that each step must: a row of states a word and two a sentence for scoring,",
            "three a sentence for Viterbi, each word's number in and out for counting",
        ),
    )
