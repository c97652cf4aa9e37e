"""The server: every view at an address, as a page and as JSON, for this machine alone unless asked otherwise."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from driftline.explorer.guard import Guard
from driftline.explorer.rendering import page_file, page_files, render, to_json
from driftline.explorer.site import VIEWS, NoPageError, View, navigation
from driftline.explorer.subject import Subject

_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}


@dataclass
class Desk:
    """What the server works with: the one thing in it that changes is the subject, when a label is given."""

    subject: Subject
    page_token: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    """Every page carries it, and everything that is sent back must show it."""


def make_app(subject: Subject, *, host: str = "127.0.0.1", token: str | None = None) -> Guard:
    """Make the application that serves a subject."""
    desk = Desk(subject)
    routes = [
        Route("/", lambda _: RedirectResponse("/flow", 303)),
        Route("/static/{name}", _static),
    ]
    for view in VIEWS:
        answer = _answer(desk, view)
        routes += [Route(view.path + ".json", answer), Route(view.path, answer)]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _refused(desk)})
    return Guard(app, host, token)


def _answer(desk: Desk, view: View) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        subject, number = desk.subject, int(request.path_params.get("number", 0))
        json = wants_json(request)
        waits = view.is_slow(subject) and not json
        try:
            record = None if waits else await run_in_threadpool(view.make, subject, number)
        except NoPageError as error:
            raise HTTPException(404, str(error)) from None
        if json:
            return Response(to_json(record), media_type="application/json", headers={"Vary": "Accept"})
        return _page(desk, request, view.kind, view.title, record)

    return answer


def _page(desk: Desk, request: Request, kind: str, title: str, record: object, status: int = 200) -> Response:
    page = {"live": True, "kind": kind, "address": request.url.path, "token": desk.page_token, "data": record}
    html = render(
        page, navigation(desk.subject), title=title, name=desk.subject.name, home="/flow", kind=kind,
        twin=request.url.path + ".json",
    )  # fmt: skip
    return Response(html, status, media_type="text/html", headers={"Vary": "Accept"})


def wants_json(request: Request) -> bool:
    """Tell whether a request is for the JSON twin: by the suffix of its address, or by what it accepts."""
    if request.url.path.endswith(".json"):
        return True
    accepted = [part.split(";")[0].strip() for part in request.headers.get("accept", "").split(",")]
    return "application/json" in accepted and "text/html" not in accepted


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in page_files():  # a list of names, so that no path leads out of it
        raise HTTPException(404, f"there is no file {name!r}")
    return Response(page_file(name), media_type=_TYPES[name.rpartition(".")[2]])


def _refused(desk: Desk) -> Callable[[Request, Exception], Response]:
    def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        record = {"error": error.detail}
        if wants_json(request) or request.method != "GET":
            return Response(to_json(record), error.status_code, media_type="application/json")
        return _page(desk, request, "missing", "Nothing here", record, error.status_code)

    return refused
