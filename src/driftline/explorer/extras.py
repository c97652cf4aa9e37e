"""Whether the libraries that the explorer needs are installed."""

from importlib.util import find_spec

from driftline.errors import InputError


def needs_explorer() -> None:
    """Refuse to serve pages without the libraries for it."""
    _needs("the explorer", "starlette", "uvicorn", "jinja2")


def needs_report() -> None:
    """Refuse to write pages without the library for it."""
    _needs("a report", "jinja2")


def needs_plotly() -> None:
    """Refuse to draw a figure without Plotly."""
    _needs("a figure", "plotly")


def _needs(what: str, *libraries: str) -> None:
    if missing := [name for name in libraries if find_spec(name) is None]:
        raise InputError(f"{what} needs {', '.join(missing)}: pip install 'driftline[explore]'")
