"""The five scenes, as two people play them."""

import time

import pytest
from pitserver import until
from play import STICKER, is_held_by, is_near, note_least, rests, sticker


@pytest.fixture
def two(start_pit, new_page):
    """Opens a scene and joins it twice."""

    def open_scene(scene, *flags):
        server = start_pit("--scene", scene, "--seed", 1, *flags)
        url = f"http://127.0.0.1:{server.port}/"
        # Small ones: what is drawn costs most here.
        pages = [new_page(420, 560), new_page(420, 560)]
        for page in pages:
            page.page.goto(url)
            page.wait("(pit, scene) => pit.connected && pit.scene === scene", scene)
            page.wait("pit => pit.people === 2" if page is pages[1] else "pit => true")
        return pages

    return open_scene


def press(page, point):
    page.page.mouse.move(*page.place(*point))
    page.page.mouse.down()


def move(page, point, steps=4):
    page.page.mouse.move(*page.place(*point), steps=steps)


def double_click(page, point):
    """Two clicks with times of their own, however busy the machine is."""
    begin = time.time()
    with page.held_timers():
        for offset in (0.0, 0.12):
            page.mouse("mousePressed", point, begin + offset, buttons=1)
            page.mouse("mouseReleased", point, begin + offset + 0.05)


# Taps a sticker in the middle of where it is at this moment.
TAP = """slot => {
  const pit = window.stickerPit;
  const { x, y } = pit.positions().find(sticker => sticker.slot === slot);
  const place = pit.toWindow(x, y);
  for (const [type, buttons] of [["pointerdown", 1], ["pointerup", 0]]) {
    document.getElementById("pit").dispatchEvent(new PointerEvent(type, {
      pointerId: 1, pointerType: "mouse", isPrimary: true, bubbles: true, button: 0, buttons,
      clientX: place.x, clientY: place.y,
    }));
  }
}"""


def test_a_held_sticker_follows_for_both_and_is_refused_to_a_second_hand(two):
    one, other = two("pit", "--bodies", 20)
    one.settle()
    top = one.get("pit.positions().reduce((top, s) => (s.y < top.y ? s : top))")
    slot, mine = top["slot"], one.get("pit.id")
    press(one, (top["x"], top["y"]))
    move(one, (top["x"], top["y"] - 30))
    is_held_by(other, slot, mine)
    halos = other.get("pit.halos()")
    assert halos == [{"slot": slot, "holder": mine, "colour": one.get("pit.colour")}]

    move(one, (360, 300))
    for page in (one, other):
        is_near(page, slot, (360, 300), within=40)

    rests(other, slot)
    held = sticker(other, slot)
    press(other, (held["x"], held["y"]))
    move(other, (held["x"] + 200, held["y"] - 100))
    other.wait("pit => pit.events.some(({ kind }) => kind === 7) && pit.holding.length === 0")
    other.said(one.get("pit.name"))
    assert not one.get("pit.events.some(({ kind }) => kind === 7)")
    is_held_by(one, slot, mine)
    other.page.mouse.up()

    one.page.mouse.up()
    is_held_by(other, slot, -1)
    other.wait(f"(pit, slot) => {STICKER}.y > 600", slot)
    assert one.get("pit.count") == 20, "holding drops nothing"
    assert one.complaints + other.complaints == []


def test_a_short_hold_takes_a_sticker(two):
    one, other = two("pit", "--bodies", 5)
    one.settle()
    lying = one.get("pit.positions()[0]")
    press(one, (lying["x"], lying["y"]))
    is_held_by(other, lying["slot"], one.get("pit.id"))
    one.page.mouse.up()
    is_held_by(other, lying["slot"], -1)


def test_a_double_tap_straightens_a_sticker(two):
    one, other = two("pit", "--bodies", 30)
    one.settle()
    top = one.get("pit.positions().reduce((top, s) => (s.y < top.y ? s : top))")
    one.flick((top["x"], top["y"]), (top["x"], top["y"] - 120))
    moved = f"""(pit, [slot, x, y]) => {{
      const sticker = {STICKER};
      return Math.hypot(sticker.x - x, sticker.y - y) > 2;
    }}"""
    one.wait(moved, [top["slot"], top["x"], top["y"]])
    one.settle()
    turned = "pit.positions().filter(({ angle }) => Math.abs(angle) > 0.5)"

    def straightens():
        """Of the stickers that lie turned the highest. On busy machines one did not turn in two minutes,
        and nobody knows why; its neighbours may hold it, so that it is asked again, or another."""
        aside = one.get(f"{turned}.reduce((top, s) => (s.y < top.y ? s : top))")
        double_click(one, (aside["x"], aside["y"]))
        return other.comes(f"(pit, slot) => Math.abs({STICKER}.angle) < 0.3", aside["slot"])

    until(straightens)
    assert one.get("pit.count") == 30, "a double tap drops nothing"


def test_a_keyword_makes_it_rain_for_both(two):
    one, other = two("rain")
    one.page.locator("#tray").wait_for(state="hidden")
    one.wait("pit => pit.boundaries.filter(({ id }) => id < 240).length === 6")
    one.page.locator("#words input").fill("  So cold!")
    one.page.keyboard.press("Enter")
    for page in (one, other):
        page.wait("pit => pit.positions().some(({ kind, size }) => kind === 18 && size === 36)")
    rain = other.get("pit.events.find(({ kind }) => kind === 4)")
    assert (rain["a"], rain["b"]) == (18, one.get("pit.id"))
    other.said("snow")
    assert not any("cold" in sentence for sentence in other.get("window.passed.toasts"))

    other.page.get_by_role("button", name="happy birthday").click()
    one.wait("pit => pit.positions().some(({ kind }) => kind === 19)")
    # A ledge that was touched is gone for a while.
    one.wait("pit => pit.boundaries.filter(({ id }) => id < 240).length < 6")
    assert one.complaints + other.complaints == []


def test_in_a_crowd_that_makes_it_rain_each_is_told_the_own_rain_and_few_of_the_others(two):
    one, other = two("rain")
    rains = "pit.events.filter(({ kind }) => kind === 4).length"

    def say(page, phrase, count):
        page.page.get_by_role("button", name=phrase).click()
        for each in (one, other):
            each.wait(f"(pit, count) => {rains} === count", count)

    began = one.get("performance.now()")
    for count, phrase in enumerate(["so cold", "happy birthday", "天冷了"], start=1):
        say(other, phrase, count)
    within = one.get("performance.now()") - began
    say(one, "so cold", 4)
    one.said("You made it rain snow")
    told = one.get("window.passed.toasts.filter(one => one.includes('made it rain'))")
    theirs = [words for words in told if not words.startswith("You")]
    # The first one, and one more for every ten seconds that a slow machine has taken.
    assert 1 <= len(theirs) <= 1 + within // 10_000, told
    assert other.get("window.passed.toasts.filter(one => one.startsWith('You made')).length") == 3


def test_the_floor_opens_with_a_headline(two):
    one, other = two("rain")
    one.page.get_by_role("button", name="so cold").click()
    other.page.evaluate(
        """() => {
          window.seen = [];
          const look = () => {
            window.seen.push(window.stickerPit.isOpen);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    other.wait("pit => pit.events.some(({ kind }) => kind === 1)")
    other.wait("() => window.passed.headlines.includes('The floor opens!')")
    other.wait("pit => pit.events.some(({ kind }) => kind === 3)")
    other.wait("pit => !pit.isOpen && window.seen.includes(true)")
    other.page.locator("#headline").wait_for(state="hidden")


def test_what_nobody_hears_is_answered_gently_and_seen_by_nobody(two):
    one, other = two("rain")
    one.page.locator("#words input").fill("wasd nonsense")
    one.page.keyboard.press("Enter")
    one.said("Nothing falls for that one")
    assert not any("nonsense" in sentence for sentence in one.get("window.passed.toasts"))
    assert other.page.locator("body").inner_text().find("nonsense") < 0
    assert one.get("pit.tilt") == {"x": 0, "y": 1}, "letters in the field do not tilt"
    assert other.get("pit.count") == 0


def test_a_tap_calls_a_square_of_the_gallery(two):
    one, other = two("gallery")
    for page in (one, other):
        page.wait("pit => pit.count > 0")
    sent = one.sent()
    distance = f"Math.hypot({STICKER}.x - 60, {STICKER}.y - 60)".replace("=== slot", "=== 1")
    # The swing's square is chosen, and nothing else, also when it is clear that no tap follows and
    # the square is elsewhere by then, as somebody else has called it.
    with one.held_timers():
        one.page.evaluate(TAP, 1)
        other.page.evaluate(TAP, 1)
        # It stays there for two seconds. Pages that stood still for so long see it the next time.
        for _ in range(5):
            other.page.mouse.click(*other.place(60, 60))
            if one.comes(f"pit => {distance} < 15"):
                break
    one.wait(f"pit => {distance} > 60")
    # And then it is called.
    for page in (one, other):
        note_least(page, distance)
    for calls in range(1, 6):
        one.page.mouse.click(*one.place(60, 60))
        if all([page.comes("() => window.least < 15") for page in (one, other)]):
            break
    else:
        raise AssertionError("the square did not come")
    assert sent.count(0x09) <= calls, "the first tap called nothing"
    # Home again, it hangs.
    other.wait("pit => pit.rods.length === 1 && pit.boundaries.some(({ id }) => id === 1)")
    # Contacts are told.
    other.wait("pit => pit.events.some(({ kind }) => kind === 5)")
    assert one.complaints + other.complaints == []


def test_a_dragged_square_hangs_from_the_finger(two):
    one, other = two("drag", "--bodies", 2)
    other.wait("pit => pit.rods.length === 2")
    one.settle()
    square = one.get("pit.positions()[0]")
    slot = square["slot"]
    press(one, (square["x"], square["y"]))
    move(one, (160, 300), steps=12)
    is_held_by(other, slot, one.get("pit.id"))
    # The rod's anchor is where the finger is, and the square hangs below it, 79 + 35 pt at most.
    other.wait(
        """pit => pit.rods.some(({ anchorX, anchorY }) =>
          Math.hypot(anchorX - 160, anchorY - 300) < 3)"""
    )
    other.wait(f"(pit, slot) => {STICKER}.y > 340 && {STICKER}.y < 300 + 79 + 37", slot)
    one.page.mouse.up()
    other.wait("pit => pit.rods.length === 1")
    other.wait(f"(pit, slot) => {STICKER}.y > 480", slot)


def test_a_tossed_card_flies_and_returns(two):
    one, other = two("toss", "--bodies", 1)
    one.wait("pit => pit.isOpen")
    one.page.locator("#bowl").wait_for(state="hidden")
    note_least(other, "pit.positions()[0].y")
    is_home = """pit => {
      const { x, y, angle } = pit.positions()[0];
      return Math.hypot(x - 160, y - 223) < 1 && Math.abs(angle) < 0.02 && !pit.halos().length;
    }"""
    # A page that stood still while it was away sees the next one.
    for _ in range(5):
        one.wait(is_home)
        # 163 pt in 64 ms: far above the 1000 pt/s that make a toss.
        one.flick((160, 223), (160, 60))
        if other.comes("() => window.least < 0"):
            break
    else:
        raise AssertionError("it did not fly")
    other.wait(is_home)
