"""The `driftline` command: puts the commands together and turns errors into one sentence and a status."""

import sys
import warnings
from typing import Annotated

import typer

from driftline.cli import demo, evaluate, fit, order, rank, sample, show, summarize, tag
from driftline.errors import DriftlineError
from driftline.version import __version__

REFUSED, INTERRUPTED = 1, 130

app = typer.Typer(
    name="driftline",
    help="Learn how the documents of one domain are put together, and use it.",
    epilog="Begin with: driftline demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (demo, sample, fit, show, tag, order, rank, summarize, evaluate):
    module.register(app)


def _print_version(asked: bool) -> None:  # noqa: FBT001 (typer calls it so)
    if asked:
        print(f"driftline {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Learn how the documents of one domain are put together, and use it."""


def main() -> None:
    """Run the command line; refusals become one clear sentence and exit status 1."""
    warnings.showwarning = _show_warning
    try:
        app()
    except DriftlineError as error:
        print(f"driftline: {error}", file=sys.stderr)
        sys.exit(REFUSED)
    except KeyboardInterrupt:
        print("driftline: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has enough of it (`driftline show m | head`).
        sys.stderr.close()
        sys.exit(0)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"driftline: warning: {message}", file=sys.stderr)
