"""What does nothing says why, once and calmly."""

import pytest
from pitpage import INSECURE_HOST

DROP = 0x03
TOO_MANY, TOO_LONG, OFFLINE = "Not so fast", "too long to be heard", "Not connected"


def times(page, words):
    """How often the toast began to say it."""
    return page.page.evaluate(
        """words => window.passed.toasts
          .filter((one, at, all) => one.includes(words) && one !== all[at - 1]).length""",
        words,
    )


@pytest.fixture
def rain(start_pit, new_page):
    server = start_pit("--scene", "rain", "--seed", 1)
    page = new_page()
    page.page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait("pit => pit.connected && pit.scene === 'rain'")
    return page


def test_more_drops_than_the_pit_takes_are_answered_once(pit):
    pit.page.evaluate(
        """() => {
          for (let count = 0; count < 60; count += 1) {
            window.dispatchEvent(new KeyboardEvent("keydown", { code: "Space" }));
          }
        }"""
    )
    pit.said(TOO_MANY)
    pit.wait("pit => pit.count > 50 && pit.count < 80")
    assert times(pit, TOO_MANY) == 1


def test_a_space_bar_that_is_held_drops_one(pit):
    sent = pit.sent()
    # What a keyboard sends for a key that is down already repeats.
    for _ in range(12):
        pit.page.keyboard.down("Space")
    pit.page.keyboard.up("Space")
    pit.until(lambda: 0x05 in sent)
    assert sent.count(DROP) == 1
    pit.page.keyboard.press("Space")
    pit.until(lambda: sent.count(DROP) == 2)


def test_a_word_of_too_many_bytes_is_answered_and_stays_to_be_made_shorter(rain):
    # 40 letters fit into the field, and not their 120 bytes into a message.
    rain.page.locator("#words input").fill("雨" * 40)
    rain.page.keyboard.press("Enter")
    rain.said(TOO_LONG)
    assert rain.page.locator("#words input").input_value() == "雨" * 40


def test_words_in_too_quick_succession_are_answered(rain):
    chip = rain.page.locator(".chips button").first
    chip.wait_for()
    chip.evaluate("chip => { for (let count = 0; count < 6; count += 1) chip.click(); }")
    rain.said(TOO_MANY)


def test_a_tap_without_a_connection_is_answered_once(pit, server):
    server.stop()
    pit.wait("pit => !pit.connected")
    for _ in range(3):
        pit.page.keyboard.press("Space")
    pit.said(OFFLINE)
    assert times(pit, OFFLINE) == 1
    assert pit.get("pit.count") == 40


@pytest.mark.parametrize("handheld", [True, False], ids=["phone", "computer"])
def test_only_what_is_held_in_hands_is_told_of_https(start_pit, new_page, handheld):
    server = start_pit("--bodies", 5, "--allowed-host", INSECURE_HOST)
    pit = new_page(600, 800, has_touch=handheld, is_mobile=handheld)
    pit.join(f"http://{INSECURE_HOST}:{server.port}/")
    assert pit.page.evaluate("isSecureContext") is False
    assert pit.page.locator("#motion").is_visible() is handheld
