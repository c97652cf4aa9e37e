"""The model file: integer counts, the vocabulary and a JSON header, in the safetensors format.

No code can hide in it. Everything that is float is computed anew from the counts when it is opened, and
a checksum over all arrays finds damage.
"""

import hashlib
import stat
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import safetensors
import safetensors.numpy
from numpy.typing import NDArray

from driftline.errors import InputError, ModelFileError
from driftline.files import check_writable, write_atomically
from driftline.model.content_model import ContentModel, Example
from driftline.model.counts import N_POSITIONS, Counts
from driftline.model.summary_counts import SummaryCounts
from driftline.model.training import Estimate, TrainingRecord
from driftline.settings import Settings
from driftline.text.encoding import Vocabulary
from driftline.text.masking import BuiltinMasker, Masker, NameEvidence, learn_masker
from driftline.version import __version__

FORMAT = "driftline-model"
FORMAT_VERSION = 1
_KEY = "driftline"
_MAX_BYTES = 16 * 2**30
_HEADER_PREFIX_BYTES = 4096

# What the libraries and our own checks raise for content that no model file can have.
_DAMAGE = (
    msgspec.MsgspecError, safetensors.SafetensorError, ValueError, IndexError, TypeError, OverflowError,
    RecursionError, MemoryError,
)  # fmt: skip

Arrays = dict[str, NDArray[Any]]


class Header(msgspec.Struct):
    """What a model file says of itself."""

    format: str
    format_version: Annotated[int, msgspec.Meta(ge=1)]
    made_by: str
    words_given: bool
    """Whether the model was trained on words as they are (and masks nothing)."""
    settings: Settings
    record: TrainingRecord
    data_hash: str
    signature: str
    checksum: str


class _Preface(msgspec.Struct):
    """The part of a header that every version shares."""

    format: str
    format_version: Annotated[int, msgspec.Meta(ge=1)]
    made_by: str = "an unknown version"


def save(model: ContentModel, path: str | Path) -> None:
    """Write a model to one file, atomically; the same model gives the same bytes."""
    arrays = _arrays(model)
    header = Header(
        FORMAT, FORMAT_VERSION, f"driftline {__version__}", model.masker is None, model.settings, model.record,
        model.data_hash, model.signature, checksum="",
    )  # fmt: skip
    header = msgspec.structs.replace(header, checksum=_checksum(header, arrays))
    text = msgspec.json.encode(header).decode()
    write_atomically(path, safetensors.numpy.save(arrays, metadata={_KEY: text}))


def check_target(path: str | Path) -> None:
    """Refuse a path that no model can be saved to, or where a file stands that is no model and would be lost."""
    check_writable(path)
    path = Path(path)
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            begins_like_ours = file.read(_HEADER_PREFIX_BYTES).find(f'"{_KEY}"'.encode()) >= 0
        if not begins_like_ours:
            raise InputError(f"{path}: holds something else than a model, which would be lost; name another file")


def load(path: str | Path) -> ContentModel:
    """Open a saved model, or say in one sentence why it cannot be opened.

    >>> import driftline, tempfile
    >>> quakes = driftline.Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     driftline.fit(quakes).save(f"{folder}/quakes.driftline")
    ...     load(f"{folder}/quakes.driftline").n_states
    3
    """
    path = Path(path)
    raw = _read(path)
    text = _header_text(path, raw)
    try:
        _check_format(path, msgspec.json.decode(text, type=_Preface))
        header = msgspec.json.decode(text, type=Header)
        arrays: Arrays = safetensors.numpy.load(raw)
        _check_content(path, header, arrays)
        return _model(header, arrays)
    except ModelFileError:
        raise
    except KeyError as error:
        raise ModelFileError(f"{path}: is damaged (it lacks {error}, or holds it in an unknown type)") from None
    except _DAMAGE as error:
        reason = "; ".join(str(error).splitlines())
        raise ModelFileError(f"{path}: is damaged ({reason})") from None


def _check_format(path: Path, preface: _Preface) -> None:
    if preface.format != FORMAT:
        raise ModelFileError(f"{path}: is no driftline model")
    if preface.format_version > FORMAT_VERSION:
        raise ModelFileError(
            f"{path}: was written by {preface.made_by} in format {preface.format_version}; "
            f"driftline {__version__} reads formats up to {FORMAT_VERSION}"
        )


def _check_content(path: Path, header: Header, arrays: Arrays) -> None:
    if _checksum(header, arrays) != header.checksum:
        raise ModelFileError(f"{path}: is damaged (its content does not match its checksum)")


def _read(path: Path) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise ModelFileError(f"{path}: is a folder; expected a model file")
        if status.st_size > _MAX_BYTES:
            raise ModelFileError(f"{path}: has {status.st_size:,} bytes; a model file has at most {_MAX_BYTES:,}")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise ModelFileError(f"{path}: there is no such model file") from None
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{path}: cannot be read ({error})") from None


def _header_text(path: Path, raw: bytes) -> str:
    """Find our header in the JSON that a safetensors file begins with."""
    length = struct.unpack("<Q", raw[:8])[0] if len(raw) >= 8 else 0
    start = raw[8 : 8 + length]
    if not start.startswith(b"{") or len(start) < length:
        kind = "is cut off" if start.startswith(b"{") else "is no driftline model"
        raise ModelFileError(f"{path}: {kind}")
    try:
        metadata = msgspec.json.decode(start, type=dict[str, Any]).get("__metadata__", {})
        return str(metadata[_KEY])
    except (msgspec.MsgspecError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ModelFileError(f"{path}: is no driftline model") from None


def _checksum(header: Header, arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256(msgspec.json.encode(msgspec.structs.replace(header, checksum="")))
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.data)
    return digest.hexdigest()


def _arrays(model: ContentModel) -> Arrays:
    arrays: Arrays = {
        name: np.ascontiguousarray(value, dtype=np.int64) for name, value in asdict(model.estimate.counts).items()
    }
    arrays |= _pack("vocabulary", model.vocabulary.words)
    if isinstance(model.masker, BuiltinMasker):
        arrays |= _pack("common", sorted(model.masker.evidence.common))
        arrays |= _pack("names", sorted(model.masker.evidence.names))
    kept = [(state, example) for state, row in enumerate(model.examples) for example in row]
    arrays |= _pack("example_texts", [example.text for _, example in kept])
    arrays |= _pack("example_documents", [example.document for _, example in kept])
    places = [(state, example.sentence) for state, example in kept]
    if model.summaries is not None:
        arrays["summary_articles"] = model.summaries.article_counts
        arrays["summary_both"] = model.summaries.both_counts
        arrays["summary_pairs"] = np.array([model.summaries.n_pairs], dtype=np.int64)
    arrays["example_places"] = np.array(places, dtype=np.int64).reshape(-1, 2)
    return arrays


def _model(header: Header, arrays: Arrays) -> ContentModel:
    _check_types(arrays)
    vocabulary = Vocabulary(_unpack("vocabulary", arrays))
    if list(vocabulary.words) != sorted(set(vocabulary.words)):
        raise ValueError("the vocabulary is not sorted")
    counts = _counts(arrays, vocabulary.size)
    masker: Masker | None = None
    if not header.words_given and header.settings.masking == "builtin":
        common, names = (frozenset(_unpack(name, arrays)) for name in ("common", "names"))
        masker = BuiltinMasker(NameEvidence(common, names))
    elif not header.words_given:
        masker = learn_masker(header.settings.masking, ())
    examples: list[list[Example]] = [[] for _ in range(counts.n_states)]
    texts, documents = _unpack("example_texts", arrays), _unpack("example_documents", arrays)
    if (arrays["example_places"][:, 0] >= counts.n_states).any():
        raise ValueError("an example has a state that is out of range")
    for (state, sentence), text, document in zip(arrays["example_places"].tolist(), texts, documents, strict=True):
        examples[state].append(Example(document, sentence, text))
    return ContentModel(
        settings=header.settings,
        vocabulary=vocabulary,
        masker=masker,
        estimate=Estimate.of(counts, vocabulary.size, header.settings),
        record=header.record,
        data_hash=header.data_hash,
        examples=tuple(map(tuple, examples)),
        summaries=_summaries(arrays, counts.n_states),
    )


def _summaries(arrays: Arrays, n_states: int) -> SummaryCounts | None:
    # All of them or none: what is left of damaged counts must not pass for a model without pairs.
    if not any(name.startswith("summary_") for name in arrays):
        return None
    made = SummaryCounts(arrays["summary_articles"], arrays["summary_both"], int(arrays["summary_pairs"].item()))
    shapes_fit = made.article_counts.shape == made.both_counts.shape == (n_states,)
    if not shapes_fit or (made.both_counts > made.article_counts).any() or (made.article_counts > made.n_pairs).any():
        raise ValueError("the counts of summaries do not fit together")
    return made


_MATRICES = {"document_pair_counts", "position_counts", "example_places"}
_MOST = 2**53  # what floats can still count


def _check_types(arrays: Arrays) -> None:
    """Check what holds for all arrays: their types, their axes, and that nothing is negative or beyond floats."""
    for name, array in arrays.items():
        expected = np.uint8 if name.endswith(".bytes") else np.int64
        if array.dtype != expected or array.ndim != 1 + (name in _MATRICES):
            raise ValueError(f"{name} is no {1 + (name in _MATRICES)}-dimensional array of {np.dtype(expected)}")
        if array.size and (array.min() < 0 or float(array.sum(dtype=np.float64)) > 2.0**62):
            raise ValueError(f"{name} holds something else than counts")
    if arrays["bigram_counts"].sum(dtype=np.float64) > _MOST or (arrays["bigram_counts"] < 1).any():
        raise ValueError("bigram_counts holds something else than counts")


def _counts(arrays: Arrays, vocabulary_size: int) -> Counts:
    """Take the counts out of the arrays and check that they can be counts."""
    fields = Counts.__dataclass_fields__
    values: dict[str, Any] = {name: arrays[name] for name in fields}
    made = Counts(**{**values, "n_documents": values["n_documents"].item()})
    m, n = made.n_states, len(made.bigrams)
    shapes = {
        "bigram_states": (n,), "bigram_counts": (n,), "document_pair_counts": (m, m), "initial_counts": (m,),
        "final_counts": (m,), "sentence_counts": (m,), "position_counts": (m, N_POSITIONS),
    }  # fmt: skip
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise ValueError(f"{name} has the shape {arrays[name].shape}, expected {shape}")
    entries = made.bigrams * m + made.bigram_states
    if m < 1 or (
        n and (made.bigrams.max() >= (vocabulary_size + 1) * vocabulary_size or made.bigram_states.max() >= m)
    ):
        raise ValueError("a bigram or state is out of range")
    if (np.diff(entries) <= 0).any():
        raise ValueError("the bigrams are not sorted")
    return made


def _pack(name: str, texts: Sequence[str]) -> Arrays:
    """Store strings as their UTF-8 bytes and the place where each ends."""
    raw = [text.encode("utf-8", "surrogatepass") for text in texts]
    return {
        f"{name}.bytes": np.frombuffer(b"".join(raw), dtype=np.uint8),
        f"{name}.ends": np.cumsum([len(r) for r in raw], dtype=np.int64),
    }


def _unpack(name: str, arrays: Arrays) -> tuple[str, ...]:
    raw, ends = arrays[f"{name}.bytes"].tobytes(), arrays[f"{name}.ends"].tolist()
    starts = [0, *ends]
    if any(a > b for a, b in zip(starts, ends, strict=False)) or starts[-1] != len(raw):
        raise ValueError(f"the texts of {name} do not fit their places")
    return tuple(raw[a:b].decode("utf-8", "surrogatepass") for a, b in zip(starts, ends, strict=False))
