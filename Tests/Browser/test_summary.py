"""What a screen reader hears of the pit as a whole: what matters, and not more."""

import re

import pytest
from aiming import start, take_first
from play import is_held_by

# Notes when the sentence changed, and to what.
NOTE = """() => {
  const region = document.getElementById("summary");
  window.summaries = [{ at: performance.now(), words: region.textContent }];
  const note = () => window.summaries.push({ at: performance.now(), words: region.textContent });
  new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
}"""


def listen(page):
    page.page.locator("#summary", has_text=re.compile(r".")).wait_for(state="attached")
    assert page.page.locator("#summary").get_attribute("role") == "status"
    page.page.evaluate(NOTE)


def test_stickers_people_and_hands_are_told_and_only_when_they_change(server, new_page):
    page = new_page().join(server.url)
    listen(page)
    assert page.get("window.summaries[0].words") == "40 stickers, 1 person"
    other = new_page().join(server.url)
    page.wait("() => window.summaries.at(-1).words === '40 stickers, 2 people'")
    start(other)
    slot = take_first(other)
    is_held_by(page, slot, other.get("pit.id"))
    name = other.get("pit.name")
    page.wait(
        "(pit, words) => new RegExp(words).test(window.summaries.at(-1).words)",
        f"^40 stickers, 2 people, {name} holds the [a-z]+$",
    )
    # Stickers that roll, and one more of them, are no news.
    said = page.get("window.summaries.length")
    page.page.keyboard.press("Space")
    page.wait("pit => pit.count === 41")
    page.page.keyboard.down("ArrowLeft")
    page.wait("(pit, tick) => pit.tick > tick + 900", page.get("pit.tick"))
    page.page.keyboard.up("ArrowLeft")
    summaries = page.get("window.summaries")
    assert len(summaries) == said, summaries
    pauses = [b["at"] - a["at"] for a, b in zip(summaries, summaries[1:], strict=False)]
    assert all(pause > 9_000 for pause in pauses[1:]), summaries


@pytest.mark.parametrize(("wanted", "words"), [("en", "you hold the"), ("zh", "1 个人，你拿着")])
def test_what_oneself_holds_is_told_in_the_language_of_the_page(server, new_page, wanted, words):
    page = new_page().join(f"{server.url}?lang={wanted}")
    start(page)
    take_first(page)
    page.page.locator("#summary", has_text=words).wait_for(state="attached")
