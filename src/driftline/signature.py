"""The signature: every setting that can move a figure, in one line that can stand beside it."""

from driftline.version import __version__


def signature(**parts: object) -> str:
    """Join named parts, the version last.

    >>> signature(k=40, T=None)
    'driftline|k:40|T:none|version:0.1.0'
    """
    named = [f"{name}:{_short(value)}" for name, value in parts.items()]
    return "|".join(["driftline", *named, f"version:{__version__}"])


def _short(value: object) -> str:
    if value is None:
        return "none"
    # 0.1 and not 0.1000000000000000055, but never fewer digits than tell the value.
    if isinstance(value, float) and float(short := f"{value:g}") == value:
        return short
    return str(value)
