"""What orders sentences beside the content model, if a model has it: `driftline.fit(..., ordering="best")`.

The known sentences are stored as counts of what they are made of; what was learned of their pairs, which
cannot be counted anew, as the bits of its floats.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from driftline.kernels.pair_regression import Blocks, PairRegression, Values
from driftline.model.ordering.local_evidence import ORDERED
from driftline.model.ordering.order_mix import MixWeights, OrderMix
from driftline.model.ordering.pair_evidence import (
    ADJACENT_KERNEL,
    ADJACENT_NAMES,
    ORDERED_KERNEL,
    PairEvidence,
    Scale,
)
from driftline.model.ordering.sentence_space import VIEWS, SentenceSpace, View
from driftline.model.training import Estimate
from driftline.settings import Settings
from driftline.storage.counts import pack_counts, unpack_counts
from driftline.storage.packing import Arrays, pack_record, pack_texts, unpack_record, unpack_texts

_MIX = "ordering"
_FLOAT = np.dtype("<f4")


@dataclass(frozen=True)
class _Record:
    """What is stored as JSON."""

    weights: MixWeights
    first_share: float
    smoothings: list[float]
    """Delta 1 of each member of the ensemble."""
    ordered: list[tuple[float, float, float]]
    """For each kind of local evidence its center, its spread and its weight."""
    adjacent: list[tuple[float, float, float]]


def pack_order_mix(mix: OrderMix | None) -> Arrays:
    """Store it."""
    if mix is None:
        return {}
    evidence = mix.evidence
    record = _Record(
        mix.weights,
        evidence.first_share,
        list(mix.smoothings),
        _pack_features(mix.scales[0], evidence.ordered),
        _pack_features(mix.scales[1], evidence.adjacent),
    )
    arrays = pack_record(f"{_MIX}/record", record)
    arrays[f"{_MIX}/lengths"] = np.array([len(block) for block in evidence.ordered.weights], dtype=np.int64)
    for number, view in enumerate(mix.space.views):
        arrays |= _pack_view(f"{_MIX}/view-{number}", view)
    for name, blocks in (("ordered", evidence.ordered.weights), ("adjacent", evidence.adjacent.weights)):
        arrays[f"{_MIX}/{name}.bytes"] = _bits(np.concatenate([block.ravel() for block in blocks]))
    arrays[f"{_MIX}/first.bytes"] = _bits(evidence.first)
    for number, member in enumerate(mix.members):
        arrays |= {f"{_MIX}/member-{number}/{name}": a for name, a in pack_counts(member.counts).items()}
    return arrays


def unpack_order_mix(arrays: Arrays, vocabulary_size: int, settings: Settings) -> OrderMix | None:
    """Take it out again, if the file holds one, and check that its parts fit each other."""
    record = unpack_record(f"{_MIX}/record", arrays, _Record)
    if record is None:
        return None
    if min(vars(record.weights).values()) < 0:
        raise ValueError("a weight of the ordering is negative")
    lengths = arrays[f"{_MIX}/lengths"].tolist()
    n = sum(lengths)
    if not lengths or min(lengths) < 1:
        raise ValueError("the documents of the ordering have no lengths")
    scales, kernels = [], []
    for rows, names in ((record.ordered, ORDERED), (record.adjacent, ADJACENT_NAMES)):
        table = _finite(np.array(rows, dtype=_FLOAT))
        if table.shape != (len(names), 3) or (table[:, 1] <= 0).any():
            raise ValueError("the local evidence of the ordering is not what this version knows")
        scales.append(Scale(table[:, 0], table[:, 1]))
        kernels.append(table[:, 2])
    evidence = PairEvidence(
        PairRegression(ORDERED_KERNEL, _blocks(arrays, "ordered", lengths), kernels[0]),
        PairRegression(ADJACENT_KERNEL, _blocks(arrays, "adjacent", lengths), kernels[1]),
        _floats(arrays, "first", n),
        record.first_share,
    )
    views = tuple(_unpack_view(f"{_MIX}/view-{number}", arrays, n) for number in range(len(VIEWS)))
    members = tuple(
        _member(arrays, number, vocabulary_size, replace(settings, emission_smoothing=smoothing))
        for number, smoothing in enumerate(record.smoothings)
    )
    return OrderMix(
        SentenceSpace(views), evidence, (scales[0], scales[1]), members, tuple(record.smoothings), record.weights
    )


def _pack_features(scale: Scale, learned: PairRegression) -> list[tuple[float, float, float]]:
    columns = scale.center.tolist(), scale.spread.tolist(), learned.feature_weights.tolist()
    return list(zip(*columns, strict=True))


def _pack_view(name: str, view: View) -> Arrays:
    counts = view.counts
    return {
        **pack_texts(f"{name}/names", view.names),
        f"{name}/ends": counts.indptr[1:].astype(np.int64),
        f"{name}/features": counts.indices.astype(np.int64),
        f"{name}/counts": counts.data.astype(np.int64),
    }


def _unpack_view(name: str, arrays: Arrays, n_sentences: int) -> View:
    names = unpack_texts(f"{name}/names", arrays)
    ends, features, counts = (arrays[f"{name}/{part}"] for part in ("ends", "features", "counts"))
    if list(names) != sorted(set(names)) or len(ends) != n_sentences or len(features) != len(counts):
        raise ValueError("a view of the ordering does not fit its sentences")
    starts = np.concatenate([[0], ends])
    if (np.diff(starts) < 0).any() or starts[-1] != len(features) or (counts < 1).any():
        raise ValueError("the counts of a view of the ordering do not fit together")
    if len(features) and features.max() >= len(names):
        raise ValueError("a feature of the ordering is out of range")
    return View(names, sparse.csr_array((counts, features, starts), shape=(n_sentences, len(names))))


def _member(arrays: Arrays, number: int, vocabulary_size: int, settings: Settings) -> Estimate:
    prefix = f"{_MIX}/member-{number}/"
    own = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
    return Estimate.of(unpack_counts(own, vocabulary_size), vocabulary_size, settings)


def _bits(values: Values) -> NDArray[np.uint8]:
    return np.frombuffer(np.ascontiguousarray(values, dtype=_FLOAT).tobytes(), dtype=np.uint8)


def _floats(arrays: Arrays, name: str, n: int) -> Values:
    values = np.frombuffer(arrays[f"{_MIX}/{name}.bytes"].tobytes(), dtype=_FLOAT).astype(np.float32)
    if len(values) != n:
        raise ValueError(f"the {name} weights of the ordering are {len(values)}, expected {n}")
    return _finite(values)


def _blocks(arrays: Arrays, name: str, lengths: list[int]) -> Blocks:
    squares = [n * n for n in lengths]
    parts = np.split(_floats(arrays, name, sum(squares)), np.cumsum(squares)[:-1])
    return [part.reshape(n, n) for part, n in zip(parts, lengths, strict=True)]


def _finite(values: Values) -> Values:
    if not np.isfinite(values).all():
        raise ValueError("a weight of the ordering is no number")
    return values
