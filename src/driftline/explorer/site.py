"""Which view is at which address. The server and the report have the same pages because both ask here."""

from collections.abc import Callable
from dataclasses import dataclass

from driftline.errors import InputError
from driftline.explorer.subject import Subject
from driftline.explorer.views.flow import flow


class NoPageError(InputError):
    """There is nothing at an address."""


@dataclass(frozen=True)
class View:
    """One kind of page."""

    kind: str
    """Also the name of the script that draws it."""
    path: str
    title: str
    make: Callable[[Subject, int], object]
    """From the subject, and the number in the address where it has one, to a record."""
    is_slow: Callable[[Subject], bool] = lambda _: False
    """Whether the page should come first and its record after it."""


VIEWS = (View("flow", "/flow", "Flow", lambda subject, _: flow(subject)),)
_IN_NAVIGATION = ("flow",)


def navigation(subject: Subject) -> list[dict[str, str]]:
    """List the pages that every page leads to."""
    del subject
    shown = [view for view in VIEWS if view.kind in _IN_NAVIGATION]
    return [{"kind": view.kind, "address": view.path, "title": view.title} for view in shown]
