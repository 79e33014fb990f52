"""What happens to phones: they lie in pockets for an hour, are locked, sleep, say no, and are slow."""

import pytest
from test_page import assert_drawn

HOUR = 3_600_000


def show(page):
    """Brings the page back to the front; tells what it does in the same moment."""
    return page.page.evaluate(
        """() => {
          Object.defineProperty(document, "visibilityState", { configurable: true, value: "visible" });
          document.dispatchEvent(new Event("visibilitychange"));
          return window.stickerPit.state;
        }"""
    )


def test_after_an_hour_in_the_background_all_is_as_it_was(server, new_page):
    page = new_page()
    page.page.clock.install()
    page.join(server.url)
    name = page.get("pit.name")
    page.set_visibility("hidden")
    page.wait("pit => pit.state === 'paused'")
    page.page.clock.fast_forward(HOUR)
    assert show(page) == "connecting"
    page.wait("pit => pit.connected && pit.count === 40")
    page.wait("(pit, tick) => pit.tick > tick + 10", page.get("pit.tick"))
    # For the server it was a moment: whoever was away for longer is somebody new.
    assert page.get("pit.name") == name
    page.page.mouse.click(*page.free_place(360, 60))
    page.wait("pit => pit.count === 41")
    assert_drawn(page)
    assert page.complaints == []


def test_who_played_alone_goes_on_after_an_hour_where_it_was(server, new_page):
    page = new_page()
    page.page.clock.install()
    page.join(server.url)
    server.stop()
    page.wait("pit => pit.alone")
    page.set_visibility("hidden")
    page.wait("pit => pit.state === 'paused'")
    tick = page.get("pit.tick")
    page.page.clock.fast_forward(HOUR)
    show(page)
    page.wait("(pit, tick) => pit.alone && pit.tick > tick + 10", tick)
    # An hour would be 216 000 ticks, which nobody wants to wait for.
    assert page.get("pit.tick") < tick + 50_000
    server.start()
    page.wait("pit => pit.connected && pit.count === 40")


def test_a_phone_that_is_unlocked_is_back_at_once(pit):
    openings = pit.openings()
    pit.set_visibility("hidden")
    pit.wait("pit => pit.state === 'paused'")
    # Not after a wait, however short: in the same moment.
    assert show(pit) == "connecting"
    pit.wait("pit => pit.connected && pit.count === 40")
    assert len(openings) == 1


DENY = """
DeviceOrientationEvent.requestPermission = () => Promise.resolve("denied");
"""


def test_a_refused_sensor_leaves_the_ball(server, new_page):
    page = new_page(390, 844, has_touch=True, is_mobile=True)
    page.page.add_init_script(DENY)
    page.join(server.url)
    # It breathes, so it is never still enough for Playwright.
    page.page.locator("#motion .ask").tap(force=True)
    sentence = page.page.locator("#motion .sentence")
    sentence.wait_for(state="visible")
    assert "not allowed" in sentence.inner_text() and "drag the ball" in sentence.inner_text()
    assert page.page.locator("#motion .ask").is_hidden()
    box = page.page.locator("#bowl").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.page.mouse.move(*middle)
    page.page.mouse.down()
    page.page.mouse.move(middle[0] + box["width"] / 2, middle[1], steps=3)
    page.wait("pit => pit.gravity.x > 0.8")
    page.page.mouse.up()
    page.page.locator("#motion .dismiss").tap()
    page.page.locator("#motion").wait_for(state="hidden")


# A screen of 30 pictures a second: callbacks come two at a time, every second time.
THIRTY_HERTZ = """
const { requestAnimationFrame: ask } = window;
window.requestAnimationFrame = callback => ask(() => ask(callback));
window.shown = 0;
const count = () => {
  window.shown += 1;
  window.requestAnimationFrame(count);
};
window.requestAnimationFrame(count);
"""

# Whether the canvas has all the pixels of its place on the screen, and so many pictures were shown.
IS_SHARP = """(pit, pictures) => {
  const { width, clientWidth } = document.getElementById("pit");
  return window.shown > pictures && width === Math.round(clientWidth * devicePixelRatio);
}"""


@pytest.mark.parametrize("stream", ["replica", "state"])
def test_a_screen_of_thirty_hertz(server, new_page, stream):
    page = new_page()
    page.page.add_init_script(THIRTY_HERTZ)
    page.join(f"{server.url}?stream={stream}")
    page.wait("(pit, tick) => pit.tick > tick + 120", page.get("pit.tick"))
    page.page.mouse.click(*page.free_place(360, 60))
    page.wait("pit => pit.count === 41")
    page.page.locator("#bowl").focus()
    page.page.keyboard.down("ArrowRight")
    page.wait("pit => pit.gravity.x > 0.8")
    page.page.keyboard.up("ArrowRight")
    assert_drawn(page)
    assert page.complaints == []


# A busy machine is a slow device, which draws fewer pixels for as long as that lasts.
@pytest.mark.serial
def test_a_screen_of_thirty_hertz_is_no_slow_device(server, new_page):
    # Small, so that software draws it in time; two pixels a CSS pixel, so that there are some to leave out.
    page = new_page(300, 400, device_scale_factor=2)
    page.page.add_init_script(THIRTY_HERTZ)
    page.join(server.url)
    page.page.locator("#bowl").focus()

    # Until it is clear that pixels are not what takes the time, after three times 45 pictures, there may be fewer;
    # then there are all of them again. Only what moves is drawn, and judged.
    def is_sharp_again():
        for key in ("ArrowLeft", "ArrowRight"):
            page.page.keyboard.down(key)
            page.wait("(pit, tick) => pit.tick > tick + 40", page.get("pit.tick"))
            page.page.keyboard.up(key)
        return page.comes(IS_SHARP, 240, seconds=1)

    page.until(is_sharp_again)
    assert page.complaints == []
