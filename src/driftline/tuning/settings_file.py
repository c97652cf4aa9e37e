"""The settings file: TOML that a search writes, a person reads and edits, and `driftline fit` takes."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from driftline.errors import InputError, SettingsError
from driftline.files import write_atomically
from driftline.settings import Settings
from driftline.tuning.objective import OBJECTIVES, Score
from driftline.tuning.tuning import Tuned, Worth

_MOST_BYTES = 2**20
_TABLES = ("settings", "scores")


def write_settings(path: Path, found: Tuned) -> None:
    """Write what a search found, with what it is worth."""
    write_atomically(path, settings_text(found))


def settings_text(found: Tuned) -> str:
    """Lay out a settings file."""
    lines = [
        "# Written by `driftline tune`; `driftline fit CORPUS --settings THIS-FILE` takes it.",
        "",
        "[settings]",
        *(f"{name} = {_toml(value)}" for name, value in found.settings.as_dict().items() if value is not None),
        "",
        f"[scores]  # {OBJECTIVES[found.objective]}, with 95 % intervals",
        f"objective = {_toml(found.objective)}",
        f"trials = {found.n_trials}",
        *_worth("chosen_on", found.chosen_on),
        *_worth("held_out", found.held_out),
        f"signature = {_toml(found.signature)}",
    ]
    return "\n".join(lines) + "\n"


def read_settings(path: Path) -> Settings:
    """Read the table `[settings]` of a file, and refuse what is no setting."""
    found = _parse(path)
    unknown = [name for name in found if name not in _TABLES]
    if unknown:
        raise InputError(f"{path}: expected the table [settings], got {', '.join(map(repr, unknown))} beside it")
    settings = found.get("settings")
    if not isinstance(settings, Mapping):
        raise InputError(f"{path}: has no table [settings]")
    known = [field.name for field in fields(Settings)]
    unknown = [name for name in settings if name not in known]
    if unknown:
        raise InputError(
            f"{path}: {', '.join(map(repr, unknown))} is no setting; expected some of {', '.join(known)}"
        )
    try:
        return Settings(**settings)
    except SettingsError as error:
        raise SettingsError("\n".join(f"{path}, {line}" for line in str(error).splitlines())) from None


def _parse(path: Path) -> dict[str, object]:
    if not os.path.isfile(path):  # unlike Path.is_file, it takes a name that no file can have
        raise InputError(f"{path}: there is no such file")
    if (size := path.stat().st_size) > _MOST_BYTES:
        raise InputError(f"{path}: {size:,} bytes; a settings file has at most {_MOST_BYTES:,}")
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a ValueError of Python's
        raise InputError(f"{path}: is no TOML ({error})") from None


def _worth(name: str, worth: Worth) -> list[str]:
    return [
        f"{name} = {_toml(worth.on)}",
        f"{name}_tuned = {_score(worth.tuned)}",
        f"{name}_default = {_score(worth.default)}",
    ]


def _score(score: Score) -> str:
    interval = f"[{score.low:.4f}, {score.high:.4f}]"
    return f"{{ value = {score.value:.4f}, interval = {interval}, documents = {score.n_documents} }}"


def _toml(value: object) -> str:
    if isinstance(value, str):
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"'
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value)
