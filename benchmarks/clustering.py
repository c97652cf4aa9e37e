"""Clustering: cosine and complete link, time and memory, beside SciPy's linkage on the same sentences."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from scipy import sparse
from scipy.spatial.distance import squareform

from driftline import Corpus, Settings
from driftline.kernels.linkage import complete_link
from driftline.model.clustering import bigram_features, canonical_order, cosine
from driftline.model.content_model import encode_corpus
from measure import SYNTHETIC, Result, Row, fresh_documents, peak_memory
from peers import condensed_distances, scipy_linkage

REPETITIONS = {1_000: 7, 3_000: 4, 10_000: 3}
"""How many sentences are clustered, and how often by each of the two."""
MEMORY_JUDGED_AT = 10_000
LARGE, BUDGET = 20_000, 2_500
"""Sentences clustered once by driftline alone, and the MB that this may take."""
MOST_FOR_SCIKIT_LEARN = 3_000
MOST_UNLIKE = 0.01
"""Ties are broken differently, so that the numbers of merges differ, but not by more than this share."""


def run(_: Path | None) -> Result:
    """Cluster in fresh processes, whose peak memory is then that of the one clustering alone."""
    rows, notes = [], []
    with tempfile.TemporaryDirectory() as folder:
        for size, repetitions in REPETITIONS.items():
            path = Path(folder) / f"{size}.npz"
            sparse.save_npz(path, sentence_features(size))
            # The two take turns, so that a busy moment hits both.
            runs = [[_measured(name, path) for name in METHODS] for _ in range(repetitions)]
            ours, theirs = ({key: min(r[key] for r in done) for key in done[0]} for done in zip(*runs, strict=True))
            _check(ours["merges"], theirs["merges"])
            memory_target = 2 if size == MEMORY_JUDGED_AT else None
            what = f"{size:,} sentences"
            rows.append(Row(f"{what}, time", ours["seconds"], "scipy linkage", theirs["seconds"], target=1))
            rows.append(Row(f"{what}, memory", ours["MB"], "scipy linkage", theirs["MB"], "MB", memory_target))
            for name, peer in PEERS.items():
                if name != "scikit_learn" or size <= MOST_FOR_SCIKIT_LEARN:
                    found = _measured(name, path)
                    _check(ours["merges"], found["merges"])
                    rows.append(Row(f"{what}, time", ours["seconds"], peer, found["seconds"]))
                    rows.append(Row(f"{what}, memory", ours["MB"], peer, found["MB"], "MB"))
            notes.append(f"{what}: {ours['merges']:,} merges above cosine 0, scipy {theirs['merges']:,}")
        path = Path(folder) / "large.npz"
        sparse.save_npz(path, sentence_features(LARGE))
        rows.append(Row(f"{LARGE:,} sentences, memory", _measured("ours", path)["MB"], "the budget", BUDGET, "MB", 1))
    return Result(tuple(rows), (f"{SYNTHETIC}: all five bundled grammars in turn, fresh seeds", *notes))


def sentence_features(n_sentences: int) -> sparse.csr_array:
    """Count the bigrams of this many fresh sentences, in the canonical order of `driftline.fit`."""
    documents, missing = [], n_sentences
    for document in fresh_documents():
        documents.append(replace(document, sentences=document.sentences[:missing]))
        missing -= len(documents[-1])
        if not missing:
            break
    _, encoded = encode_corpus(Corpus(tuple(documents)), Settings())
    return bigram_features(encoded)[canonical_order(encoded)]


def _ours(features: sparse.csr_array) -> int:
    return len(complete_link(cosine(features)))


def _scipy(features: sparse.csr_array) -> int:
    return int((scipy_linkage(features)[:, 2] < 1).sum())


def _fastcluster(features: sparse.csr_array) -> int:
    from fastcluster import linkage

    return int((linkage(condensed_distances(features), "complete", preserve_input=False)[:, 2] < 1).sum())


def _scikit_learn(features: sparse.csr_array) -> int:
    from sklearn.cluster import AgglomerativeClustering

    distances = squareform(condensed_distances(features))
    made = AgglomerativeClustering(n_clusters=1, metric="precomputed", linkage="complete", compute_distances=True)
    return int((made.fit(distances).distances_ < 1).sum())


PEERS = {"fastcluster": "fastcluster linkage", "scikit_learn": "scikit-learn, complete link"}
METHODS: dict[str, Callable[[sparse.csr_array], int]] = {
    "ours": _ours,
    "scipy": _scipy,
    "fastcluster": _fastcluster,
    "scikit_learn": _scikit_learn,
}


def _measured(name: str, path: Path) -> dict[str, float]:
    command = [sys.executable, __file__, name, path]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _measure(name: str, path: str) -> dict[str, float]:
    """Cluster once; what was held before, imports and features, does not count."""
    features = sparse.load_npz(path)
    before, start = peak_memory(), time.perf_counter()
    merges = METHODS[name](features)
    return {"seconds": time.perf_counter() - start, "MB": peak_memory() - before, "merges": merges}


def _check(ours: int, theirs: int) -> None:
    if abs(ours - theirs) > MOST_UNLIKE * theirs:
        raise AssertionError(f"{ours} merges above cosine 0, but scipy makes {theirs}: the two do not do the same")


if __name__ == "__main__":
    print(json.dumps(_measure(*sys.argv[1:])))
