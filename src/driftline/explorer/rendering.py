"""From records to HTML: the shell that every page shares, and JSON that can stand inside of it."""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from urllib.parse import quote

import jinja2
import msgspec

from driftline.version import __version__

_PAGES = resources.files("driftline.explorer") / "pages"
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 4h6l3 4h5M1 8h4l3 4h7" '
    'fill="none" stroke="#27408b" stroke-width="2"/></svg>'
)
# What would end a script element, begin a comment in it, or break a line for old parsers.
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def page_file(name: str) -> str:
    """Return the text of a style sheet, script or template of the pages."""
    return (_PAGES / name).read_text("utf-8")


@cache
def page_files() -> frozenset[str]:
    """Name the style sheets and scripts that pages are made of."""
    return frozenset(file.name for file in _PAGES.iterdir() if file.name.endswith((".css", ".js")))


def to_json(record: object) -> bytes:
    """Encode a record as JSON; half surrogate pairs, which no JSON can hold, are shown as replaced."""
    try:
        return msgspec.json.encode(record)
    except UnicodeEncodeError:
        return msgspec.json.encode(_without_surrogates(msgspec.to_builtins(record)))


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_surrogates(item) for item in value]
    return value


def embedded(record: object) -> str:
    r"""Encode a record as JSON for a script element of an HTML page.

    >>> print(embedded({"text": "</script><!--"}))
    {"text":"\u003c/script\u003e\u003c!--"}
    """
    text = to_json(record).decode()
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text


@cache
def _shell() -> jinja2.Template:
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(page_file("shell.html"))


def render(page: object, navigation: Sequence[dict[str, str]], **values: object) -> str:
    """Put a page's record into the shell."""
    given = {"policy": None, "style": None, "script": None, "twin": "", "kind": "", **values}
    return _shell().render(
        page=embedded(page),
        views=navigation,
        icon="data:image/svg+xml," + quote(_ICON),
        footer=f"Made by driftline {__version__}.",
        **given,
    )
