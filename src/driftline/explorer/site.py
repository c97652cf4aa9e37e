"""Which view is at which address. The server and the report have the same pages because both ask here."""

from collections.abc import Callable
from dataclasses import dataclass

from driftline.errors import InputError
from driftline.explorer.subject import Subject
from driftline.explorer.views.document import document
from driftline.explorer.views.flow import flow
from driftline.explorer.views.replay import replay
from driftline.explorer.views.ribbons import ribbons
from driftline.explorer.views.topic import topic
from driftline.explorer.views.trial import trial


class NoPageError(InputError):
    """There is nothing at an address."""


@dataclass(frozen=True)
class View:
    """One kind of page."""

    kind: str
    """Also what the script that draws it is called by."""
    path: str
    title: str
    make: Callable[[Subject, int], object]
    """From the subject, and the number in the address where it has one, to a record."""
    check: Callable[[Subject, int], None]
    """Raises NoPageError where there is nothing to show."""
    is_slow: Callable[[Subject], bool]
    """Whether the page should come first and its record after it."""


def _untagged(subject: Subject) -> bool:
    return subject.documents is not None and not subject.documents.is_tagged


def _check_topic(subject: Subject, state: int) -> None:
    if state >= subject.model.n_states:
        raise NoPageError(f"there is no topic {state}: they go from 0 to {subject.model.n_states - 1}")


def _check_document(subject: Subject, number: int) -> None:
    if subject.documents is None:
        raise NoPageError("no documents were given; start it again with them: driftline explore MODEL CORPUS")
    if number >= (n := len(subject.documents.corpus)):
        raise NoPageError(f"there is no document {number}: they go from 0 to {n - 1}")


def _check_nothing(_: Subject, __: int) -> None: ...


def _is_given_documents(subject: Subject) -> bool:
    return subject.documents is not None


def _never(_: Subject) -> bool:
    return False


VIEWS = (
    View("flow", "/flow", "Flow", lambda subject, _: flow(subject), _check_nothing, _never),
    View("topic", "/topics/{number:int}", "Topic", topic, _check_topic, _untagged),
    View("ribbons", "/ribbons", "Ribbons", lambda subject, _: ribbons(subject), _check_document, _is_given_documents),
    View("document", "/documents/{number:int}", "Document", document, _check_document, _untagged),
    View("try", "/try", "Try it", lambda subject, _: trial(subject), _check_nothing, _never),
    View("replay", "/replay", "Training", lambda subject, _: replay(subject), _check_nothing, _is_given_documents),
)
_IN_NAVIGATION = ("flow", "ribbons", "try", "replay")


def navigation() -> list[dict[str, str]]:
    """List the pages that every page leads to."""
    shown = [view for view in VIEWS if view.kind in _IN_NAVIGATION]
    return [{"kind": view.kind, "address": view.path, "title": view.title} for view in shown]
