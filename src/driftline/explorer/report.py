"""The report: the pages of the explorer in one file that opens anywhere, without a server and without a network."""

import base64
import hashlib
import re

import msgspec

from driftline.explorer.rendering import page_file, render
from driftline.explorer.site import VIEWS, navigation
from driftline.explorer.subject import Subject
from driftline.explorer.views.trial import worked_example

FIRST_PAGE = "/flow"
_START = "app.js"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)


def make_report(subject: Subject, *, n_documents: int) -> str:
    """Put every view of a subject into one HTML page; `n_documents` are there in full text."""
    pages = {address: {"kind": kind, "data": data} for address, kind, data in _pages(subject, n_documents)}
    style, script = page_file("style.css"), bundled_script()
    kinds = {page["kind"] for page in pages.values()}
    return render(
        {"live": False, "first": FIRST_PAGE, "names": subject.names, "pages": pages},
        [{**link, "address": f"#{link['address']}"} for link in navigation() if link["kind"] in kinds],
        title="Report", name=subject.name, home=f"#{FIRST_PAGE}", style=style, script=script,
        policy=_policy(style, script),
    )  # fmt: skip


def _pages(subject: Subject, n_documents: int) -> "list[tuple[str, str, object]]":
    """Make the record of every page, by its address; names of topics, which all share, are left out."""
    counts = {"topic": subject.model.n_states, "ribbons": 0, "document": 0}
    if subject.documents is not None:
        counts |= {"ribbons": 1, "document": min(n_documents, len(subject.documents.corpus))}
    made: list[tuple[str, str, object]] = []
    for view in VIEWS:
        for number in range(counts.get(view.kind, 1)):
            record = msgspec.to_builtins(view.make(subject, number))
            record.pop("names")
            if view.kind == "try":
                record["example"] = worked_example(subject)
            made.append((view.path.replace("{number:int}", str(number)), view.kind, record))
    return made


def bundled_script() -> str:
    """Join the scripts of the pages into one, each after those it needs: a file on a disk can import nothing."""
    placed: dict[str, str] = {}

    def place(name: str) -> None:
        if name not in placed:
            source = page_file(name)
            for _, needed in _IMPORT.findall(source):
                place(needed)
            placed[name] = _module(name, source)

    place(_START)
    return "const modules = {};\n" + "".join(placed.values())


def _module(name: str, source: str) -> str:
    """Make a function of a script, so that its names stay its own, with what it exports as the result."""
    body = _IMPORT.sub(r'const {\1} = modules["\2"];\n', source)
    exports = ", ".join(_EXPORTED.findall(body))
    inside = _EXPORT.sub("", body)
    return f'modules["{name}"] = (() => {{\n{inside}return {{ {exports} }};\n}})();\n'


def _policy(style: str, script: str) -> str:
    """Allow this style sheet and this script by their hashes, and nothing else at all."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
