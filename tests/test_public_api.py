"""What the package promises as a whole: its names, its examples, its types, and which room may use which."""

import ast
import doctest
import importlib
import inspect
import itertools
import pkgutil
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import driftline

ROOT = Path(driftline.__file__).parent
MODULES = sorted(["driftline", *(m.name for m in pkgutil.walk_packages(driftline.__path__, "driftline."))])

# From the ground up: a room may use itself and what stands on a line above it.
ROOMS = [
    {"version", "errors", "kernels"},
    {"settings", "signature", "files", "parallel"},
    {"text"},
    {"samples"},
    {"model", "storage"},
    {"streaming"},
    {"tasks"},
    {"baselines"},
    {"evaluation"},
    {"tuning"},
    {"reproduction"},
    {"explorer"},
    {"cli"},
]
FLOOR = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}


def room_of(module):
    return module.split(".")[1] if "." in module else None


def source_of(module):
    path = ROOT.parent / Path(*module.split("."))
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8")


def imports_of(module):
    """List what a module imports, also inside of functions and for type checkers only."""
    found = []
    for node in ast.walk(ast.parse(source_of(module))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative imports hide where a name comes from"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found


def python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


# The names


def test_about_fifteen_names():
    """The public names are few, each stands once, and nothing private is among them."""
    names = driftline.__all__

    assert 12 <= len(names) <= 24
    assert len(names) == len(set(names))
    assert [name for name in names if name.startswith("_") and name != "__version__"] == []


def test_the_contract():
    """The names that outside checks use are there."""
    contract = {"Corpus", "Settings", "ContentModel", "fit", "load"}

    assert contract <= set(driftline.__all__)
    assert {"read", "from_sentences", "from_words"} <= set(dir(driftline.Corpus))
    assert {"from_labels", "log_emission", "log_probability", "v_topics", "save", "n_states"} <= set(
        dir(driftline.ContentModel)
    )


@pytest.mark.parametrize("name", driftline.__all__)
def test_every_name_can_be_imported(name):
    """Each public name leads to an object of that name, which says what it is."""
    value = getattr(driftline, name)

    assert name in dir(driftline)
    if name != "__version__":
        assert name == value.__name__
        assert inspect.getdoc(value)


def test_all_names_at_once():
    """A star import gives the public names and no more."""
    names = {}
    exec("from driftline import *", names)

    assert set(driftline.__all__) == set(names) - {"__builtins__"}


def test_type_checkers_see_the_same_names():
    """The names that are imported lazily are those that type checkers are told of, from the same homes."""
    block = next(node for node in ast.parse(source_of("driftline")).body if isinstance(node, ast.If))
    told = {alias.asname: node.module for node in block.body for alias in node.names}

    assert told == driftline._HOME


def test_other_names_are_refused():
    """A name that is not public is no attribute, and the message says so."""
    with pytest.raises(AttributeError, match="module 'driftline' has no attribute 'learn_everything'"):
        driftline.learn_everything  # noqa: B018


def test_the_version_is_the_distributions():
    """The version is stated once and is that of the installed distribution."""
    assert metadata.version("driftline") == driftline.__version__


def test_typed():
    """The package tells type checkers that it is typed."""
    assert (ROOT / "py.typed").is_file()


# Examples


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    """Every example in a docstring gives what it shows."""
    if "torch" in module:
        pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'driftline[gpu]'")
    result = doctest.testmod(importlib.import_module(module))

    assert result.failed == 0


@pytest.mark.parametrize(
    "name",
    [name for name in driftline.__all__ if not name.startswith("_") and not name.endswith(("Error", "Warning"))],
)
def test_every_public_name_has_an_example(name):
    """The docstring of each public class or function, or of one of its methods, shows how to use it."""
    value = getattr(driftline, name)
    tests = doctest.DocTestFinder().find(value, name, module=False)

    assert any(test.examples for test in tests)


@pytest.mark.parametrize("module", MODULES)
def test_every_module_says_what_it_is(module):
    """Each module begins with a sentence, or a heading, about itself."""
    assert ast.get_docstring(ast.parse(source_of(module)))


# What importing costs


def test_importing_is_quick():
    """`import driftline` loads neither NumPy nor SciPy nor anything else that is large."""
    loaded = python("import driftline, sys; print(*sys.modules)").split()

    assert "driftline" in loaded
    assert set() == {"numpy", "scipy", "msgspec", "sentencex", "safetensors", "rich", "typer", "spacy"} & set(loaded)


def test_reading_needs_no_numpy():
    """A corpus can be read, and settings made, without NumPy."""
    code = "import driftline, sys; driftline.Corpus, driftline.Settings(), driftline.ReadOptions; print(*sys.modules)"

    assert {"numpy", "scipy", "pyarrow"}.isdisjoint(python(code).split())


# Which room may use which


@pytest.mark.parametrize("module", [module for module in MODULES if module != "driftline"])
def test_imports_point_one_way(module):
    """A module imports from its own room and from rooms below, never from above or beside."""
    room = room_of(module)

    assert room in FLOOR, f"{room}: give the new room its place in ROOMS"
    for imported in imports_of(module):
        other = room_of(imported) if imported.startswith("driftline.") else None
        if other not in {None, room}:
            below = FLOOR.get(other, -1) < FLOOR[room]
            together = {room, other} == {"model", "storage"} or {room, other} == {"signature", "version"}
            # A model draws itself: its plot methods reach up, when they are called.
            together = together or (module, imported) == ("driftline.model.plots", "driftline.explorer.figures")
            assert below or together, f"{module} imports {imported}"


@pytest.mark.parametrize("module", [module for module in MODULES if room_of(module) == "kernels"])
def test_kernels_know_nothing_of_ours(module):
    """A kernel takes arrays: it imports nothing of this package but other kernels."""
    ours = {imported for imported in imports_of(module) if imported.split(".")[0] == "driftline"}

    assert set() == {imported for imported in ours if not imported.startswith("driftline.kernels.")}


@pytest.mark.parametrize("module", MODULES)
def test_what_is_imported_is_installed(module):
    """What a module imports comes with Python or stands among the package's dependencies."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    packages = {re.match(r"[\w-]+", requirement)[0].replace("-", "_") for requirement in needed}

    roots = {imported.split(".")[0] for imported in imports_of(module)}

    assert set() == roots - sys.stdlib_module_names - packages - {"driftline"}


def test_no_module_needs_itself():
    """At import time, modules depend on each other without a circle."""
    needs = {module: set() for module in MODULES if module != "driftline"}
    for module, found in needs.items():
        for node in ast.parse(source_of(module)).body:
            if isinstance(node, ast.ImportFrom) and node.module in needs:
                found.add(node.module)
    while leaves := {module for module, found in needs.items() if not found & needs.keys()}:
        needs = {module: found for module, found in needs.items() if module not in leaves}

    assert needs == {}


def test_modules_are_short():
    """No module has more than 300 lines."""
    lengths = {module: source_of(module).count("\n") for module in MODULES}

    assert [f"{module}: {n} lines" for module, n in lengths.items() if n > 300] == []


@pytest.mark.parametrize("module", MODULES)
def test_no_public_name_is_undocumented(module):
    """Every public class, function, method and property of a module says what it is."""
    assert [
        node.name for node in public_definitions(ast.parse(source_of(module))) if not ast.get_docstring(node)
    ] == []


def public_definitions(owner):
    """Find classes and functions, and what public classes hold; not what is private or inside of a function."""
    for node in owner.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public_definitions(node)


def test_rooms_are_listed_once():
    """No room stands on two floors."""
    assert len(FLOOR) == len(list(itertools.chain.from_iterable(ROOMS)))
