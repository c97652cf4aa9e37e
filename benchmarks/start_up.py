"""Starting: the command line's help and the import, beside a Python that does nothing."""

import subprocess
import sys
from functools import partial
from pathlib import Path

from measure import Result, Row, side_by_side

HELP_BUDGET = 0.3
REPETITIONS = 10


def run(_: Path | None) -> Result:
    """Time whole processes, as a person at the prompt would."""
    command = Path(sys.executable).with_name("driftline")
    commands = [[command, "--help"], [sys.executable, "-c", "import driftline"], [sys.executable, "-c", "pass"]]
    actions = [partial(subprocess.run, c, check=True, stdout=subprocess.DEVNULL) for c in commands]
    shown, imported, nothing = side_by_side(actions, REPETITIONS)
    return Result(
        (
            Row("driftline --help", shown, "the budget", HELP_BUDGET, target=1),
            Row("driftline --help", shown, "python -c pass", nothing),
            Row("import driftline", imported, "python -c pass", nothing),
        )
    )
