"""Losing the connection and coming back."""

import pytest
from replica import SlowLine


def test_comes_back_by_itself_after_the_server_restarted(server, pit):
    server.stop()
    pit.wait("pit => !pit.connected")
    news = pit.page.locator("#link-news")
    for part in (pit.page.locator("#status"), news):
        part.wait_for(state="visible")
    assert news.text_content().strip() == "No link"
    server.start()
    pit.wait("pit => pit.connected && pit.count > 0")
    for part in (pit.page.locator("#status"), news):
        part.wait_for(state="hidden")
    pit.wait("(pit, before) => pit.tick > before", pit.get("pit.tick"))
    pit.page.mouse.click(*pit.free_place(360, 60))
    pit.wait("pit => pit.count === 41")


def test_a_reload_keeps_name_and_colour(pit):
    name, colour = pit.get("pit.name"), pit.get("pit.colour")
    pit.page.reload()
    pit.wait("pit => pit.connected && pit.count > 0")
    assert (pit.get("pit.name"), pit.get("pit.colour")) == (name, colour)


def test_pauses_while_hidden_and_resumes_as_the_same_person(pit):
    name = pit.get("pit.name")
    pit.set_visibility("hidden")
    pit.wait("pit => pit.state === 'paused'")
    pit.set_visibility("visible")
    pit.wait("pit => pit.connected && pit.count === 40")
    assert pit.get("pit.name") == name
    assert pit.complaints == []


def test_a_poor_link_is_shown_and_told_until_it_is_better(server, new_page):
    line = SlowLine(server.port, 0.3)
    page = new_page().join(line.url)
    news = page.page.locator("#link-news")
    news.wait_for(state="visible")
    # What comes into a live region is read out.
    assert page.page.locator("#link").aria_snapshot() == '- status:\n  - paragraph: Poor link'
    line.delay = 0
    news.wait_for(state="hidden")
    assert page.page.locator("#link").get_attribute("data-bars") in "234"
    line.stop()


def test_the_last_picture_stays_while_it_reconnects(server, pit):
    server.stop()
    pit.wait("pit => !pit.connected")
    assert pit.get("pit.count") == 40


WELCOME = 0x81

# How far to the right the floor leans in each picture.
NOTE_LEANS = """async () => {
  const { Renderer } = await import(pageFile("./draw/renderer.js"));
  const { draw } = Renderer.prototype;
  window.leans = [];
  Renderer.prototype.draw = function (picture, gravity, now) {
    window.leans.push(gravity.x);
    return draw.call(this, picture, gravity, now);
  };
}"""


class Line:
    """The way to the server, on which nothing but welcomes come while it is held."""

    def __init__(self):
        self.is_held = False

    def carry(self, socket):
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(
            lambda message: (self.is_held and message[0] != WELCOME) or socket.send(message)
        )
        self.cut = lambda: socket.close(code=1011)


@pytest.mark.parametrize("view", ["", "?view=stage"], ids=["page", "stage"])
def test_the_floor_leans_as_in_the_picture_that_stays(server, new_page, view):
    tilting = new_page(390, 700).join(server.url)
    tilting.page.keyboard.down("ArrowRight")
    line = Line()
    page = new_page()
    page.page.route_web_socket("**/ws", line.carry)
    page.join(server.url + view)
    page.page.evaluate(NOTE_LEANS)
    page.wait("() => window.leans.at(-1) > 0.5")
    line.is_held = True
    line.cut()
    page.wait("pit => !pit.connected")
    page.wait("pit => pit.connected")
    # The world is awaited now.
    page.page.evaluate("window.leans = []")
    page.wait("() => window.leans.length > 10")
    assert page.get("Math.min(...window.leans)") > 0.5 and page.get("pit.count") == 40


HELLO, CLOCK = 0x01, 0x05


def test_says_hello_first_and_then_keeps_the_clock(server, new_page):
    page = new_page()
    sent = page.sent()
    page.join(server.url)
    page.until(lambda: sent.count(CLOCK) >= 5)
    assert sent[0] == HELLO
    assert set(sent[1:]) == {CLOCK}, "who does not tilt has no say"
