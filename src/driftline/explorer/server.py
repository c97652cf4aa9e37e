"""The server: every view at an address, as a page and as JSON, and what pages may ask for beside them."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from driftline.errors import DriftlineError
from driftline.explorer.actions import ACTIONS, Label, parse
from driftline.explorer.desk import Desk
from driftline.explorer.guard import Guard
from driftline.explorer.rendering import page_file, page_files, render, to_json
from driftline.explorer.site import VIEWS, NoPageError, View, navigation

_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_AT_ONCE = 2  # pages and texts that are worked on at the same time; others wait

Made = TypeVar("Made")
Handler = Callable[[Request], Awaitable[Response]]


class _Turns:
    """Lets a few pieces of work run at a time, of those that take long one: a place is left for all else."""

    def __init__(self) -> None:
        self._any, self._slow = asyncio.Semaphore(_AT_ONCE), asyncio.Semaphore(1)

    async def run(self, work: Callable[..., Made], *arguments: object) -> Made:
        """Do it when it is its turn."""
        async with self._any:
            return await run_in_threadpool(work, *arguments)

    async def run_slow(self, work: Callable[..., Made], *arguments: object) -> Made:
        """Do what takes long, when nothing else that does is under way."""
        async with self._slow:
            return await self.run(work, *arguments)


def make_app(desk: Desk, *, host: str = "127.0.0.1", token: str | None = None) -> Guard:
    """Make the application that serves what is on a desk."""
    turns = _Turns()
    routes = [
        Route("/", lambda _: RedirectResponse("/flow", 303)),
        Route("/static/{name}", _static),
        Route("/topics/{number:int}/label", _label(desk), methods=["POST"]),
    ]
    for address, kind in ACTIONS.items():
        routes.append(Route(address, _action(desk, kind, turns), methods=["POST"]))
    for view in VIEWS:
        answer = _view(desk, view, turns)
        routes += [Route(view.path + ".json", answer), Route(view.path, answer)]
    return Guard(Starlette(routes=routes, exception_handlers={HTTPException: _refused(desk)}), host, token)


def _view(desk: Desk, view: View, turns: _Turns) -> Handler:
    async def answer(request: Request) -> Response:
        subject, number = desk.subject, request.path_params.get("number", 0)
        json = wants_json(request)
        try:
            view.check(subject, number)
        except NoPageError as error:
            raise HTTPException(404, str(error)) from None
        slow = view.is_slow(subject)
        if slow and not json:
            return _page(desk, request, view, None)
        try:
            record = await (turns.run_slow if slow else turns.run)(view.make, subject, number)
        except DriftlineError as error:  # such as a language pipeline that is not installed here
            raise HTTPException(503, str(error)) from None
        return _json(record) if json else _page(desk, request, view, record)

    return answer


def _action(desk: Desk, kind: type[Any], turns: _Turns) -> Handler:
    async def answer(request: Request) -> Response:
        asked = parse(await _body(desk, request), kind)
        return _json(await turns.run(asked.answer, desk.subject))

    return _saying_why(answer)


def _label(desk: Desk) -> Handler:
    async def answer(request: Request) -> Response:
        label = parse(await _body(desk, request), Label).label
        state = request.path_params["number"]
        subject = await run_in_threadpool(desk.rename, state, label)
        return _json({"state": state, "label": subject.topics[state].label})

    return _saying_why(answer)


def _saying_why(handler: Handler) -> Handler:
    """Let what the library refuses be told in its own sentence."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except DriftlineError as error:
            raise HTTPException(400, str(error)) from None

    return answer


async def _body(desk: Desk, request: Request) -> bytes:
    """Return what a page sent, if it was one of ours that did."""
    shown = request.headers.get("x-driftline-token", "")
    if not hmac.compare_digest(shown.encode(), desk.page_token.encode()):
        raise HTTPException(403, "only pages of this explorer may send anything to it; open the page again")
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise HTTPException(415, "expected application/json")
    return await request.body()


def _json(record: object, status: int = 200) -> Response:
    return Response(to_json(record), status, media_type="application/json", headers={"Vary": "Accept"})


def _page(desk: Desk, request: Request, view: View | None, record: object, status: int = 200) -> Response:
    kind, title = (view.kind, view.title) if view else ("missing", "Nothing here")
    address = request.url.path
    page = {"live": True, "kind": kind, "address": address, "token": desk.page_token, "data": record}
    html = render(
        page, navigation(), title=title, name=desk.subject.name, home="/flow", kind=kind, twin=address + ".json"
    )
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
        if wants_json(request) or request.method not in {"GET", "HEAD"}:
            return _json(record, error.status_code)
        return _page(desk, request, None, record, error.status_code)

    return refused
