"""Try it, in a browser: a text is read, shuffled, put in order, dragged by hand and shortened."""

import json
import time

import driftline
from driftline.tasks.checking import check

TEXT = (
    "A strong earthquake shook southern Peru on Monday, killing at least 20 people. "
    "The quake measured 6.5 on the Richter scale. Buildings collapsed in Arequipa. "
    "Rescuers dug for survivors all night. In 1970 a quake killed 70,000 people in the country."
)


def order_of(page):
    return [
        int(item) for item in page.locator(".arrangement li").evaluate_all("items => items.map(i => i.dataset.item)")
    ]


def shown_log_probability(page):
    return float(page.locator("#log-probability").inner_text().replace("−", "-"))


def until(holds, seconds=8.0):
    """Wait for something that the page's own policy lets nobody ask of it in one call."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def read(page, text=TEXT):
    page.locator("#text").fill(text)
    page.locator("#read").click()
    page.locator("#rank").wait_for()


def wait_for_score(page, subject, sentences):
    """Wait until the page shows what this order is worth, and say so."""
    order = order_of(page)
    worth = float(driftline.score_orders(subject.model, sentences, [order])[0])
    shown = f"{worth:.2f}".replace("-", "−")
    page.locator("#log-probability", has_text=shown).wait_for()
    return worth


def test_a_text_is_read(opened, subject):
    """A pasted text shows each of its sentences with the topic that `tag` gives it."""
    page = opened("/try")
    read(page)

    texts = page.locator(".sentences .sentence").all_inner_texts()
    assert len(texts) == 5
    numbers = page.locator(".sentences .side > .chip .chip-number").all_inner_texts()
    states = driftline.tag(subject.model, texts).states
    assert numbers == ["etc" if s == subject.model.insertion_state else str(s) for s in states]


def test_shuffled_and_put_in_order(opened, subject):
    """The search finds the best order whatever the shuffle, proves it, and says what each step is worth."""
    page = opened("/try")
    read(page)
    sentences = page.locator(".sentences .sentence").all_inner_texts()
    best = driftline.order(subject.model, sentences)

    page.locator("#shuffle").click()
    assert sorted(order_of(page)) == [0, 1, 2, 3, 4]
    assert order_of(page) != [0, 1, 2, 3, 4]
    page.locator("#order").click()
    page.get_by_text("Proved:").wait_for()

    assert tuple(order_of(page)) == best.order
    page.locator("#rank", has_text="the best of all 120 orders").wait_for()
    assert abs(shown_log_probability(page) - best.log_probability) < 0.006
    assert page.locator(".reason").count() == 5


def test_dragged_by_hand(opened, subject):
    """A sentence follows the mouse to its new place, and the figures follow the order."""
    page = opened("/try")
    read(page)
    sentences = page.locator(".sentences .sentence").all_inner_texts()
    before = wait_for_score(page, subject, sentences)

    handle = page.locator(".arrangement .handle").first
    handle.scroll_into_view_if_needed()
    start = handle.bounding_box()
    target = page.locator(".arrangement li").nth(2).bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(start["x"] + 5, target["y"] + target["height"] - 2, steps=6)
    page.mouse.up()

    assert order_of(page) == [1, 2, 0, 3, 4]
    assert wait_for_score(page, subject, sentences) != before
    rank = driftline.rank(subject.model, sentences, order=[1, 2, 0, 3, 4])
    page.locator(
        "#rank", has_text=f"{rank.better} of 120 orders are better" if rank.better else "the best"
    ).wait_for()


def test_moved_by_keyboard(opened, subject):
    """A handle takes arrow keys, stays focused, and the new place is announced."""
    page = opened("/try")
    read(page)
    page.locator(".arrangement .handle").nth(3).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")

    assert order_of(page) == [3, 0, 1, 2, 4]
    assert page.locator(".arrangement li").first.locator(".handle").evaluate("e => e === document.activeElement")
    assert page.locator("[aria-live=assertive]").inner_text() == "now at place 1 of 5"
    wait_for_score(page, subject, page.locator(".sentences .sentence").all_inner_texts())


def test_checked(opened, subject):
    """What an editor would say is what `check` finds; a text of another kind is told so."""
    page = opened("/try")
    read(page)
    sentences = page.locator(".sentences .sentence").all_inner_texts()
    found = check(subject.model, sentences)
    told = page.locator("#check")
    told.locator("p:not(.loading)").first.wait_for()
    if not found.domain.foreign:
        assert found.verdict[1:] in told.inner_text()
        assert told.locator(".findings li").count() == found.n_findings

    read(page, " ".join(driftline.sample_corpus("drugs")[0].sentences))
    told.get_by_text("does not read like a document of this domain").wait_for()


def test_shortened(opened, subject):
    """The slider decides how many sentences stay; they are those of `summarize`."""
    page = opened("/try")
    read(page)
    sentences = page.locator(".sentences .sentence").all_inner_texts()

    for length in (1, 4):
        page.locator("#length").fill(str(length))
        kept = page.locator("#summary .kept .sentence")
        until(lambda kept=kept, length=length: kept.count() == length)
        assert tuple(kept.all_inner_texts()) == driftline.summarize(subject.model, sentences, length).sentences


def test_hostile_texts(opened):
    """Markup and script in a text are shown as they are written and do nothing."""
    page = opened("/try")
    hostile = ["<script>window.broken = 1</script> shook.", '<img src=x onerror="window.broken = 1"> fell.']
    read(page, "\n\n".join(hostile))

    assert page.locator(".sentences .sentence").all_inner_texts() == hostile
    assert page.evaluate("window.broken") is None
    assert page.locator("main img, main script").count() == 0


def test_an_example_and_a_document(opened, subject):
    """Somebody without a text takes an example, or comes with a document from its page."""
    page = opened("/try")
    page.locator("#sample").click()
    page.locator("#rank").wait_for()
    assert page.locator(".arrangement li").count() == len(
        json.loads(page.locator("#page").inner_text())["data"]["sample"]
    )

    page = opened("/try?document=8")
    page.locator("#rank").wait_for()
    assert page.locator(".sentences .sentence").all_inner_texts() == list(subject.documents.corpus[8].sentences)


def test_what_cannot_be_read_is_said(opened):
    """An empty text is answered with a sentence; the page goes on."""
    page = opened("/try")
    page.locator("#text").fill("   ")
    page.locator("#read").click()
    page.locator("#said", has_text="There is no text yet.").wait_for()

    read(page)
    assert page.locator(".sentences .sentence").count() == 5
