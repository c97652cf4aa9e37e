"""A real browser on real pages: one server and one browser for all tests, and an eye on what pages ask for."""

import os
import shutil
import threading
import time
from urllib.parse import urlsplit

import pytest
import uvicorn

from driftline.explorer.desk import Desk
from driftline.explorer.server import make_app
from driftline.explorer.serving import listen
from driftline.explorer.subject import Documents, Subject
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
).split()


@pytest.fixture(scope="session")
def browser():
    """Chromium without a window."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (apt-get install chromium), so no page was opened")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def desk(tmp_path_factory):
    """A model of bundled documents in a file, with the documents it was learned from."""
    corpus = sample_corpus("earthquakes")
    model = fit(corpus)
    path = tmp_path_factory.mktemp("explored") / "quakes.driftline"
    model.save(path)
    return Desk(Subject(model, path.name, Documents(model, corpus)), path)


@pytest.fixture(scope="session")
def subject(desk):
    """What the pages show."""
    return desk.subject


@pytest.fixture(scope="session")
def served():
    """A function that serves what is on a desk and returns its address."""
    running = []

    def serve(desk):
        place_context = listen("127.0.0.1", 0)
        place = place_context.__enter__()
        server = uvicorn.Server(uvicorn.Config(make_app(desk), log_level="warning", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place.socket]}, daemon=True)
        thread.start()
        running.append((server, thread, place_context))
        while not server.started:
            time.sleep(0.01)
        return place.address.rstrip("/")

    yield serve
    for server, thread, place_context in running:
        server.should_exit = True
        thread.join(timeout=5)
        place_context.__exit__(None, None, None)


@pytest.fixture(scope="session")
def address(served, desk):
    """Where the bundled documents are served."""
    return served(desk)


class Watch:
    """What a page asked for and what it complained about."""

    def __init__(self):
        self.complaints, self.strangers = [], []

    def on(self, page):
        page.on("console", lambda message: self._hear(message.type, message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._see(request.url))
        return page

    def _hear(self, kind, text):
        if kind in {"error", "warning"}:
            self.complaints.append(text)

    def _see(self, url):
        parts = urlsplit(url)
        if parts.scheme not in {"data", "blob", "file"} and parts.hostname != "127.0.0.1":
            self.strangers.append(url)


@pytest.fixture
def opened(browser, address):
    """A function that opens a page; afterwards nothing may have gone wrong in it or left the machine."""
    watch, contexts = Watch(), []

    def open_page(path, width=1280, scheme="light", base=address):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = watch.on(context.new_page())
        page.goto(path if "://" in path else base + path)
        page.wait_for_selector("html[data-drawn]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert watch.complaints == []
    assert watch.strangers == []
