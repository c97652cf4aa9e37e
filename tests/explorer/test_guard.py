"""What is refused before any page sees it, and what every answer carries."""

import pytest

from asking import LOCAL, Client
from driftline.explorer.guard import CONTENT_SECURITY_POLICY, MAX_BODY_BYTES
from driftline.explorer.server import make_app

TOKEN = "a-token-that-nobody-guesses"


@pytest.fixture
def outside(desk):
    """A browser of somebody else, on an address that others can reach."""
    return Client(make_app(desk, host="0.0.0.0", token=TOKEN), "http://192.0.2.7:8437")


@pytest.mark.parametrize("address", ["/flow", "/flow.json", "/static/app.js", "/nowhere", "/"])
def test_headers_of_every_answer(client, address):
    """Every answer forbids foreign scripts, frames, sniffing and referrers."""
    headers = client.get(address).headers

    assert headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8437", "192.0.2.1", "", "[", "127.0.0.1.example"])
def test_other_names_are_refused(client, host):
    """A request under a foreign name, as after a DNS rebinding, gets no page."""
    answer = client.get("/flow", headers={"Host": host})

    assert answer.status_code == 421
    assert "content-security-policy" in answer.headers


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:9999", "localhost:8437", "LOCALHOST", "[::1]:8437"])
def test_names_of_this_machine(client, host):
    """The names of the loopback address are served, on whatever port they are forwarded to."""
    assert client.get("/flow", headers={"Host": host}).status_code == 200


def test_only_our_pages_may_send(client, desk):
    """A page of another origin can send nothing, nor can one without the token of our pages."""
    record = {"text": "A quake hit."}
    ours = {"X-Driftline-Token": desk.page_token, "Origin": LOCAL}

    def status(headers):
        return client.post("/try/tag", json=record, headers=headers).status_code

    assert status(ours) == 200
    assert status(ours | {"Origin": "http://evil.example"}) == 403
    assert status(ours | {"Origin": "null"}) == 403
    assert status(ours | {"Origin": "http://127.0.0.1:1234"}) == 403
    assert status({"X-Driftline-Token": desk.page_token}) == 403
    assert status({"Origin": LOCAL}) == 403
    assert status(ours | {"X-Driftline-Token": "wrong"}) == 403


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "[]", ""])
def test_origins_that_are_none(client, origin):
    """What is no address of a page may send nothing, and breaks nothing."""
    assert client.post("/try/tag", json={}, headers={"Origin": origin}).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pages_of_others_load_nothing(client, site):
    """An image, a frame or a script of another page gets nothing; a link leads to a page, but to no JSON."""
    image = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    link = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}

    assert client.get("/replay.json", headers=image).status_code == 403
    assert client.get("/flow", headers=image).status_code == 403
    assert client.get("/flow", headers=link | {"Sec-Fetch-Dest": "iframe"}).status_code == 403
    assert client.get("/flow.json", headers=link).status_code == 403
    assert client.get("/flow", headers=link).status_code == 200
    assert client.get("/flow.json", headers=image | {"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_large_bodies_are_refused(client, desk):
    """A body past the limit is refused: by its length, or while it comes in if that was not told."""
    ours = {"X-Driftline-Token": desk.page_token, "Origin": LOCAL, "Content-Type": "application/json"}

    told = client.post("/try/tag", content=b"x" * (MAX_BODY_BYTES + 1), headers=ours)
    untold = client.post("/try/tag", content=_pieces(), headers=ours)
    odd = client.post("/try/tag", content=b"{}", headers=ours | {"Content-Length": "-5"})

    assert (told.status_code, untold.status_code, odd.status_code) == (413, 413, 413)
    assert "1,048,576 bytes" in told.text


async def _pieces():
    for _ in range(20):
        yield b"x" * 2**16


def test_a_token_for_others(outside):
    """On an address that others can reach nothing is served without the token; the address with it gives a cookie."""
    assert outside.get("/flow").status_code == 403
    assert outside.get("/static/app.js").status_code == 403
    assert outside.get("/flow?token=wrong").status_code == 403
    assert outside.get("/flow", headers={"Cookie": "driftline=wrong"}).status_code == 403
    assert outside.get("/flow", headers={"Cookie": b"driftline=\xe9;;=,"}).status_code == 403

    opened = outside.get(f"/try?document=2&token={TOKEN}")

    assert (opened.status_code, opened.headers["location"]) == (303, "/try?document=2")
    cookie = opened.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert outside.get("/flow").status_code == 200


@pytest.mark.parametrize("other", ['state={"a": [1, 2]}', "x=a b", "=", "päge=1", 'q="'])
def test_cookies_of_others(outside, other):
    """Whatever else was served at this host has left in the browser, our cookie is found."""
    both = {"Cookie": f"{other}; driftline={TOKEN}; b={{}}".encode()}

    assert outside.get("/flow", headers=both).status_code == 200


def test_a_name_in_capitals(desk):
    """A host is the same in capitals and without."""
    outside = Client(make_app(desk, host="MyBox.example", token=TOKEN), "http://mybox.example:8437")

    assert outside.get(f"/flow?token={TOKEN}").status_code == 303
    assert outside.get(f"/flow?token={TOKEN}", headers={"Host": "MYBOX.example"}).status_code == 303


def test_names_past_the_loopback_address(outside):
    """There too a foreign name is refused; an address by number is not."""
    assert outside.get(f"/flow?token={TOKEN}", headers={"Host": "evil.example"}).status_code == 421
    assert outside.get(f"/flow?token={TOKEN}", headers={"Host": "192.0.2.7"}).status_code == 303


def test_a_redirect_stays_here(outside):
    """No path makes the redirect with the cookie lead to another site."""
    location = outside.get(f"//evil.example/?token={TOKEN}").headers["location"]

    assert location.startswith("/")
    assert not location.startswith("//")
