"""Whether the libraries that the explorer needs are installed."""

from importlib.util import find_spec

from driftline.errors import InputError


def needs_explorer() -> None:
    """Refuse to go on without the libraries of the extra `explore`."""
    missing = [name for name in ("starlette", "uvicorn", "jinja2") if find_spec(name) is None]
    if missing:
        raise InputError(f"the explorer needs {', '.join(missing)}: pip install 'driftline[explore]'")


def needs_plotly() -> None:
    """Refuse to draw a figure without Plotly."""
    if find_spec("plotly") is None:
        raise InputError("figures need plotly: pip install 'driftline[explore]'")
