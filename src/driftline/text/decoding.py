"""From the bytes of a file to text: nothing is guessed, and what does not fit is said."""

import codecs

from driftline.errors import InputError


def decode(raw: bytes, encoding: str, place: str) -> str:
    """Decode the bytes that stand at a place: say what does not fit and, where a mark tells it, what would."""
    for mark, name in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if raw.startswith(mark) and codecs.lookup(encoding).name == "utf-8":
            raise InputError(f"{place}: begins with the mark of {name}, not utf-8; pass encoding={name!r}")
    try:
        text = raw.decode("utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{place}: byte {error.start} ({raw[error.start]:#04x}) is not {encoding}; "
            "if the file has another encoding, name it with --encoding (encoding= in Python)"
        ) from None
    if "\0" in text:
        raise InputError(f"{place}: holds NUL characters, so it is no text file")
    return text
