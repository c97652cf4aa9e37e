"""Topics, documents and ribbons in a browser: opened, clicked and read back."""

import pytest

import driftline
from driftline.explorer.report import make_report

PAGES = ["/flow", "/topics/0", "/ribbons", "/documents/3", "/try", "/replay"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_narrow_windows(opened, path, scheme):
    """400 px wide nothing sticks out, and text stands out from its background by 4.5 to 1, in both schemes."""
    page = opened(path, width=400, scheme=scheme)

    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.evaluate(CONTRAST) == []
    assert page.locator("h1").count() == 1
    tallest = "Math.max(0, ...[...document.querySelectorAll('td')].map((cell) => cell.clientHeight))"
    assert page.evaluate(tallest) < 180
    assert "null" not in page.locator("main").inner_text()


# What is too faint: the text of each element against the nearest background that is not transparent.
CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
    const v = c[i] / 255;
    return sum + weight * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return rgb("white");
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *:not(svg *, script, option, .insertion)")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.disabled) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faint.push(`${element.tagName}.${element.className} ${ratio}: ${element.textContent}`);
  }
  return faint.slice(0, 5);
}"""


def test_a_scheme_can_be_chosen(opened):
    """The button goes through the schemes; the choice holds on the next page."""
    page = opened("/flow")
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.locator("#scheme").click()
    page.locator("#scheme").click()

    assert page.locator("#scheme").inner_text() == "Colours: dark"
    dark = page.evaluate(background)
    assert dark != light
    page.locator("nav a", has_text="Ribbons").click()
    page.wait_for_selector("html[data-drawn=ribbons]")
    assert page.evaluate(background) == dark


# A topic


def test_a_topic(opened, subject):
    """The page names the topic, marks words in its sentences, and leads to its neighbours and documents."""
    page = opened("/topics/0")
    text = page.locator("main").inner_text()

    assert f"{subject.topics[0].n_sentences} in training" in text
    assert page.locator(".quotes li").count() == 12
    assert page.locator(".quotes mark").count() > 12
    assert page.locator(".bigrams tbody tr").count() == len(subject.topics[0].bigrams)
    page.locator(".pager a", has_text="later").click()
    page.wait_for_selector("html[data-drawn=topic]")
    place = subject.reading_order.index(0)
    assert page.url.endswith(f"/topics/{subject.reading_order[place + 1]}")


def test_everything_else(opened, subject):
    """The insertion state has the same page, which says what is in it and why."""
    page = opened(f"/topics/{subject.model.insertion_state}")

    assert "It began as" in page.locator(".notice").inner_text()
    assert page.locator("h1").inner_text().replace("\n", " ").split() == ["etc", "everything", "else"]


def test_a_topic_is_renamed(opened, desk):
    """A label that is typed in is on the page, in the file, and can be taken back."""
    page = opened("/topics/4")
    learned = page.locator("#topic-label").inner_text()

    page.get_by_role("button", name="Rename").click()
    page.locator("#label-input").fill("<b>What</b> happened")
    page.keyboard.press("Enter")
    page.get_by_text("Learned label:").wait_for()
    assert page.locator("#topic-label").inner_text() == "<b>What</b> happened"
    assert driftline.topics(driftline.load(desk.path))[4].label == "<b>What</b> happened"

    page.get_by_role("button", name="Take back").click()
    page.get_by_text("Learned label:").wait_for(state="detached")
    page.wait_for_selector("html[data-drawn=topic]")
    assert page.locator("#topic-label").inner_text() == learned


# Documents and ribbons


def test_a_document(opened, subject):
    """Each sentence is there in full with its topic and how sure the model is; what departs is said in words."""
    document = subject.documents.corpus[8]
    page = opened("/documents/8")

    texts = page.locator(".sentences .sentence").all_inner_texts()
    assert texts == list(document.sentences)
    numbers = page.locator(".sentences .side > .chip .chip-number").all_inner_texts()
    states = driftline.tag(subject.model, document).states
    assert numbers == [str(state) for state in states]
    n_odd = page.locator(".departures li").count()
    lead = page.locator(".lead").inner_text()
    assert (f"in {n_odd} place" in lead) if n_odd else ("nowhere departs" in lead)


def test_ribbons(opened, subject):
    """Hovering over a cell shows its sentence, a click opens its document; orders and highlights can be chosen."""
    page = opened("/ribbons")
    canvas = page.locator("#ribbons")
    page.locator("#sort").select_option("by_length")
    longest = max(subject.documents.corpus, key=len)

    canvas.hover(position={"x": 16, "y": 16})
    page.locator("#readout .sentence", has_text=longest.sentences[0]).wait_for()
    assert f"sentence 1 of {len(longest)}" in page.locator("#readout").inner_text()
    page.locator("#highlight").select_option("0")
    page.locator("#stretch").check()
    canvas.click(position={"x": 16, "y": 16})
    page.wait_for_selector("html[data-drawn=document]")
    assert page.locator("h1").inner_text() == longest.id


def test_ribbons_by_keyboard(opened, subject):
    """Arrow keys go from document to document and from sentence to sentence; Enter opens one."""
    page = opened("/ribbons")
    page.locator("#sort").select_option("by_oddness")
    page.locator("#ribbons").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert "sentence 2 of" in page.locator("#readout").inner_text()
    shown = page.locator("#readout a").first.inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-drawn=document]")

    assert page.locator("h1").inner_text() == shown


# Training


def test_the_replay(opened, subject):
    """The slider goes through the iterations; each tells how many sentences moved, as the model's record does."""
    page = opened("/replay")
    moved = subject.model.record.moved

    page.locator("#iteration").fill("1")
    assert f"Iteration 1: {moved[0]} sentence" in page.locator("#moves").inner_text()
    assert page.locator(".band:not(.faded)").count() > 0
    page.locator("#iteration").fill(str(len(moved)))
    assert "the topics have settled" in page.locator("#moves").inner_text()
    page.locator("#play").click()
    assert "The first clusters" in page.locator("#moves").inner_text()


# The report


def test_a_report_opens_offline(opened, subject, tmp_path):
    """Opened from a disk, the one file goes from page to page, draws each of them, and asks for nothing."""
    path = tmp_path / "report.html"
    path.write_text(make_report(subject, n_documents=5), "utf-8")
    page = opened(f"file://{path}")

    assert page.locator(".graph .node").count() > 0
    for kind, title in [("ribbons", "Ribbons"), ("try", "Try it"), ("replay", "Training")]:
        page.locator("nav a", has_text=title).click()
        page.wait_for_selector(f"html[data-drawn={kind}]")
        assert page.locator("nav a[aria-current]").inner_text() == title
    page.goto(f"file://{path}#/ribbons")
    page.wait_for_selector("html[data-drawn=ribbons]")
    page.locator("#sort").select_option("by_length")
    page.goto(f"file://{path}#/documents/3")
    page.wait_for_selector("html[data-drawn=document]")
    assert page.locator("h1").inner_text() == subject.documents.corpus[3].id
    page.locator(".sentences a.chip").first.click()
    page.wait_for_selector("html[data-drawn=topic]")
    page.goto(f"file://{path}#/documents/77")
    page.wait_for_selector("html[data-drawn=missing]")


def test_the_summary_of_a_report(opened, subject, tmp_path):
    """The example of a report has its summary at every length, and its order with the proof."""
    path = tmp_path / "report.html"
    path.write_text(make_report(subject, n_documents=0), "utf-8")
    page = opened(f"file://{path}#/try", width=400, scheme="dark")

    assert page.get_by_text("Proved:").count() == 1
    for length in (2, 5):
        page.locator("#length").fill(str(length))
        assert page.locator("#summary .kept").count() == length
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
