"""Bulk scoring, forward and Viterbi on a device, beside the NumPy kernels on one core of the same machine.

A command of its own, since it needs the device: `python benchmarks/device.py --device cuda`. Unlike the other
benchmarks it prints absolute times too: such a device is rarely shared.
"""

import argparse
import platform
import sys
import time
from collections.abc import Callable
from itertools import islice

import numpy as np
import torch

import driftline
from driftline.kernels.forward import forward
from driftline.kernels.torch_hmm import DeviceChain, forward_on_device, viterbi_on_device
from driftline.kernels.viterbi import viterbi
from driftline.model.torch_scoring import DeviceModel
from driftline.text.encoding import EncodedCorpus
from measure import SYNTHETIC, fresh_documents, signature

MOST_APART = 1e-6
"""Log-probabilities may differ by this share of theirs, and V-topics not at all."""
N_WRITTEN = 2_000  # documents that the grammar writes; copies of them make up the rest
REPETITIONS = 5


def main() -> None:
    """Fit models of growing size to a bundled corpus, decode many documents, print a table, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", default="cuda", help="a device that PyTorch knows (default: cuda)")
    parser.add_argument("--documents", type=int, default=100_000, help="how many documents (default: 100,000)")
    parser.add_argument("--states", type=int, nargs="+", default=[16, 64, 128], help="model sizes")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, torch {torch.__version__}, CUDA {torch.version.cuda}")
    train = driftline.sample_corpus("earthquakes")
    written = list(islice(fresh_documents(["earthquakes"], "device"), N_WRITTEN))
    print(f"{SYNTHETIC}|{signature()}|torch:{torch.__version__}|device:{_name(options.device)}")
    print("| states | sentences | step | NumPy, 1 core | device | sentences/s on it | times as fast |")
    print("|--:|--:|---|--:|--:|--:|--:|")
    all_agree = True
    for n_states in options.states:
        model = driftline.fit(train, driftline.Settings(n_states=n_states, n_clusters=max(200, n_states)))
        corpus = _repeat(model.encode(written), max(1, options.documents // N_WRITTEN))
        lines, agrees = _rows(model, corpus, options.device)
        print("\n".join(lines), flush=True)
        all_agree = all_agree and agrees
    print(f"same V-topics, and log-probabilities within {MOST_APART:g}: {'yes' if all_agree else 'NO'}")
    sys.exit(not all_agree)


def _rows(model: driftline.ContentModel, corpus: EncodedCorpus, device: str) -> tuple[list[str], bool]:
    emissions, offsets = model.estimate.emissions, corpus.document_offsets
    on_device = DeviceModel(model.estimate, device)
    chain, there = DeviceChain.of(model.chain, device), on_device.emissions.score(corpus)
    here = emissions.score(corpus)
    np.testing.assert_allclose(there.cpu().numpy(), here, rtol=1e-9, atol=1e-9)
    steps: list[tuple[str, Callable[[], object], Callable[[], object]]] = [
        ("scoring", lambda: emissions.score(corpus), lambda: on_device.emissions.score(corpus)),
        ("forward", lambda: forward(model.chain, here, offsets), lambda: forward_on_device(chain, there, offsets)),
        ("Viterbi", lambda: viterbi(model.chain, here, offsets), lambda: viterbi_on_device(chain, there, offsets)),
        ("words to topics", lambda: model.estimate.decode(corpus), lambda: on_device.decode(corpus)),
    ]
    states, _ = viterbi(model.chain, here, offsets)
    same = (states == on_device.decode(corpus)[0]).mean()
    totals = forward(model.chain, here, offsets)
    apart = np.abs(on_device.log_probability(corpus) / totals - 1).max()
    lines = []
    for step, numpy_way, device_way in steps:
        ours, theirs = _best(numpy_way, 2), _best(device_way, REPETITIONS)
        rate = corpus.n_sentences / theirs
        lines.append(
            f"| {model.n_states} | {corpus.n_sentences:,} | {step} | {ours:.2f} s | {theirs * 1000:.1f} ms "
            f"| {rate:,.0f} | {ours / theirs:.0f} |"
        )
    lines.append(f"|  |  | same V-topics: {same:.6%}; log-probabilities apart by at most {apart:.1e} |  |  |  |  |")
    return lines, bool(same == 1 and apart <= MOST_APART)


def _best(action: Callable[[], object], repetitions: int) -> float:
    best = float("inf")
    for _ in range(repetitions):
        _wait()
        start = time.perf_counter()
        action()
        _wait()
        best = min(best, time.perf_counter() - start)
    return best


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def _name(device: str) -> str:
    return torch.cuda.get_device_name(device) if device.startswith("cuda") else device


def _repeat(corpus: EncodedCorpus, times: int) -> EncodedCorpus:
    """Return a collection of several copies of the same documents."""
    lengths = [np.diff(offsets) for offsets in (corpus.sentence_offsets, corpus.document_offsets)]
    offsets = [np.concatenate([[0], np.cumsum(np.tile(length, times))]) for length in lengths]
    return EncodedCorpus(np.tile(corpus.words, times), *offsets, corpus.vocabulary)


if __name__ == "__main__":
    main()
