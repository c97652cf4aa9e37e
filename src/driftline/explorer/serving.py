"""Taking an address and serving at it, until Ctrl-C."""

import errno
import secrets
import socket
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import uvicorn

from driftline.errors import InputError
from driftline.explorer.desk import Desk
from driftline.explorer.guard import is_loopback
from driftline.explorer.server import make_app


@dataclass(frozen=True)
class Place:
    """An address that is taken and listened at."""

    socket: socket.socket
    host: str
    port: int
    token: str | None
    """What pages ask for where others can reach them, or where that was wanted."""

    @property
    def address(self) -> str:
        """What to open in a browser."""
        unspecific = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (where a browser here finds it)
        name = unspecific.get(self.host, self.host)
        name = f"[{name}]" if ":" in name else name
        return f"http://{name}:{self.port}/" + (f"?token={self.token}" if self.token else "")


@contextmanager
def listen(host: str, port: int, *, always_token: bool = False) -> Iterator[Place]:
    """Take an address, or say in a sentence why it cannot be had; one that others can reach gets a token."""
    if port > 65535:
        raise InputError(f"port: expected a number from 0 to 65535, got {port}")
    listening = _listening(host, port)
    try:
        token = secrets.token_urlsafe(18) if always_token or not is_loopback(host) else None
        yield Place(listening, host, listening.getsockname()[1], token)
    finally:
        listening.close()


def _listening(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
    except (socket.gaierror, UnicodeError):
        raise InputError(f"host: {host!r} is no address of this machine") from None
    try:
        # A port that was just left is free again; one that is in use stays refused.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                f"port {port} is in use on {host}: name another one (--port), or 0 for any free one"
            ) from None
        raise InputError(f"host: cannot serve at {host}, port {port} ({error.strerror})") from None
    return listening


def serve(desk: Desk, place: Place, *, open_browser: bool) -> None:
    """Serve what is on a desk until Ctrl-C."""
    app = make_app(desk, host=place.host, token=place.token)
    config = uvicorn.Config(app, log_level="warning", ws="none", server_header=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    if (documents := desk.subject.documents) is not None:
        # By the time somebody asks for a page that needs the tags, they are mostly there.
        threading.Thread(target=documents.tagged, daemon=True).start()
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(place.address,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        server.run(sockets=[place.socket])
