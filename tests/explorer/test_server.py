"""The server: pages and their JSON twins, what pages may ask for, and what is refused."""

import json
import re
import threading
import time
from dataclasses import replace

import pytest

import driftline
from asking import LOCAL, Client
from driftline.explorer.desk import Desk
from driftline.explorer.rendering import to_json
from driftline.explorer.server import make_app
from driftline.explorer.site import VIEWS
from driftline.explorer.subject import Documents, Subject
from driftline.model.fitting import fit
from driftline.tasks.checking import check
from driftline.text.corpus import Corpus
from driftline.text.spacy_masking import SpacyMasker

ADDRESSES = ["/flow", "/topics/0", "/ribbons", "/documents/3", "/try", "/replay"]
HOSTILE = [
    "<script>alert(1)</script> shook the town.",
    "</script><script>alert(2)</script> fell down.",
    "<!-- a comment --> <img src=x onerror=alert(3)> was hurt.",
    'Line\u2028separator and "quotes" & \u202ereversed\u202c text.',
]


def embedded(page):
    """The record that a page holds."""
    found = re.search(r'<script type="application/json" id="page">(.*?)</script>', page.text, re.DOTALL)
    return json.loads(found[1])


# Pages and their twins


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_has_its_twin(client, subject, address):
    """The same record is at the address with .json, at the address itself for who accepts JSON, and in the page."""
    subject.documents.tagged()
    twin = client.get(address + ".json")
    accepted = client.get(address, headers={"Accept": "application/json"})
    page = client.get(address, headers={"Accept": "text/html,application/xhtml+xml,*/*"})

    assert twin.headers["content-type"] == "application/json"
    assert twin.json() == accepted.json()
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    # What takes long is asked for by the page when it is there.
    assert embedded(page)["data"] == (None if address in {"/replay", "/ribbons"} else twin.json())


def test_twins_are_the_views(client, subject):
    """A twin is the record of a view, nothing more."""
    for view, address in zip(VIEWS, ADDRESSES, strict=True):
        number = int(re.search(r"\d+|$", address)[0] or 0)
        assert client.get(address + ".json").content == to_json(view.make(subject, number))


def test_the_front_door(client):
    """The address alone leads to the flow."""
    answer = client.get("/")

    assert (answer.status_code, answer.headers["location"]) == (303, "/flow")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/topics/4000", "there is no topic 4000"),
        ("/documents/100", "there is no document 100"),
        ("/topics/none", "Not Found"),
        ("/static/none.js", "there is no file"),
        ("/nowhere", "Not Found"),
    ],
)
def test_nothing_there(client, address, said):
    """What is not there is said on a page, and as JSON to who asks for that."""
    page = client.get(address)
    twin = client.get(address, headers={"Accept": "application/json"})

    assert page.status_code == twin.status_code == 404
    assert said in embedded(page)["data"]["error"]
    assert said in twin.json()["error"]


def test_without_documents(bare):
    """A model alone has its flow, topics and texts to try; pages about documents say what to do."""
    client = Client(make_app(Desk(bare)))

    assert [client.get(address).status_code for address in ADDRESSES] == [200, 200, 404, 404, 200, 200]
    assert "driftline explore MODEL CORPUS" in client.get("/ribbons.json").json()["error"]
    assert "driftline explore MODEL CORPUS" in client.get("/replay.json").json()["told"]
    assert len(client.get("/try.json").json()["sample"]) >= 5


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/static/%2e%2e/server.py",
        "/static//etc/passwd",
        "/static/shell.html",
    ],
)
def test_no_other_file_can_be_had(client, path):
    """Nothing but the style sheets and scripts of the pages is served."""
    answer = client.get(path)

    assert answer.status_code == 404
    assert b"import" not in answer.content


# What costs much


def test_training_is_taken_once(desk, subject, monkeypatch):
    """The replay and the ribbons are computed at the first request alone; their topics are called as they are now."""
    documents = Documents(subject.model, subject.documents.corpus)
    desk.subject = replace(subject, documents=documents)
    client = Client(make_app(desk))
    first = {address: client.get(address).json() for address in ("/replay.json", "/ribbons.json")}
    monkeypatch.setattr("driftline.explorer.views.replay.start", None)
    monkeypatch.setattr("driftline.explorer.views.ribbons.likeness_order", None)
    desk.rename(0, "the news")

    for address, before in first.items():
        after = client.get(address).json()
        assert after.pop("names")[0]["label"] == "the news"
        assert before.pop("names")[0]["label"] != "the news"
        assert after == before


@pytest.mark.parametrize(("slow", "most"), [(True, 1), (False, 2)])
def test_views_wait_for_their_turn(desk, monkeypatch, slow, most):
    """However many ask at once, two views are made at a time, and of the slow ones one."""
    running, seen, lock = [], [], threading.Lock()

    def make(_, number):
        with lock:
            running.append(number)
            seen.append(len(running))
        time.sleep(0.02)
        with lock:
            running.remove(number)

    view = replace(VIEWS[1], make=make, check=lambda *_: None, is_slow=lambda _: slow)
    monkeypatch.setattr("driftline.explorer.server.VIEWS", [view])
    client = Client(make_app(desk))

    assert client.get_together(f"/topics/{i}.json" for i in range(6)) == [200] * 6
    assert max(seen) == most
    assert len(seen) == 6


def test_a_view_that_cannot_be_made(desk, subject):
    """Where the model needs a language pipeline that is not here, a page and its twin say so."""
    model = replace(subject.model, masker=SpacyMasker("no_such_pipeline"))
    desk.subject = Subject(model, "m")
    client = Client(make_app(desk))

    twin, page = client.get("/topics/0.json"), client.get("/topics/0")

    assert twin.status_code == page.status_code == 503
    assert "masking 'spacy:no_such_pipeline'" in twin.json()["error"]
    assert embedded(page)["data"] == twin.json()


# Hostile text


def test_text_never_becomes_markup():
    """Documents that hold markup and script come through as text: no tag of theirs stands in any page."""
    corpus = Corpus.from_sentences([HOSTILE, HOSTILE[::-1]] * 12, ids=[f"<b>{i}</b>" for i in range(24)])
    model = fit(corpus)
    desk = Desk(Subject(model, "<i>name</i>", Documents(model, corpus)))
    desk.subject.documents.tagged()
    client = Client(make_app(desk))

    for address in ["/flow", "/topics/0", "/ribbons", "/documents/0", "/try"]:
        page = client.get(address)
        assert page.text.count("<script") == page.text.count("</script>") == 2
        for markup in ("<img", "<b>", "<i>", "<!--", "\u2028"):
            assert markup not in page.text
        assert embedded(page)["data"] == (None if address == "/ribbons" else client.get(address + ".json").json())
    row = client.get("/documents/0.json").json()["sentences"][0]
    assert "".join(piece for piece, _ in row["pieces"]) == HOSTILE[0]


def test_half_characters():
    """A text with half a surrogate pair, which no JSON can hold, is shown with a mark in its place."""
    corpus = Corpus.from_sentences([["A quake \ud800 hit.", "No one died."]] * 20)
    model = fit(corpus)
    client = Client(make_app(Desk(Subject(model, "m", Documents(model, corpus)))))

    assert "A quake ? hit." in "".join(p for p, _ in client.get("/documents/0.json").json()["sentences"][0]["pieces"])


# What pages may ask for


def test_reading_a_text(send, subject):
    """A text is cut into sentences, each with the topic that `tag` gives it."""
    text = "A strong quake shook the coast on Monday. At least 20 people were killed. Rescuers dug all night."

    read = send("/try/tag", {"text": text}).json()

    assert read["sentences"] == [s + "." for s in text.rstrip(".").split(". ")]
    tags = driftline.tag(subject.model, read["sentences"])
    assert tuple(row["state"] for row in read["rows"]) == tags.states
    assert read["log_probability"] == tags.log_probability
    assert ["".join(piece for piece, _ in row["pieces"]) for row in read["rows"]] == read["sentences"]


def test_an_order_is_scored_and_ranked(send, subject, quakes):
    """The figures for an order are those of `score_orders` and `rank`."""
    document = next(d for d in quakes if len(d) == 6)
    places = [5, 0, 1, 2, 4, 3]

    scored = send("/try/score", {"sentences": document.sentences, "order": places}).json()

    found = driftline.rank(subject.model, document, order=places)
    assert scored["log_probability"] == driftline.score_orders(subject.model, document, [places])[0]
    assert scored["exact"]
    assert scored["better_share"] == pytest.approx(found.better / 720, rel=1e-12)
    assert scored["rank"].startswith(f"{found.better} of 720 orders are better")


def test_sentences_are_put_in_order(send, subject, quakes):
    """The order, its proof and its reasons are those of `order` and `explain_order`."""
    document = next(d for d in quakes if len(d) == 7)
    best = driftline.order(subject.model, document)

    answer = send("/try/order", {"sentences": document.sentences}).json()

    assert answer["ordering"]["order"] == list(best.order)
    assert answer["ordering"]["proved"]
    assert answer["n_orders"] == "5,040"
    explained = driftline.explain_order(subject.model, document, best)
    assert [step["swap_cost"] for step in answer["explanation"]["steps"]] == [s.swap_cost for s in explained.steps]


def test_a_check(send, subject, quakes):
    """The findings are those of `check`; a text of another kind is told."""
    sentences = quakes[0].sentences[::-1]

    answer = send("/try/check", {"sentences": sentences}).json()

    found = check(subject.model, list(sentences))
    assert answer["verdict"] == found.verdict
    assert [one["sentence"] for one in answer["suspects"]] == [one.sentence for one in found.suspects]
    other = driftline.sample_corpus("drugs")[0].sentences
    assert send("/try/check", {"sentences": other}).json()["domain"]["foreign"]


def test_a_summary(send, subject, quakes):
    """The summary is that of `summarize`."""
    document = next(d for d in quakes if len(d) == 7)

    summary = send("/try/summarize", {"sentences": document.sentences, "length": 3}).json()

    assert summary["indices"] == list(driftline.summarize(subject.model, document, 3).indices)
    assert summary["method"] == "centrality"


def test_a_model_of_words(words_model):
    """For a model that was trained on words, sentences are cut at blanks."""
    desk = Desk(Subject(words_model, "words"))
    client = Client(make_app(desk))
    given = {"X-Driftline-Token": desk.page_token, "Origin": LOCAL}

    read = client.post("/try/tag", json={"sentences": ["a quake hit izmit", "no one died"]}, headers=given).json()

    assert [row["state"] for row in read["rows"]] == list(
        driftline.tag(words_model, [["a", "quake", "hit", "izmit"], ["no", "one", "died"]]).states
    )
    assert client.get("/try.json").json()["takes_words"]


@pytest.mark.parametrize(
    ("address", "record", "said"),
    [
        ("/try/tag", {"text": ""}, "holds no sentence"),
        ("/try/tag", {"text": 7}, "Expected `str`"),
        ("/try/tag", {"texts": "unknown field"}, "unknown field"),
        ("/try/tag", {"sentences": ["It shook."] * 201}, "1 to 200"),
        ("/try/score", {"sentences": ["a", "b"], "order": [0, 0]}, "each of the places 0 to 1 once"),
        ("/try/score", {"sentences": ["a", "b"], "order": [0, "1"]}, "Expected `int`"),
        ("/try/order", {"sentences": []}, "length >= 1"),
        ("/try/summarize", {"sentences": ["a"], "length": 0}, "int` >= 1"),
        ("/topics/0/label", {"label": "x" * 81}, "at most 80 characters"),
        ("/topics/9999/label", {"label": "x"}, "expected a number from 0 to"),
    ],
)
def test_refused_requests(send, address, record, said):
    """What cannot be done is refused with a sentence that says what was expected."""
    answer = send(address, record)

    assert answer.status_code == 400
    assert said in answer.json()["error"]


def test_requests_that_are_no_json(client, desk):
    """What is no JSON is refused, whatever it claims to be."""
    given = {"X-Driftline-Token": desk.page_token, "Origin": LOCAL}

    form = client.post("/try/tag", data={"text": "A quake."}, headers=given)
    broken = client.post("/try/tag", content=b"{", headers=given | {"Content-Type": "application/json"})
    deep = client.post("/try/tag", content=b"[" * 100_000, headers=given | {"Content-Type": "application/json"})

    assert (form.status_code, broken.status_code, deep.status_code) == (415, 400, 400)
