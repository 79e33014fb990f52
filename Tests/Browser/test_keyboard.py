"""Keys alone do all that fingers do, in every scene that has it."""

import struct

import pytest
from aiming import AIM, aim, aim_at, heard, press, start, take_first
from pitpage import AIMED
from play import STICKER, is_held_by, is_near

SCENES = ["pit", "rain", "gallery", "drag", "toss"]


@pytest.fixture
def open_scene(start_pit, new_page):
    """Opens a scene in a page of its own."""

    def open_page(scene, *flags, query="", **options):
        server = start_pit("--scene", scene, "--seed", 1, *flags)
        # A small one: what is drawn costs most here.
        page = new_page(*(() if "width" in options else (480, 640)), **options)
        page.frames = []

        def note(socket):
            socket.on("framesent", lambda frame: page.frames.append(bytes(frame)))

        page.page.on("websocket", note)
        page.page.goto(f"http://127.0.0.1:{server.port}/{query}")
        page.wait("(pit, scene) => pit.connected && pit.scene === scene", scene)
        page.url = f"http://127.0.0.1:{server.port}/"
        return page

    return open_page


def test_a_chosen_sticker_falls_where_keys_aim(open_scene):
    page = open_scene("pit", "--bodies", 0)
    start(page)
    before = page.get("Number(document.querySelector('.strip input:checked').value)")
    press(page, "KeyE")
    chosen = page.get("Number(document.querySelector('.strip input:checked').value)")
    assert chosen == (before + 1) % 16
    heard(page, "is next")
    aim_at(page, 180, 300)
    place = aim(page)
    press(page, "Enter")
    heard(page, "dropped")
    page.wait("pit => pit.count === 1")
    assert page.get("pit.positions()[0].kind") == chosen
    # It rolls on once it has fallen: where it was dropped was said, in eighths of a point.
    (drop,) = sent_since(page, 0, DROP)
    kind, x, y = struct.unpack_from("<Bhh", drop, 1)
    assert (kind, x / 8, y / 8) == (chosen, pytest.approx(place["x"], abs=2), pytest.approx(place["y"], abs=2))
    # The space bar does it, too, where the aim is; and the pit is not tilted by that.
    aim_at(page, 540, 300)
    press(page, "Space")
    page.wait("pit => pit.count === 2")
    (_, drop) = sent_since(page, 0, DROP)
    assert abs(struct.unpack_from("<Bhh", drop, 1)[1] / 8 - 540) < 14
    assert page.get("pit.tilt") == {"x": 0, "y": 1}
    assert page.complaints == []


def test_arrows_go_on_tilting_while_keys_aim(open_scene):
    page = open_scene("pit", "--bodies", 5)
    start(page)
    before = aim(page)
    page.page.keyboard.down("ArrowLeft")
    page.wait("pit => pit.tilt.x < -0.9")
    assert aim(page) == before
    page.page.keyboard.up("ArrowLeft")
    page.wait("pit => pit.tilt.x === 0")
    page.page.keyboard.down("Shift")
    press(page, "ArrowLeft")
    page.page.keyboard.up("Shift")
    assert aim(page)["x"] < before["x"] - 5 and page.get("pit.tilt") == {"x": 0, "y": 1}


def test_an_aim_that_is_put_away_and_shown_again_at_once_moves_once_a_picture(open_scene):
    page = open_scene("pit", "--bodies", 1)
    start(page)
    moves, pictures = page.page.evaluate(
        """async () => {
          const { Aim } = await import(pageFile("./keyboard/aim.js"));
          const { advance } = Aim.prototype;
          const times = [];
          Aim.prototype.advance = function (now) {
            times.push(now);
            return advance.call(this, now);
          };
          for (const code of ["Escape", "KeyL"]) {
            for (const kind of ["keydown", "keyup"]) {
              dispatchEvent(new KeyboardEvent(kind, { code, cancelable: true }));
            }
          }
          for (let picture = 0; picture < 10; picture += 1) await new Promise(requestAnimationFrame);
          return [times.length, new Set(times).size];
        }"""
    )
    assert moves == pictures > 5
    press(page, "Escape")
    page.wait("() => document.getElementById('aim').hidden")


def carrying(open_scene, scene):
    """A page that carries a sticker of a scene, and that one's slot: all by keys."""
    page = open_scene(scene, "--bodies", 1) if scene == "pit" else open_scene(scene)
    if scene == "rain":
        page.page.locator(".chips button").nth(1).focus()
        press(page, "Enter")
    page.wait("pit => pit.count > 0")
    start(page)
    # Where it rains, what was taken a moment ago may fall through the floor and be gone.
    for _ in range(5):
        slot = take_first(page)
        if page.comes(f"(pit, slot) => {STICKER}?.holder === pit.id", slot, seconds=10):
            return page, slot
    raise AssertionError("nothing was kept")


def sent_since(page, count, kind):
    """The messages of a kind that were sent after so many frames, without the tick they are meant for."""
    plain = [frame[5:] if frame[0] == AIMED else frame for frame in page.frames[count:]]
    return [frame for frame in plain if frame[0] == kind]


@pytest.mark.parametrize("scene", SCENES)
def test_keys_take_carry_and_let_go(open_scene, scene):
    page, slot = carrying(open_scene, scene)
    heard(page, "taken")
    aim_at(page, 300, 500)
    if scene != "drag":  # where rods hold on to it
        is_near(page, slot, (300, 500), within=90)
    press(page, "KeyG")
    is_held_by(page, slot, -1)
    heard(page, "let go")


@pytest.mark.parametrize("scene", SCENES)
def test_keys_throw_what_they_carry(open_scene, scene):
    page, slot = carrying(open_scene, scene)
    before = len(page.frames)
    page.page.keyboard.down("KeyT")
    press(page, "ArrowLeft")
    page.page.wait_for_timeout(300)
    page.page.keyboard.up("KeyT")
    is_held_by(page, slot, -1)
    heard(page, "thrown")
    (release,) = sent_since(page, before, RELEASE)
    number, across, down = struct.unpack_from("<Hhh", release, 1)
    assert number == slot and across < -1000 and down == 0


@pytest.mark.parametrize("scene", SCENES)
def test_keys_straighten_what_they_carry(open_scene, scene):
    page, slot = carrying(open_scene, scene)
    # It flies for two seconds at most and is free again: a busy page may draw too few pictures of that.
    for _ in range(5):
        before = len(page.frames)
        press(page, "KeyX")
        is_held_by(page, slot, -1)
        heard(page, "straightened")
        (snap,) = sent_since(page, before, SNAP)
        assert struct.unpack_from("<H", snap, 1) == (slot,)
        if page.comes(f"(pit, slot) => Math.abs(Math.sin({STICKER}?.angle ?? 1)) < 0.03", slot):
            return
        slot = take_first(page)
        is_held_by(page, slot, page.get("pit.id"))
    raise AssertionError("none was seen upright")


def test_the_escape_key_lets_go_and_puts_the_aim_away(open_scene):
    page, slot = carrying(open_scene, "rain")
    press(page, "Escape")
    is_held_by(page, slot, -1)
    assert aim(page) is None


# Messages (PROTOCOL.md): a drop has a kind, a byte, and a place, a throw a place and a velocity, a release
# a slot and a velocity, all of them 16-bit numbers; a snap begins with a slot.
DROP, THROW, RELEASE, SNAP = 0x03, 0x04, 0x08, 0x09


def thrown(page, hold):
    """Throws to the left, holding the key for so many milliseconds and whatever the machine takes;
    returns the velocity that was sent, in pt/s."""
    count, before = page.get("pit.count"), len(page.frames)
    start(page)
    aim_at(page, 600, 300)
    page.page.keyboard.down("KeyT")
    page.page.keyboard.press("ArrowLeft")
    page.page.wait_for_timeout(hold)
    # It comes with the next picture, for which a key that is let go at once does not wait.
    if hold:
        page.page.locator("#aim.throws .arrow").wait_for()
    page.page.keyboard.up("KeyT")
    assert page.page.locator("#aim .arrow").is_hidden()
    page.wait("(pit, count) => pit.count === count + 1", count)
    (throw,) = sent_since(page, before, THROW)
    return struct.unpack_from("<hh", throw, 5)


def test_the_longer_a_throw_is_held_the_stronger_it_is(open_scene):
    page = open_scene("pit", "--bodies", 0)
    weak, weak_down = thrown(page, 0)
    strong, strong_down = thrown(page, 1500)
    assert weak_down == strong_down == 0
    assert strong == -4200 and strong < weak < 0
    # It does not fall straight down from where it was thrown.
    page.wait("pit => pit.positions().some(({ x }) => x < 500)")


def test_a_carried_card_is_tossed(open_scene):
    page = open_scene("toss")
    page.wait("pit => pit.count > 0")
    start(page)
    press(page, "KeyN")
    before = aim(page)
    page.page.keyboard.down("KeyT")
    page.wait("pit => pit.holding.length === 1")
    slot = page.get("pit.holding[0]")
    page.page.keyboard.press("ArrowLeft")
    page.page.wait_for_timeout(800)
    page.page.keyboard.up("KeyT")
    is_held_by(page, slot, -1)
    page.wait(
        """(pit, [slot, x]) => {
          const one = pit.positions().find(one => one.slot === slot);
          return !one || Math.abs(one.x - x) > 80;
        }""",
        [slot, before["x"]],
    )


def test_keys_call_a_square_and_straighten_one(open_scene):
    page = open_scene("gallery")
    page.wait("pit => pit.count > 0")
    start(page)
    # A free place: nothing is at the top.
    aim_at(page, 200, 100)
    press(page, "Enter")
    page.wait("pit => pit.positions().some(({ x, y }) => Math.hypot(x - 200, y - 100) < 90)")

    page = open_scene("pit", "--bodies", 1)
    page.settle()
    start(page)
    press(page, "KeyN")
    press(page, "KeyX")
    heard(page, "straightened")
    page.wait("pit => Math.abs(Math.sin(pit.positions()[0].angle)) < 0.03")


def test_a_screen_reader_hears_what_the_aim_is_over_and_who_holds_it(open_scene):
    page = open_scene("pit", "--bodies", 1)
    page.settle()
    start(page)
    press(page, "KeyN")
    heard(page, r"^[a-z]+$")
    what = page.page.locator("#aim-news").text_content()
    aim_at(page, 360, 100)
    heard(page, r"^nothing, 50 percent across, 10 percent down$")

    other = type(page)(page.page.context.browser.new_context().new_page()).join(page.url)
    start(other)
    slot = take_first(other)
    is_held_by(page, slot, other.get("pit.id"))
    press(page, "KeyN")
    heard(page, f"^{what}, held by {other.get('pit.name')}$")
    other.page.context.close()


@pytest.mark.parametrize("scene", SCENES)
def test_a_question_mark_tells_the_keys_of_the_scene(open_scene, scene):
    page = open_scene(scene)
    press(page, "?")
    keys = page.page.locator("#keys-help")
    keys.wait_for(state="visible")
    words = keys.inner_text()
    assert "take the sticker" in words and "an arrow key points" in words
    assert ("drop a sticker" in words) is (scene == "pit")
    assert ("call a square" in words) is (scene == "gallery")
    assert ("tilt for everybody" in words) is (scene in ("pit", "rain", "gallery"))
    press(page, "Escape")
    keys.wait_for(state="detached")
    assert page.complaints == []


LETTERS = "Letters and “?” work as keys"


def test_letters_can_be_switched_off_and_stay_so(open_scene):
    page = open_scene("rain")
    page.wait("pit => pit.recorded > 90")
    # Also when the code that plays by keys listens already.
    start(page)
    press(page, "Escape")
    press(page, "?")
    page.page.get_by_role("button", name="Close").wait_for()
    assert page.get("document.activeElement.textContent") == "Close", "the space bar closes the list"

    def names():
        """What the buttons are called that letters press, too, and the pit."""
        titles = "['rewind', 'mute', 'help'].map(id => document.getElementById(id).title)"
        return [*page.get(titles), page.page.locator("#pit").get_attribute("aria-label")]

    def ends_with_a_key(words):
        return words.endswith((")", "question mark tells all keys."))

    before = names()
    assert all(ends_with_a_key(words) for words in before)
    page.page.get_by_label(LETTERS).uncheck()
    press(page, "Escape")

    def do_nothing():
        for key in ("m", "r", "n", "g", "t", "x", "q", "e", "i", "j", "k", "l", "?", "Shift+D"):
            press(page, key)
        page.page.keyboard.down("a")
        page.wait("(pit, tick) => pit.tick > tick + 30", page.get("pit.tick"))
        assert page.get("pit.tilt") == {"x": 0, "y": 1}
        page.page.keyboard.up("a")
        assert page.page.locator("#mute").get_attribute("aria-pressed") == "true"
        assert aim(page) is None and page.get("pit.past") is None
        assert page.page.locator("#keys-help").count() == 0
        assert page.page.locator("#debug").is_hidden()

    do_nothing()
    assert [word for word in names() if ends_with_a_key(word)] == []
    # Other keys do what they did, and letters are typed where one types.
    press(page, "Shift+ArrowLeft")
    page.page.wait_for_function(f"() => {AIM} !== null")
    press(page, "Escape")
    page.page.keyboard.down("ArrowLeft")
    page.wait("pit => pit.tilt.x < -0.9")
    page.page.keyboard.up("ArrowLeft")
    page.page.locator("#words input").click()
    page.page.keyboard.type("So cold?")
    assert page.page.locator("#words input").input_value() == "So cold?"

    page.page.reload()
    page.wait("pit => pit.connected && pit.recorded > 90")
    do_nothing()
    page.until(lambda: not any(ends_with_a_key(words) for words in names()))
    page.page.locator("#help").focus()
    press(page, "Enter")
    page.page.get_by_label(LETTERS).wait_for()
    press(page, "Escape")
    page.page.locator("#keys-help").wait_for(state="detached")
    # Without "?" the list is found by a click, too.
    page.page.locator("#help").click()
    page.page.get_by_label(LETTERS).check()
    assert names() == before
    press(page, "Escape")
    page.page.locator("#keys-help").wait_for(state="detached")
    press(page, "m")
    page.page.locator("#mute[aria-pressed=false]").wait_for()
    assert page.complaints == []


def test_keys_are_told_in_chinese_and_nothing_is_fetched_before(open_scene):
    page = open_scene("pit", "--bodies", 3, query="?lang=zh")
    fetched = "performance.getEntriesByType('resource').filter(one => one.name.includes('/keyboard/')).length"
    assert page.get(fetched) == 0
    start(page)
    heard(page, "准星在池子里|空处")
    assert page.get(fetched) > 0


def test_nothing_is_aimed_while_somebody_types(open_scene):
    page = open_scene("rain")
    page.page.locator("#words input").wait_for()
    page.page.locator("#words input").focus()
    page.page.keyboard.type("king lgx?")
    assert page.page.locator("#words input").input_value() == "king lgx?"
    assert aim(page) is None and page.page.locator("#keys-help").count() == 0


def test_keys_that_are_pressed_while_their_code_loads_are_done_when_it_is_there(open_scene):
    page = open_scene("pit", "--bodies", 0)
    waiting = []
    page.page.route("**/keyboard/player.js", lambda route: waiting.append(route))
    for key in ("KeyL", "KeyE", "Enter"):
        press(page, key)
    page.page.wait_for_timeout(200)
    assert len(waiting) == 1 and aim(page) is None
    waiting[0].continue_()
    heard(page, "aim is in the pit(.|\n)*is next(.|\n)*dropped")
    page.wait("pit => pit.count === 1")


def test_keys_come_after_their_code_could_not_be_loaded(open_scene):
    page = open_scene("pit", "--bodies", 0)
    page.page.route("**/keyboard/player.js*", lambda route: route.abort())
    press(page, "KeyL")
    page.page.wait_for_timeout(500)
    assert aim(page) is None
    page.page.unroute("**/keyboard/player.js*")
    start(page)
    press(page, "Enter")
    heard(page, "dropped")


def test_what_is_not_done_is_not_said(open_scene):
    page = open_scene("pit", "--bodies", 0)
    start(page)
    # Of sixty in a moment the page sends two dozen, and they are told as one.
    said = page.page.evaluate(
        """() => {
          const region = document.getElementById("aim-news");
          const key = { code: "Enter", bubbles: true, cancelable: true };
          for (let press = 0; press < 60; press += 1) {
            document.body.dispatchEvent(new KeyboardEvent("keydown", key));
          }
          return new Promise(done => setTimeout(() => done(region.textContent), 300));
        }"""
    )
    assert 20 < said.count("dropped") < 30


def test_letters_in_the_hosts_fields_are_typed(open_scene):
    page = open_scene("pit", query="?host")
    field = page.page.locator("#host input[type=password]")
    field.wait_for()
    # It asks for the token at once.
    field.blur()
    start(page)
    place = aim(page)
    field.focus()
    page.page.keyboard.type("jkl wasd gtx mr?")
    assert field.input_value() == "jkl wasd gtx mr?"
    assert aim(page) == place and page.page.locator("#keys-help").count() == 0
