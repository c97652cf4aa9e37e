"""Reading the orders that a document is to be told from: one JSON object a line, `id` and `perms`."""

from pathlib import Path

import msgspec

from driftline.errors import InputError


class _Line(msgspec.Struct):
    id: str | int
    perms: list[list[int]]


def read_permutations(path: Path) -> dict[str, list[list[int]]]:
    """Read permutations by document id; whether they fit the documents is checked when they are used."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    decoder, found = msgspec.json.Decoder(_Line), {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            read = decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        found[str(read.id)] = read.perms
    return found
