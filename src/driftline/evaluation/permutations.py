"""The orders that a document is to be told from, in a file: one JSON object a line, `id` and `perms`."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from driftline.errors import DriftlineWarning, InputError
from driftline.tasks.ordering import check_orders
from driftline.text.corpus import Corpus

Permutations = Mapping[str, Sequence[Sequence[int]]]
"""Orders by document id."""

_NAMED = 3  # documents that a warning names


class _Line(msgspec.Struct):
    id: str | int
    perms: list[list[int]]


def read_permutations(path: Path) -> dict[str, list[list[int]]]:
    """Read permutations by document id; whether they fit the documents is checked when they are used."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    decoder = msgspec.json.Decoder(_Line)
    found: dict[str, list[list[int]]] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            read = decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        if str(read.id) in found:
            raise InputError(f"{path}, line {number}: the id {str(read.id)!r} was already given")
        found[str(read.id)] = read.perms
    if not found:
        raise InputError(f"{path}: holds no orders")
    return found


def check_permutations(permutations: Permutations, corpus: Corpus, source: str) -> None:
    """Refuse orders that do not fit the documents they are for, or are for none; name the documents without any."""
    if not permutations:
        return
    if not any(document.id in permutations for document in corpus):
        raise InputError(f"{source}: none of its {len(permutations)} ids is that of a document of the corpus")
    for document in corpus:
        if document.id in permutations:
            check_orders(permutations[document.id], len(document), f"{source}, document {document.id!r}")
    missing = [document.id for document in corpus if len(document) > 1 and document.id not in permutations]
    if missing:
        named = ", ".join(map(repr, missing[:_NAMED])) + (", ..." if len(missing) > _NAMED else "")
        warnings.warn(
            f"{source}: has no orders for {len(missing)} of the {len(corpus)} documents ({named}); "
            "random ones are drawn for them",
            DriftlineWarning,
            stacklevel=3,
        )
