"""Experiments: what stands in the TOML files of `experiments/`, one for each table or figure of the paper."""

import tomllib
from pathlib import Path
from typing import Literal

import msgspec

from driftline.errors import InputError, SettingsError
from driftline.evaluation.comparison import SYSTEMS
from driftline.evaluation.summary_exam import SUMMARIZERS
from driftline.settings import Settings

Measure = Literal["statistics", "parameters", "ordering", "summarization"]
Vary = Literal["documents", "pairs", "states"]

CONTENT_SYSTEMS = ("content", "content, defaults", "content, paper")
"""The content model with settings tuned on the development set, with the defaults, and with the paper's own."""

_MOST_BYTES = 2**20


class Effort(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much is done; the full and the quick run differ in nothing else."""

    max_sentences: int = 12
    """Longer documents are neither ordered nor ranked, so that both are exact and no clock decides."""
    tuned_sentences: int = 14
    """Longer documents have no say in tuning, which orders them but does not rank them."""
    documents: int | None = None
    """Test documents at the most, drawn from those that are short enough."""
    trials: int = 60
    """Settings tried in tuning."""
    seeds: tuple[int, ...] = (0,)
    """Draws of halves, and of parts of the training documents."""
    sizes: tuple[int, ...] = ()
    """What is varied takes these values."""


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A figure that others published."""

    domain: str
    system: str
    figure: str
    value: float
    source: str
    x: float | None = None
    """Where on a curve."""


class Experiment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table or figure."""

    title: str
    where: str
    """What it is called in the paper."""
    order: int
    """Where it stands on the page."""
    about: str
    measures: tuple[Measure, ...]
    domains: tuple[str, ...]
    figures: tuple[str, ...]
    """Which figures are shown, in this order."""
    systems: tuple[str, ...] = ()
    vary: Vary | None = None
    full: Effort = Effort()
    quick: Effort = Effort()
    published: tuple[Published, ...] = ()
    settings: dict[str, object] = {}
    """What differs from the default settings for all systems."""
    name: str = ""
    """The name of its file."""

    def base(self) -> Settings:
        """Return the settings that all systems begin from."""
        return Settings(**self.settings)  # type: ignore[arg-type]

    def needs_tuning(self) -> bool:
        """Tell whether settings are tuned for it."""
        return "parameters" in self.measures or "content" in self.systems


def experiments_folder() -> Path:
    """Return the folder with the TOML files: in the installed package, or beside it in a checkout."""
    package = Path(__file__).parents[1]
    installed = package / "experiments"
    return installed if installed.is_dir() else package.parents[1] / "experiments"


def names_in(folder: Path) -> list[str]:
    """List the experiments of a folder."""
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder of experiments")
    names = sorted(path.stem for path in folder.glob("*.toml"))
    if not names:
        raise InputError(f"{folder}: holds no .toml file")
    return names


def read_experiment(folder: Path, name: str) -> Experiment:
    """Read one experiment, or say in one sentence what is wrong with it."""
    known = names_in(folder)
    if name not in known:
        raise InputError(f"{name!r} is no table or figure; expected some of {', '.join(known)}")
    path = folder / f"{name}.toml"
    if (size := path.stat().st_size) > _MOST_BYTES:
        raise InputError(f"{path}: {size:,} bytes; an experiment has at most {_MOST_BYTES:,}")
    try:
        found = msgspec.convert(tomllib.loads(path.read_bytes().decode("utf-8")), Experiment)
        found.base()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except (msgspec.ValidationError, SettingsError, TypeError) as error:
        raise InputError(f"{path}: {error}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a ValueError of Python's
        raise InputError(f"{path}: is no TOML ({error})") from None
    _check(found, path)
    return msgspec.structs.replace(found, name=name)


def _check(found: Experiment, path: Path) -> None:
    systems = {*CONTENT_SYSTEMS, *SYSTEMS, *SUMMARIZERS}
    for system in found.systems:
        if system not in systems:
            raise InputError(f"{path}: system {system!r}; expected some of {', '.join(sorted(systems))}")
    for effort in (found.full, found.quick):
        if (found.vary is not None) != bool(effort.sizes):
            raise InputError(f"{path}: `vary` and the `sizes` of [full] and [quick] go together")
        if effort.max_sentences < 2 or effort.trials < 1 or not effort.seeds or min((1, *effort.sizes)) < 1:
            raise InputError(f"{path}: max_sentences is at least 2, trials and sizes are at least 1, there is a seed")
