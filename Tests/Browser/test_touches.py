"""What a finger means that is not as exact as a mouse, and how soon it is answered."""

import pytest
from play import is_held_by

# Types of messages: a new sticker, a grab.
DROP, GRAB = 0x03, 0x06


@pytest.fixture
def phone(start_pit, new_page):
    """A phone with a single sticker in the pit, at rest."""
    server = start_pit("--scene", "pit", "--seed", 1, "--bodies", 1)
    page = new_page(390, 844, has_touch=True, is_mobile=True)
    page.join(f"http://127.0.0.1:{server.port}/")
    page.settle()
    return page


def beside(page, pixels):
    """The sticker, and the place so many CSS pixels above its upper edge."""
    found = page.get("pit.positions()[0]")
    scale = page.page.evaluate(
        "() => stickerPit.toWindow(100, 0).x - stickerPit.toWindow(0, 0).x"
    ) / 100
    return found, (found["x"], found["y"] - found["size"] / 2 - pixels / scale)


def asks_for_the_time(events):
    """Whether the page has asked for the time since, as it does once a second: then it has sent
    whatever it had to send before."""
    return 0x05 in events


def test_a_tap_on_a_sticker_is_answered_at_once(phone):
    found = phone.get("pit.positions()[0]")
    sent = phone.sent()
    phone.wait("pit => pit.positions()[0].age > 0.3")
    phone.page.evaluate(
        """() => {
          const look = () => {
            const [{ age }] = window.stickerPit.positions();
            window.youngest = Math.min(window.youngest ?? Infinity, age);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    with phone.held_timers():
        before = phone.page.evaluate("window.passed.splashes")
        phone.page.touchscreen.tap(*phone.place(found["x"], found["y"]))
        # A ripple, and it gives way, while a second tap may still come.
        phone.wait("(pit, before) => window.passed.splashes === before + 1", before)
        phone.wait("() => window.youngest < 0.3")
        assert DROP not in sent
    phone.wait("pit => pit.count === 2")
    assert phone.page.evaluate("window.passed.splashes") == before + 1, "and is not answered twice"


def test_a_finger_beside_a_sticker_takes_it_by_a_hold(phone):
    found, place = beside(phone, 6)
    phone.fingers().down(1, place)
    is_held_by(phone, found["slot"], phone.get("pit.id"))


def test_a_finger_too_far_from_a_sticker_takes_nothing(phone):
    _, place = beside(phone, 18)
    sent = phone.sent()
    fingers = phone.fingers()
    fingers.down(1, place)
    fingers.move(1, (place[0], place[1] - 100))
    phone.until(lambda: asks_for_the_time(sent))
    assert GRAB not in sent


def test_a_tap_beside_a_sticker_drops_one_at_once(phone):
    _, place = beside(phone, 6)
    with phone.held_timers():
        phone.page.touchscreen.tap(*phone.place(*place))
        phone.wait("pit => pit.count === 2")


def test_a_finger_that_rolls_while_it_taps_does_not_drag(phone):
    found = phone.get("pit.positions()[0]")
    sent = phone.sent()
    x, y = phone.place(found["x"], found["y"])
    with phone.held_timers():
        for kind, dx in (("touchStart", 0), ("touchMove", 4), ("touchMove", 9)):
            phone._touch(kind, [{"x": x + dx, "y": y, "id": 1}])
        phone._touch("touchEnd", [])
    # It was a tap: one is dropped.
    phone.wait("pit => pit.count === 2")
    assert GRAB not in sent
