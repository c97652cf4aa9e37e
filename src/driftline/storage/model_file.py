"""The model file: integer counts, the vocabulary and a JSON header, in the safetensors format.

Each part of a model has a module beside this one that packs it into arrays and takes it out again.

No code can hide in it. Everything that is float is computed anew from the counts when it is opened, and
a checksum over all arrays finds damage.
"""

import hashlib
import stat
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import safetensors
import safetensors.numpy
from numpy.typing import NDArray

from driftline.errors import InputError, ModelFileError
from driftline.files import check_writable, write_atomically
from driftline.model.content_model import ContentModel
from driftline.model.training import Estimate, TrainingRecord
from driftline.settings import Settings
from driftline.storage.counts import pack_counts, unpack_counts
from driftline.storage.examples import pack_examples, unpack_examples
from driftline.storage.labels import pack_labels, unpack_labels
from driftline.storage.order_mix import pack_order_mix, unpack_order_mix
from driftline.storage.packing import Arrays, check_types, pack_texts, unpack_texts
from driftline.storage.reference import pack_reference, unpack_reference
from driftline.storage.summaries import pack_summaries, unpack_summaries
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
    # The checksum covers the header too, with its own place left empty.
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
        # The version first: the rest of a newer header may mean anything.
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
        if not stat.S_ISREG(status.st_mode):  # a pipe or a device may never end
            raise ModelFileError(f"{path}: is not a regular file; expected a model file")
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
    # safetensors: eight bytes of length, a header in JSON, then the arrays.
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
    return {
        **pack_counts(model.estimate.counts),
        **pack_texts("vocabulary", model.vocabulary.words),
        **_pack_masker(model.masker),
        **pack_examples(model.examples),
        **pack_summaries(model.summaries),
        **pack_order_mix(model.order_mix),
        **pack_reference(model.reference),
        **pack_labels(model.given_labels),
    }


def _model(header: Header, arrays: Arrays) -> ContentModel:
    check_types(arrays)
    vocabulary = Vocabulary(unpack_texts("vocabulary", arrays))
    if list(vocabulary.words) != sorted(set(vocabulary.words)):
        raise ValueError("the vocabulary is not sorted")
    counts = unpack_counts(arrays, vocabulary.size)
    return ContentModel(
        settings=header.settings,
        vocabulary=vocabulary,
        masker=_masker(header, arrays),
        estimate=Estimate.of(counts, vocabulary.size, header.settings),
        record=header.record,
        data_hash=header.data_hash,
        examples=unpack_examples(arrays, counts.n_states),
        summaries=unpack_summaries(arrays, counts.n_states),
        order_mix=unpack_order_mix(arrays, vocabulary.size, header.settings),
        reference=unpack_reference(arrays, vocabulary, counts.n_states),
        given_labels=unpack_labels(arrays, counts.n_states),
    )


def _pack_masker(masker: Masker | None) -> Arrays:
    if not isinstance(masker, BuiltinMasker):
        return {}
    evidence = masker.evidence
    return pack_texts("common", sorted(evidence.common)) | pack_texts("names", sorted(evidence.names))


def _masker(header: Header, arrays: Arrays) -> Masker | None:
    if header.words_given:
        return None
    if header.settings.masking == "builtin":
        common, names = (frozenset(unpack_texts(name, arrays)) for name in ("common", "names"))
        return BuiltinMasker(NameEvidence(common, names))
    return learn_masker(header.settings.masking, ())
