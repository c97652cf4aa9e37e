"""The report: every page in one file that asks for nothing."""

import base64
import hashlib
import json
import re

import pytest

from driftline.explorer.rendering import page_files
from driftline.explorer.report import bundled_script, make_report
from driftline.explorer.subject import Documents, Subject
from driftline.model.fitting import fit
from driftline.text.corpus import Corpus


@pytest.fixture(scope="module")
def text(subject):
    """A report of the bundled documents, twelve of them in full."""
    return make_report(subject, n_documents=12)


def record_of(text):
    found = re.search(r'<script type="application/json" id="page">(.*?)</script>', text, re.DOTALL)
    return json.loads(found[1])


def test_all_pages_are_in_it(text, subject):
    """Each topic, the documents asked for, and one page of each other kind."""
    pages = record_of(text)["pages"]

    kinds = [page["kind"] for page in pages.values()]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "flow": 1, "topic": subject.model.n_states, "ribbons": 1, "document": 12, "try": 1, "replay": 1,
    }  # fmt: skip
    assert pages["/documents/3"]["data"]["id"] == subject.documents.corpus[3].id
    assert pages["/topics/0"]["data"]["label"] == subject.topics[0].label
    assert len(pages["/try"]["data"]["example"]["summaries"]) == len(pages["/try"]["data"]["sample"])


def test_without_documents(bare):
    """A model alone has no page about documents, and no link to one."""
    text = make_report(bare, n_documents=12)

    assert {page["kind"] for page in record_of(text)["pages"].values()} == {"flow", "topic", "try", "replay"}
    assert "#/ribbons" not in text


def test_nothing_is_loaded(text):
    """No address of another file is in it: no link, import, script or image but those inside."""
    assert re.findall(r"(?:src|href)=\"(?!#|data:)[^\"]*", text) == []
    assert "import {" not in text
    assert "url(" not in text
    assert "@import" not in text


def test_its_policy_allows_what_is_in_it(text):
    """The style sheet and the script are allowed by their hashes; nothing else is."""
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    script = re.search(r'<script type="module">(.*?)</script>', text, re.DOTALL)[1]

    def digest(part):
        return base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()

    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{digest(script)}'" in policy
    assert f"style-src 'sha256-{digest(style)}'" in policy
    assert "unsafe" not in policy


def test_every_script_is_in_the_bundle():
    """Each script of the pages is there once, after those it needs, and imports nothing any more."""
    script = bundled_script()
    places = {name: script.index(f'modules["{name}"] = ') for name in page_files() if name.endswith(".js")}

    for user, needed in re.findall(r'modules\["([\w.]+)"\] = |= modules\["([\w.]+)"\];', script):
        assert places[user or needed] >= 0
    assert max(places, key=places.get) == "app.js"
    assert script.count("] = (() => {") == len(places)
    assert "</script" not in script
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)


def test_hostile_documents():
    """Markup in documents, ids and names stays text."""
    hostile = ["</script><script>alert(1)</script> shook.", "<!-- <img src=x onerror=alert(2)>\u2028 fell."]
    corpus = Corpus.from_sentences([hostile] * 20, ids=[f"<b>{i}" for i in range(20)])
    model = fit(corpus)
    text = make_report(Subject(model, "</title><script>", Documents(model, corpus)), n_documents=20)

    assert text.count("<script") == text.count("</script>") == 2
    assert "<img" not in text
    assert "<b>" not in text
    assert "<!--" not in text


def test_the_same_bytes(bare):
    """The same model gives the same report."""
    assert make_report(bare, n_documents=0) == make_report(bare, n_documents=0)
