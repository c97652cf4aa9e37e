"""The layout in which collections for coherence models have been handed on since 2005: a file an order.

A folder holds, for each document, its original order and random orders of the same sentences, each in a file
of its own with a sentence a line (tokenised or not). The number at the end tells which:

    quake17.sent.perm-1.txt  quake17.sent.perm-2.txt  ...   random orders
    quake17.txt  or  quake17.sent.txt                       the original order

Where a document has no file without a number, the order with the least number is taken as the original.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from driftline.errors import InputError
from driftline.text.corpus import Corpus, Document, raise_problems

_PERMUTED = re.compile(
    r"(?P<name>.+?)(?P<sent>\.sents?|\.parsed)?[._-]perm(?:utation)?[._-]?(?P<number>\d+)(?:\.\w+)?"
)
_PLAIN = re.compile(r"(?P<name>.+?)(?P<sent>\.sents?|\.parsed)?(?:\.(?:txt|orig|original))?")
_MOST_FILES, _MOST_BYTES = 200_000, 2**22


@dataclass(frozen=True)
class Released:
    """Documents and the random orders that came with them."""

    corpus: Corpus
    permutations: dict[str, list[list[int]]]
    """By document id: places in the original."""


def is_released(folder: Path) -> bool:
    """Tell whether a folder holds orders, a file each."""
    return folder.is_dir() and any(_PERMUTED.fullmatch(path.name) for path in folder.iterdir())


def read_released(folder: Path) -> Released:
    """Read all documents of a folder, each with its orders.

    Sentences that stand twice in a document are told apart by their turn.
    """
    files = _files(folder)
    documents, permutations, problems = [], {}, []
    for name, orders in sorted(files.items()):
        original = orders.pop(min(orders))
        sentences = _lines(original)
        if not sentences:
            problems.append(f"{original}: holds no sentence")
            continue
        documents.append(Document(name, tuple(sentences)))
        found = []
        for _, path in sorted(orders.items()):
            order = _places(sentences, _lines(path))
            if order is None:
                problems.append(f"{path}: holds other sentences than {original.name}")
            elif order != sorted(order):
                found.append(order)
        if found:
            permutations[name] = found
    raise_problems(problems)
    return Released(Corpus(tuple(documents)), permutations)


def _files(folder: Path) -> dict[str, dict[int, Path]]:
    """Find the files of each document by their number; -1 is a file without one."""
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    found: dict[str, dict[int, Path]] = {}
    for count, path in enumerate(sorted(folder.iterdir())):
        if count >= _MOST_FILES:
            raise InputError(f"{folder}: more than {_MOST_FILES:,} files")
        if path.name.startswith(".") or not path.is_file():
            continue
        match = _PERMUTED.fullmatch(path.name) or _PLAIN.fullmatch(path.name)
        assert match is not None
        number = int(match["number"][:9]) if "number" in match.groupdict() else -1
        if number in found.setdefault(match["name"], {}):
            raise InputError(f"{path}: is the same order as {found[match['name']][number].name}, by its name")
        found[match["name"]][number] = path
    if not found:
        raise InputError(f"{folder}: holds no file")
    return found


def _lines(path: Path) -> list[str]:
    if path.stat().st_size > _MOST_BYTES:
        raise InputError(f"{path}: more than {_MOST_BYTES:,} bytes, the most that is read of one order")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _places(sentences: list[str], order: list[str]) -> list[int] | None:
    """Return the places of an order's sentences in the original, or None if they are other sentences."""
    waiting: dict[str, list[int]] = {}
    for place in reversed(range(len(sentences))):
        waiting.setdefault(sentences[place], []).append(place)
    if sorted(order) != sorted(sentences):
        return None
    return [waiting[sentence].pop() for sentence in order]
