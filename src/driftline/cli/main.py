"""The `driftline` command: puts the commands together and turns errors into one sentence and a status."""

import errno
import io
import os
import sys
import warnings
from contextlib import suppress
from typing import Annotated

import typer

from driftline.cli import (
    check,
    demo,
    evaluate,
    explore,
    fit,
    order,
    rank,
    report,
    reproduce,
    sample,
    show,
    states,
    summarize,
    tag,
    tune,
    update,
)
from driftline.cli.common import print_text
from driftline.errors import DriftlineError
from driftline.version import __version__

REFUSED, INTERRUPTED = 1, 130
_OF_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}

app = typer.Typer(
    name="driftline",
    help="Learn how the documents of one domain are put together, and use it.",
    epilog="Begin with: driftline demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (
    demo, sample, states, tune, fit, update, show, tag, order, rank, summarize, check, evaluate,
    reproduce, explore, report,
)  # fmt: skip
for module in COMMANDS:
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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no bars still shows the figures
    try:
        status = _run()
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has enough of it (`driftline show m | head`).
        _drop_output()
        status = 0
    except OSError as error:
        _drop_output()
        status = _refuse(_told(error))
    sys.exit(status)


def _run() -> int:
    """Run the command that was typed and return its exit status."""
    try:
        app()
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # typer makes a failure of it
            raise left.__context__ from None
        if left.code == INTERRUPTED:
            print("driftline: interrupted", file=sys.stderr)
        return int(left.code or 0)
    except DriftlineError as error:
        return _refuse(str(error))
    except MemoryError as error:
        return _refuse(f"there is not enough memory for this ({error or 'no more can be had'})")
    return 0


def _refuse(message: str) -> int:
    print_text(f"driftline: {message}", file=sys.stderr)
    return REFUSED


def _told(error: OSError) -> str:
    """Say what the system refused; what it refuses to write to standard output has no name."""
    if error.filename is not None:
        return f"{error.filename}: cannot be used ({error.strerror})"
    if error.errno in _OF_WRITING:
        return f"standard output: cannot be written ({error.strerror})"
    return f"the system refused something that is needed here ({error.strerror or error})"


def _drop_output() -> None:
    """Let nothing that is still kept back be written when Python ends: it would fail again."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print_text(f"driftline: warning: {message}", file=sys.stderr)
