"""Taps, flicks, keys and the ball."""

import pytest

MEAN_X = (
    "pit.positions().reduce((sum, sticker) => sum + sticker.x, 0) / pit.count / pit.world.width"
)
MEAN_Y = (
    "pit.positions().reduce((sum, sticker) => sum + sticker.y, 0) / pit.count / pit.world.height"
)


def test_a_tap_drops_a_sticker_at_the_point(pit):
    pit.page.mouse.click(*pit.free_place(360, 60))
    pit.wait("pit => pit.count === 41")
    pit.wait("pit => pit.positions().some(({ x, y }) => Math.abs(x - 360) < 60 && y < 900)")


def test_a_touch_drops_a_sticker(server, new_page):
    phone = new_page(390, 844, has_touch=True, is_mobile=True).join(server.url)
    phone.page.touchscreen.tap(*phone.free_place(360, 60))
    phone.wait("pit => pit.count === 41")


def test_the_chosen_sticker_is_dropped(pit):
    before = pit.get("pit.positions().filter(sticker => sticker.kind === 8).length")
    pit.page.locator(".strip label").nth(8).click()
    pit.page.mouse.click(*pit.free_place(360, 60))
    pit.wait("pit => pit.count === 41")
    assert pit.get("pit.positions().filter(sticker => sticker.kind === 8).length") == before + 1


def test_the_space_bar_drops_a_sticker(pit):
    pit.page.keyboard.press("Space")
    pit.wait("pit => pit.count === 41")


def test_a_flick_throws_a_new_sticker_of_the_chosen_kind_from_the_touched_point(pit):
    chosen = "pit.positions().filter(sticker => sticker.kind === 8).length"
    before = pit.get(chosen)
    pit.page.locator(".strip label").nth(8).click()
    # Dropped at either end it would fall straight down; only thrown it gets elsewhere up there, to
    # the right wall and back.
    flies = """pit => pit.positions().some(({ x, y }) =>
      y < 600 && [200, 450].every(end => Math.abs(x - end) > 40))"""
    # It flies for a second: a page that stood still for so long sees the next one.
    for flicks in range(1, 6):
        pit.settle()
        pit.flick((200, 150), (450, 150))
        if pit.comes(flies):
            break
    else:
        raise AssertionError("nothing flew")
    # Each makes one at most; a page that stood still may have taken one for a hold.
    pit.wait("(pit, most) => pit.count > 40 && pit.count <= most", 40 + flicks)
    pit.wait(f"(pit, before) => {chosen} === before + pit.count - 40", before)


def test_a_flick_throws_the_sticker_under_the_finger(pit):
    highest = "pit.positions().reduce((top, sticker) => (sticker.y < top.y ? sticker : top))"
    # As above.
    for _ in range(5):
        pit.settle()
        top = pit.get(highest)
        pit.flick((top["x"], top["y"]), (top["x"], top["y"] - 250))
        if pit.comes("(pit, y) => pit.positions().some(one => one.y < y - 150)", top["y"]):
            break
    else:
        raise AssertionError("nothing flew")
    assert pit.get("pit.count") == 40


@pytest.mark.parametrize(
    ("key", "condition"),
    [
        ("ArrowRight", f"pit => {MEAN_X} > 0.75"),
        ("ArrowLeft", f"pit => {MEAN_X} < 0.25"),
        ("ArrowUp", f"pit => {MEAN_Y} < 0.35"),
        ("KeyD", f"pit => {MEAN_X} > 0.75"),
    ],
)
def test_keys_tilt_the_pit(pit, key, condition):
    pit.page.keyboard.down(key)
    pit.wait(condition)
    pit.page.keyboard.up(key)
    pit.wait("pit => pit.tilt.x === 0 && pit.tilt.y === 1 && pit.gravity.y > 0.9")


def test_the_ball_tilts_the_pit(pit):
    box = pit.page.locator("#bowl").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    pit.page.mouse.move(*middle)
    pit.page.mouse.down()
    pit.page.mouse.move(middle[0] - box["width"] / 2, middle[1], steps=3)
    pit.wait(f"pit => {MEAN_X} < 0.25")
    pit.page.mouse.up()
    pit.wait("pit => pit.tilt.x === 0 && pit.tilt.y === 1")


def test_an_unchanged_tilt_is_repeated(pit):
    # The server forgets a tilt after two seconds: gravity that stays means that it was resent.
    pit.page.keyboard.down("ArrowRight")
    pit.wait("pit => pit.gravity.x > 0.95")
    start = pit.get("pit.tick")
    pit.wait("(pit, start) => pit.tick > start + 200 && pit.gravity.x > 0.95", start)


def test_arrow_keys_choose_in_the_tray_and_do_not_tilt_there(pit):
    pit.page.locator(".strip input").nth(3).focus()
    pit.page.keyboard.press("Space")
    pit.page.keyboard.down("ArrowRight")
    pit.page.wait_for_function("() => document.querySelectorAll('.strip input')[4].checked")
    assert pit.get("pit.tilt") == {"x": 0, "y": 1}


def test_the_tray_is_swiped_on_a_phone_and_nothing_is_chosen_by_that(server, new_page):
    phone = new_page(360, 640, has_touch=True, is_mobile=True).join(server.url)
    chosen = "document.querySelector('.strip input:checked').value"
    before = phone.get(chosen)
    box = phone.page.locator(".strip").bounding_box()
    x, y = box["x"] + 120, box["y"] + 40
    # A finger that comes to the strip and then nowhere for half a second is a long press.
    for _ in range(5):
        phone.swipe((x, y), (x - 100, y))
        if phone.comes("() => document.querySelector('.strip').scrollLeft > 40"):
            break
    else:
        raise AssertionError("it was not swiped")
    assert phone.get(chosen) == before
    assert phone.get("pit.count") == 40
