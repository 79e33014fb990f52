"""Fingers on glass: several at once, on several pages, and those that are never lifted."""

import pytest
from play import STICKER, holds, is_held_by, is_near, note_least, rests, sticker


@pytest.fixture
def phones(start_pit, new_page):
    """Opens a pit and joins it with two phones."""

    def open_pit(bodies):
        server = start_pit("--scene", "pit", "--seed", 1, "--bodies", bodies)
        pages = [new_page(390, 844, has_touch=True, is_mobile=True) for _ in range(2)]
        for page in pages:
            page.join(f"http://127.0.0.1:{server.port}/")
            page.page.evaluate(RECORD_STATES)
        pages[0].settle()
        return pages

    return open_pit


# The stickers that anybody has held since, by slot, with the clients who did.
RECORD_STATES = """() => {
  window.heldBy = {};
  const look = () => {
    for (const { slot, holder } of window.stickerPit.halos()) {
      (window.heldBy[slot] ??= new Set()).add(holder);
    }
    requestAnimationFrame(look);
  };
  look();
}"""


def uppermost(page, count):
    """The slots and places of the stickers that lie highest, and so are free to be lifted."""
    highest = f"pit.positions().sort((one, other) => one.y - other.y).slice(0, {count})"
    return [(found["slot"], (found["x"], found["y"])) for found in page.get(highest)]


def test_a_finger_drags_a_sticker_and_everybody_sees_it(phones):
    one, other = phones(12)
    [(slot, place)] = uppermost(one, 1)
    fingers = one.fingers()
    fingers.down(1, place)
    fingers.move(1, (place[0], place[1] - 40))
    is_held_by(other, slot, one.get("pit.id"))
    fingers.move(1, (200, 200))
    for page in (one, other):
        is_near(page, slot, (200, 200), within=40)
    fingers.up(1)
    is_held_by(other, slot, -1)
    other.wait(f"(pit, slot) => {STICKER}.y > 400", slot)
    assert one.get("pit.count") == 12, "holding drops nothing"
    assert one.complaints + other.complaints == []


def test_three_fingers_hold_three_stickers_and_a_fourth_none(phones):
    one, other = phones(8)
    found = uppermost(one, 4)
    # From left to right, as the places that they are taken to: held ones can't pass each other.
    found[:3] = sorted(found[:3], key=lambda each: each[1][0])
    fingers = one.fingers()
    for finger, (_, place) in enumerate(found):
        fingers.down(finger, place)
    mine = one.get("pit.id")
    three = [slot for slot, _ in found[:3]]
    for slot in three:
        is_held_by(other, slot, mine)
    for finger, (slot, _) in enumerate(found[:3]):
        fingers.move(finger, (150 + 200 * finger, 300))
    for finger, slot in enumerate(three):
        is_near(other, slot, (150 + 200 * finger, 300), within=40)
    holds(one, three)
    assert sticker(other, found[3][0])["holder"] == -1
    # One finger goes, the others hold on.
    fingers.up(0)
    is_held_by(other, three[0], -1)
    holds(one, three[1:])
    fingers.up(1), fingers.up(2), fingers.up(3)
    for slot in three:
        is_held_by(other, slot, -1)


def test_two_hold_one_each_and_neither_gets_the_others(phones):
    one, other = phones(8)
    (first, first_place), (second, second_place) = uppermost(one, 2)
    hands = {one: one.fingers(), other: other.fingers()}
    hands[one].down(1, first_place)
    hands[other].down(1, second_place)
    is_held_by(other, first, one.get("pit.id"))
    is_held_by(one, second, other.get("pit.id"))
    hands[one].move(1, (200, 300))
    hands[other].move(1, (520, 300))
    for page in (one, other):
        is_near(page, first, (200, 300), within=40)
        is_near(page, second, (520, 300), within=40)

    # Both want what the other one has.
    for page, wanted, owner in ((one, second, other), (other, first, one)):
        rests(page, wanted)
        held = sticker(page, wanted)
        hands[page].down(2, (held["x"], held["y"]))
        page.wait("(pit, slot) => pit.events.some(({ kind, a }) => kind === 7 && a === slot)", wanted)
        page.said(owner.get("pit.name"))
    one.wait("(pit, slot) => pit.holding.length === 1 && pit.holding[0] === slot", first)
    other.wait("(pit, slot) => pit.holding.length === 1 && pit.holding[0] === slot", second)
    for page in (one, other):
        held_by = page.page.evaluate(
            "slots => slots.map(slot => [...window.heldBy[slot]])", [first, second]
        )
        assert held_by == [[one.get("pit.id")], [other.get("pit.id")]], "one holder, all the time"


def test_a_finger_that_the_system_takes_away_lets_go(phones):
    one, other = phones(8)
    [(slot, place)] = uppermost(one, 1)
    fingers = one.fingers()
    fingers.down(1, place)
    fingers.move(1, (300, 300))
    is_held_by(other, slot, one.get("pit.id"))
    fingers.cancel()
    is_held_by(other, slot, -1)
    holds(one, [])
    # It lets go gently: straight down it falls.
    other.wait(f"(pit, slot) => {STICKER}.y > 500", slot)


def test_a_finger_far_outside_keeps_its_sticker_inside(phones):
    one, other = phones(8)
    [(slot, place)] = uppermost(one, 1)
    fingers = one.fingers()
    fingers.down(1, place)
    fingers.move(1, (360, 300))
    is_held_by(other, slot, one.get("pit.id"))
    # The least room between it and a wall, which is negative in the wall.
    held = STICKER.replace("slot === slot", f"slot === {slot}")
    note_least(
        one,
        f"""(({{ x, y, size }}) => Math.min(x, y, 720 - x, 960 - y) - size / 2)({held})""",
    )
    for corner in ((-100, -100), (820, -100), (820, 700), (-100, 500), (360, -100)):
        fingers.move(1, corner)
        inside = (min(max(corner[0], 0), 720), min(max(corner[1], 0), 960))
        is_near(one, slot, inside, within=70)
    # Walls give a little; a sticker that flew would be hundreds of points away.
    assert one.page.evaluate("window.least") > -8
    fingers.up(1)
    is_held_by(other, slot, -1)


def test_a_page_that_closes_while_it_holds_lets_go(phones):
    one, other = phones(8)
    [(slot, place)] = uppermost(one, 1)
    one.fingers().down(1, place)
    is_held_by(other, slot, one.get("pit.id"))
    one.page.close()
    is_held_by(other, slot, -1)


def test_a_connection_lost_while_it_holds_lets_go_and_the_page_comes_back_with_empty_hands(phones):
    one, other = phones(8)
    [(slot, place)] = uppermost(one, 1)
    fingers = one.fingers()
    fingers.down(1, place)
    fingers.move(1, (300, 300))
    is_held_by(other, slot, one.get("pit.id"))
    one.set_visibility("hidden")  # leaves the pit, the finger stays down
    is_held_by(other, slot, -1)
    holds(one, [])
    one.set_visibility("visible")
    one.wait("pit => pit.connected && pit.count === 8")
    fingers.move(1, (500, 300))
    fingers.up(1)
    one.wait("(pit, tick) => pit.tick > tick + 30", one.get("pit.tick"))
    assert one.get("pit.holding") == [] and one.get("pit.halos()") == []
    assert one.complaints == []


def test_a_double_tap_by_touch_straightens_a_sticker(phones):
    one, other = phones(8)
    [(slot, place)] = uppermost(one, 1)
    fingers = one.fingers()
    fingers.down(1, place)
    fingers.move(1, (place[0], 300))
    is_held_by(other, slot, one.get("pit.id"))
    fingers.move(1, (360, 300))
    fingers.up(1)
    is_held_by(one, slot, -1)
    one.settle()
    aside = sticker(one, slot)
    events = one.sent()
    # On the empty floor beside it a single tap drops at once; on it two taps are one word.
    one.double_tap((aside["x"], aside["y"]))
    # The page asks for the time once a second: what was sent before that question is all there was.
    one.until(lambda: 0x09 in events and 0x05 in events[events.index(0x09) :])
    assert [kind for kind in events if kind in (0x03, 0x04, 0x06, 0x09)] == [0x09]
    other.wait(f"(pit, slot) => Math.abs({STICKER}.angle) < 0.3", slot)
    assert one.get("pit.count") == 8, "a double tap drops nothing"


def test_a_mouse_button_that_comes_up_unheard_lets_go(pit, new_page, server):
    other = new_page().join(server.url)
    pit.settle()
    [(slot, place)] = uppermost(pit, 1)
    pit.page.mouse.move(*pit.place(*place))
    pit.page.mouse.down()
    pit.page.mouse.move(*pit.place(place[0], place[1] - 40), steps=3)
    is_held_by(other, slot, pit.get("pit.id"))
    # Another window took the release: the next thing heard is a mouse without a button.
    pit.page.evaluate(
        """() => document.getElementById("pit").dispatchEvent(new PointerEvent("pointermove",
          { pointerId: 1, pointerType: "mouse", buttons: 0, clientX: 200, clientY: 200 }))"""
    )
    is_held_by(other, slot, -1)
    assert pit.get("pit.holding") == []


def test_a_drag_goes_on_when_the_browser_takes_the_capture_away(pit, new_page, server):
    """As Chromium does when it was busy, though the button is down."""
    other = new_page().join(server.url)
    pit.settle()
    [(slot, place)] = uppermost(pit, 1)
    pit.page.mouse.move(*pit.place(*place))
    pit.page.mouse.down()
    pit.page.mouse.move(*pit.place(place[0], place[1] - 40), steps=3)
    is_held_by(other, slot, pit.get("pit.id"))
    pit.page.evaluate(
        """() => {
          const canvas = document.getElementById("pit");
          canvas.addEventListener("lostpointercapture", () => (window.isLost = true));
          canvas.releasePointerCapture(1);
        }"""
    )
    pit.page.mouse.move(*pit.place(360, 300), steps=3)
    pit.wait("() => window.isLost")
    is_near(other, slot, (360, 300), within=40)
    holds(pit, [slot])
    pit.page.mouse.up()
    is_held_by(other, slot, -1)
