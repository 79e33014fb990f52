"""Playing alone: the page has a pit to itself while no server answers, and joins when one does."""

import time

import pytest

SIGN = "Playing alone: no server"


def tilts_and_drops(page):
    """What one does is done, as with a server."""
    count = page.get("pit.count")
    page.page.mouse.click(*page.free_place(360, 60))
    page.wait("(pit, count) => pit.count === count + 1", count)
    page.page.locator("#bowl").focus()
    page.page.keyboard.down("ArrowRight")
    page.wait("pit => pit.gravity.x > 0.8")
    page.page.keyboard.up("ArrowRight")
    page.wait("pit => pit.gravity.y > 0.8")


def lies_still(page):
    places = "pit.positions().map(({ slot, x, y }) => [slot, x, y])"
    before = page.get(places)
    page.wait("(pit, tick) => pit.tick > tick + 20", page.get("pit.tick"))
    after = page.get(places)
    return len(before) == len(after) and all(
        one[0] == two[0] and abs(one[1] - two[1]) + abs(one[2] - two[2]) < 1
        for one, two in zip(before, after)
    )


def holds_and_lets_go(page):
    """A sticker follows the pointer, and falls when it is let go."""
    # What was dropped just now still falls, and would not be where it is looked for. There is no server
    # to ask: all lies still when nothing has moved a point in twenty ticks of the page's own.
    page.until(lambda: lies_still(page))
    slot, x, y = page.get(
        "pit.positions().sort((one, other) => one.y - other.y).map(({slot, x, y}) => [slot, x, y])[0]"
    )
    mouse = page.page.mouse
    mouse.move(*page.place(x, y))
    mouse.down()
    page.wait("(pit, slot) => pit.holding.includes(slot)", slot)
    mouse.move(*page.place(360, 300), steps=10)
    there = """(pit, slot) => {
      const { x, y, holder } = pit.positions().find(one => one.slot === slot);
      return holder === pit.id && Math.hypot(x - 360, y - 300) < 40;
    }"""
    page.wait(there, slot)
    mouse.up()
    page.wait("(pit, slot) => pit.positions().find(one => one.slot === slot).y > 400", slot)


def test_the_world_goes_on_without_its_server_and_with_it_again(server, pit):
    pit.settle()
    slots = "pit.positions().map(({ slot }) => slot)"
    before, name = pit.get(slots), pit.get("pit.name")
    server.stop()
    pit.wait("pit => pit.alone")
    # The same stickers where they lay, and nobody else.
    assert pit.get(slots) == before and pit.get("pit.name") == name
    sign = pit.page.locator("#alone")
    sign.wait_for(state="visible")
    assert sign.inner_text() == SIGN
    pit.page.locator("#status").wait_for(state="hidden")
    assert pit.page.locator("#count").inner_text() == "1"
    # Nothing is recorded.
    pit.page.locator("#rewind").wait_for(state="hidden")
    tilts_and_drops(pit)
    holds_and_lets_go(pit)
    server.start()
    pit.wait("pit => pit.connected && !pit.alone && pit.count === 40")
    pit.said("Back with everybody")
    sign.wait_for(state="hidden")
    pit.wait("(pit, tick) => pit.tick > tick + 10", pit.get("pit.tick"))
    pit.page.mouse.click(*pit.free_place(360, 60))
    pit.wait("pit => pit.count === 41")


def test_a_screen_reader_hears_once_that_one_plays_alone(server, pit):
    server.stop()
    pit.page.locator("#alone").wait_for()
    pit.page.evaluate(
        """() => {
          window.written = 0;
          new MutationObserver(changes => (window.written += changes.length))
            .observe(document.getElementById("alone"), { childList: true, characterData: true, subtree: true });
        }"""
    )
    tries = pit.openings()
    pit.until(lambda: len(tries) > 2)
    assert pit.get("window.written") == 0
    server.start()
    pit.wait("pit => pit.connected")


@pytest.mark.parametrize("scene", ["rain", "gallery", "drag", "toss"])
def test_each_scene_goes_on(start_pit, new_page, scene):
    server = start_pit("--scene", scene, "--seed", 1)
    page = new_page()
    page.page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait("(pit, scene) => pit.connected && pit.scene === scene && pit.tick > 0", scene)
    if scene == "rain":
        # Its code comes from the server, and so does what its phrases bring.
        page.page.locator("#words input").wait_for()
        page.page.locator(".chips img").first.wait_for()
    server.stop()
    page.wait("pit => pit.alone")
    page.wait("(pit, tick) => pit.tick > tick + 60", page.get("pit.tick"))
    assert page.get("pit.scene") == scene
    if scene == "rain":
        page.page.locator("#words input").fill("It is SO  cold!")
        page.page.keyboard.press("Enter")
        page.wait("pit => pit.positions().filter(({ kind }) => kind === 18).length > 10")
        page.said("You made it rain snow")
        page.page.locator("#words input").fill("nothing of note")
        page.page.keyboard.press("Enter")
        page.said("Nothing falls for that one. Try “happy birthday”")


def test_who_is_alone_in_the_rain_is_told_a_phrase_of_their_language(start_pit, new_page):
    server = start_pit("--scene", "rain", "--seed", 1)
    page = new_page()
    page.page.goto(f"http://127.0.0.1:{server.port}/?lang=zh")
    page.page.locator(".chips img").first.wait_for()
    server.stop()
    page.wait("pit => pit.alone")
    page.page.locator("#words input").fill("什么也没有")
    page.page.keyboard.press("Enter")
    page.said("这个词什么也召不来，试试“生日快乐”。")


def test_a_page_that_never_reached_a_server_makes_a_pit_of_its_own(server, new_page):
    page = new_page(390, 844)
    lost = []
    page.page.route_web_socket("**/ws", lambda socket: lost or socket.close(code=1011))
    page.page.goto(server.url)
    page.wait("pit => pit.alone && pit.count === 30")
    assert page.page.locator("#my-name").inner_text() == "Solo"
    page.wait("(pit, tick) => pit.tick > tick + 30", page.get("pit.tick"))
    tilts_and_drops(page)


class Line:
    """The way to the server, which can be cut without either end being told."""

    def __init__(self):
        self.is_cut = False

    def carry(self, socket):
        server = socket.connect_to_server()
        socket.on_message(lambda message: self.is_cut or server.send(message))
        server.on_message(lambda message: self.is_cut or socket.send(message))


def test_a_network_that_is_lost_and_found(server, new_page):
    line = Line()
    page = new_page()
    page.page.route_web_socket("**/ws", line.carry)
    page.join(server.url)
    name = page.get("pit.name")
    line.is_cut = True
    page.wait("pit => pit.alone")
    page.page.locator("#alone").wait_for(state="visible")
    line.is_cut = False
    page.wait("pit => pit.connected && !pit.alone && pit.count === 40")
    page.said("Back with everybody")
    assert page.get("pit.name") == name


def test_a_server_that_is_back_soon_leaves_nobody_alone(server, pit):
    # Time stands still for the page, however long the server takes: it tries again when we say so.
    pit.page.clock.install()
    pit.page.clock.pause_at(time.time() + 3600)
    server.stop()
    pit.wait("pit => !pit.connected")
    server.start()
    pit.page.clock.run_for(4000)
    pit.wait("pit => pit.connected")
    pit.page.clock.resume()
    pit.wait("pit => pit.connected && pit.count === 40")
    assert not any("Back" in words for words in pit.page.evaluate("window.passed.toasts"))
