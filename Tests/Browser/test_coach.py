"""Hints: beside the pit, for a few seconds, and again for whoever asks."""

import pytest

# By whether they are phones.
SIZES = {True: [(320, 640), (390, 844), (844, 390), (640, 360)], False: [(800, 900), (1280, 800)]}

# Whether the hint lies over the world, or over the ball; and whether it and its hand are whole.
OVER = """() => {
  const pit = window.stickerPit;
  const [from, to] = [pit.toWindow(0, 0), pit.toWindow(pit.world.width, pit.world.height)];
  const { left, right, top, bottom } = document.getElementById("coach").getBoundingClientRect();
  const across = Math.min(right, to.x) - Math.max(left, from.x);
  const down = Math.min(bottom, to.y) - Math.max(top, from.y);
  const isWhole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const bowl = document.getElementById("bowl").getBoundingClientRect();
  const isOverBall = left < bowl.right && right > bowl.left && top < bowl.bottom && bottom > bowl.top;
  // Its size without what moves it.
  const hand = getComputedStyle(document.querySelector("#coach .hand"));
  const hasHand = hand.display !== "none" && parseFloat(hand.width) >= 16;
  return { isOver: across > 1 && down > 1, isOverBall, isWhole, hasHand };
}"""
BESIDE = {"isOver": False, "isOverBall": False, "isWhole": True, "hasHand": True}

# The longest words that a hint may have are shown in it.
LONGEST = """async () => {
  const { TEXTS } = await import(pageFile("./strings/en.js"));
  const hints = Object.entries(TEXTS).filter(([key]) => key.startsWith("coach."));
  const [longest] = hints.map(([, words]) => words).sort((a, b) => b.length - a.length);
  document.querySelector("#coach .words").textContent = longest;
}"""

SAY = """words => { document.querySelector("#coach .words").textContent = words; }"""

# How many cards the hint lies over.
COVERED = """() => {
  const { left, right, top, bottom } = document.getElementById("coach").getBoundingClientRect();
  const pit = window.stickerPit;
  return pit.positions().filter(({ x, y, size, height }) => {
    const from = pit.toWindow(x - size / 2, y - height / 2);
    const to = pit.toWindow(x + size / 2, y + height / 2);
    return left < to.x && right > from.x && top < to.y && bottom > from.y;
  }).length;
}"""


# Hints that stay: their eight seconds don't end.
NEVER_GOES = """{
  const { setTimeout: usual } = window;
  window.setTimeout = (action, delay, ...values) => delay >= 8000 ? 0 : usual(action, delay, ...values);
}"""
by_touch = pytest.mark.parametrize("touch", SIZES, ids=["phone", "desktop"])


def in_each_size(page, touch):
    """Both hints, the page's own and the longest, in each size of a window. Yields the size."""
    own = page.page.locator("#coach .words").text_content()
    for size in SIZES[touch]:
        page.resize(*size)
        page.page.evaluate(SAY, own)
        yield size
        page.page.evaluate(LONGEST)
        yield size


@by_touch
@pytest.mark.parametrize("scene", ["pit", "rain", "gallery", "drag"])
def test_a_hint_stands_beside_the_pit(start_pit, new_page, touch, scene):
    server = start_pit("--scene", scene, "--seed", 1)
    page = new_page(*SIZES[touch][0], has_touch=touch, is_mobile=touch)
    page.page.add_init_script(NEVER_GOES)
    page.page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait("(pit, scene) => pit.connected && pit.scene === scene", scene)
    page.page.locator("#coach").wait_for()
    for size in in_each_size(page, touch):
        assert page.page.evaluate(OVER) == BESIDE, size


@by_touch
def test_a_hint_covers_no_card_where_they_fly_over_the_whole_screen(start_pit, new_page, touch):
    server = start_pit("--scene", "toss", "--seed", 1)
    page = new_page(*SIZES[touch][0], has_touch=touch, is_mobile=touch)
    page.page.add_init_script(NEVER_GOES)
    page.page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait("pit => pit.connected && pit.scene === 'toss' && pit.count > 0")
    page.page.locator("#coach", has_text="Toss").wait_for()
    for size in in_each_size(page, touch):
        assert page.page.evaluate(COVERED) == 0, size
        found = page.page.evaluate(OVER)
        assert found["isWhole"] and found["hasHand"], size


def test_a_hint_goes_and_comes_back_by_the_button(server, new_page):
    phone = new_page(390, 844, has_touch=True, is_mobile=True).join(server.url)
    hint = phone.page.locator("#coach")
    hint.wait_for()
    assert hint.text_content() == "Tap the pit to drop a sticker"
    pit = phone.page.locator("#pit").bounding_box()
    hint.wait_for(state="hidden")  # after eight seconds, without anything done
    assert phone.page.locator("#pit").bounding_box() == pit
    phone.page.locator("#help").tap()
    hint.wait_for()
    assert hint.text_content() == "Tap the pit to drop a sticker"
    # Asked for, one follows the other, whether it was tried or not.
    phone.page.touchscreen.tap(*phone.free_place(360, 60))
    phone.page.locator("#coach", has_text="Flick a sticker").wait_for()
    phone.page.locator("#coach", has_text="double tap to straighten").wait_for()


def test_a_hint_comes_back_by_the_key_after_the_list_of_keys(pit):
    pit.page.locator("#coach").wait_for()
    pit.page.locator("#coach").wait_for(state="hidden")
    pit.page.keyboard.press("?")
    pit.page.locator("#keys-help").wait_for()
    pit.page.keyboard.press("?")
    pit.page.locator("#keys-help").wait_for(state="detached")
    pit.page.locator("#coach", has_text="Click the pit").wait_for()


HAND = """() => getComputedStyle(document.querySelector("#coach .hand")).animationName"""


@pytest.mark.parametrize(("motion", "name"), [("no-preference", "hand-tap"), ("reduce", "none")])
def test_its_hand_moves_unless_somebody_wants_less_motion(server, new_page, motion, name):
    page = new_page(reduced_motion=motion).join(server.url)
    page.page.locator("#coach .hand").wait_for()
    assert page.page.evaluate(HAND) == name
