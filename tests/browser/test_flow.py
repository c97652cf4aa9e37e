"""The flow page in a browser: drawn, clicked and read back."""

import json

from driftline.explorer.rendering import to_json
from driftline.explorer.views.flow import flow


def test_every_topic_is_there(opened, subject):
    """The graph has a circle, and the table a row, for every topic that holds a sentence."""
    page = opened("/flow")

    held = [topic for topic in subject.topics if topic.n_sentences]
    assert page.locator(".graph .node").count() == len(held)
    assert page.locator("tbody tr").count() == subject.model.n_states
    assert page.locator("h1").inner_text() == "How 100 documents of one kind are put together"


def test_choosing_a_topic(opened, subject):
    """A click on a topic tells its neighbours, another one lets it go; a link leads to its own page."""
    page = opened("/flow")
    state = subject.reading_order[0]

    page.locator(f".node[data-state='{state}']").click()
    assert f"in {subject.topics[state].n_documents / 100:.0%}" in page.locator("#flow-panel").inner_text().lower()
    link = page.locator("#flow-panel a", has_text="More on this topic")
    assert link.get_attribute("href") == f"/topics/{state}"
    page.locator(f".node[data-state='{state}']").click()
    assert "How to read it" in page.locator("#flow-panel").inner_text()


def test_the_slider_fades_steps(opened):
    """To the right only the most probable steps stay, to the left all of them are there."""
    page = opened("/flow")
    faded = page.locator(".graph .step.faded")
    slider = page.locator("#flow-threshold")
    n_steps = page.locator(".graph .step").count()

    counts = []
    for value in ("0", "50", "100"):
        slider.fill(value)
        counts.append(faded.count())

    assert counts[0] == 0
    assert counts[0] < counts[1] < counts[2] < n_steps


def test_by_keyboard(opened):
    """Arrow keys go from topic to topic, Enter chooses one."""
    page = opened("/flow")
    page.locator(".graph .node").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")

    second = page.locator(".graph .node").nth(1)
    assert "chosen" in second.get_attribute("class")
    assert page.evaluate("document.activeElement.dataset.state") == second.get_attribute("data-state")


def test_the_twin(opened, subject, address):
    """The JSON at the same address holds what the page drew."""
    page = opened("/flow")

    twin = page.request.get(f"{address}/flow.json").json()
    accepted = page.request.get(f"{address}/flow", headers={"Accept": "application/json"}).json()
    assert twin == accepted == json.loads(to_json(flow(subject)))
