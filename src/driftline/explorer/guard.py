"""What stands between the network and the pages: who may ask, under which name, how much, and what answers carry."""

import hmac
import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "driftline"
MAX_BODY_BYTES = 2**20
_TOO_LARGE = f"the request is larger than {MAX_BODY_BYTES:,} bytes"
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def is_loopback(host: str) -> bool:
    """Tell whether an address is only reachable from this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@dataclass(frozen=True)
class Guard:
    """Checks every request before a page sees it, and puts the security headers on every answer."""

    app: ASGIApp
    host: str
    """The address that is served."""
    token: str | None = None
    """What an address that others can reach asks for; None where nothing is asked for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = self._refusal(scope) or self.app
        await answer(scope, _Counted(receive).receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        # A page of another site that has pointed its own name at this address sends that name.
        if not self._serves(_host_name(headers.get("host", ""))):
            return _said(421, "this address is not served under that name")
        if self.token is not None and (answer := self._without_token(scope, headers)):
            return answer
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            return _said(413, _TOO_LARGE)
        if scope["method"] not in {"GET", "HEAD"} and _site(headers.get("origin", "")) != headers["host"]:
            return _said(403, "only pages of this address may send anything to it")
        if _is_embedded(scope, headers):
            return _said(403, "pages of another address may lead to this one, but may not load anything from it")
        return None

    def _serves(self, name: str) -> bool:
        if name in LOOPBACK_NAMES or name == self.host.lower():
            return True
        # Past the loopback address the token is what protects; a name can still not be that of another site.
        return not is_loopback(self.host) and (_is_address(name) or name == socket.gethostname().lower())

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that has not shown the token in its cookie, None to one that has."""
        assert self.token is not None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token", "")
        if given and hmac.compare_digest(given.encode(), self.token.encode()):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            answer = RedirectResponse("/" + scope["path"].lstrip("/") + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return answer
        if hmac.compare_digest(_cookie(headers).encode(), self.token.encode()):
            return None
        return _said(403, "open the address that `driftline explore` printed, with its token")


class _Counted:
    """Receives a body and stops it at the limit, whatever its length was said to be."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._n_bytes = receive, 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._n_bytes += len(message.get("body", b""))
        if self._n_bytes > MAX_BODY_BYTES:
            raise HTTPException(413, _TOO_LARGE)
        return message


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _host_name(value: str) -> str:
    """Return the name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{value}").hostname or "").lower()
    except ValueError:
        return ""


def _site(origin: str) -> str:
    """Return the name and port in an Origin header."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _is_embedded(scope: Scope, headers: Headers) -> bool:
    """Tell whether a page of somebody else asks, as for an image, and not a person who followed a link to a page."""
    if headers.get("sec-fetch-site") not in {"cross-site", "same-site"}:  # another port of this machine is same-site
        return False
    follows = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return not follows or scope["path"].endswith(".json")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookie(headers: Headers) -> str:
    # Browsers send all cookies of a host, of whatever else was served there: http.cookies drops all for one odd one.
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


def _said(status: int, sentence: str) -> Response:
    return PlainTextResponse(f"driftline: {sentence}\n", status)
