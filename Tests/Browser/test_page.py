"""The page loads, joins and draws."""

import re

# Copies the picture inside an animation frame, before the browser takes it away, and looks at the
# white borders of the round stickers. Frames in which the page drew nothing are waited out.
WHITE_BORDERS = """async pit => {
  const canvas = document.getElementById("pit");
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext("2d", { willReadFrequently: true });
  await new Promise(requestAnimationFrame);
  context.drawImage(canvas, 0, 0);
  const box = canvas.getBoundingClientRect();
  const ratio = canvas.width / box.width;
  const round = pit.positions().filter(sticker => sticker.kind % 2 === 0);
  const white = round.filter(({ x, y }) => {
    const place = pit.toWindow(x, y - 18.6);
    const at = [(place.x - box.left) * ratio, (place.y - box.top) * ratio].map(Math.round);
    return context.getImageData(...at, 1, 1).data.slice(0, 3).every(part => part > 190);
  });
  return round.length > 10 && white.length > 0.7 * round.length;
}"""


def test_loads_and_joins_without_complaints(pit):
    pit.wait("(pit, before) => pit.tick > before", pit.get("pit.tick"))
    assert pit.complaints == []
    assert pit.get("pit.count") == 40


def test_stickers_are_drawn(pit):
    pit.wait(WHITE_BORDERS)


def test_name_and_colour_are_the_servers(pit):
    assert re.fullmatch(r"\S.*", pit.get("pit.name"))
    assert re.fullmatch(r"#[0-9a-f]{6}", pit.get("pit.colour"))
    assert pit.page.locator("#my-name").inner_text() == pit.get("pit.name")


def test_everybody_is_counted_and_shown(server, new_page):
    first = new_page().join(server.url)
    first.wait("pit => pit.people === 1")
    second = new_page().join(server.url)
    for page in (first, second):
        page.wait("pit => pit.people === 2 && document.getElementById('count').textContent === '2'")
        page.page.wait_for_function("document.querySelectorAll('#dots li').length === 2")
        assert page.page.locator("#dots li.self").inner_text().startswith(page.get("pit.name"))
    second.page.close()
    first.wait("pit => pit.people === 1")


def test_link_quality_is_shown(pit):
    pit.wait("pit => pit.quality >= 1 && pit.link.roundTrip > 0")
    pit.page.wait_for_function("document.getElementById('link').dataset.bars >= 1")
    pit.page.wait_for_function(r"/\d ms/.test(document.getElementById('latency').textContent)")


def test_draws_again_after_the_graphics_context_was_lost(pit):
    pit.page.evaluate(
        """() => {
          const gl = document.getElementById("pit").getContext("webgl2");
          window.lost = gl.getExtension("WEBGL_lose_context");
          window.lost.loseContext();
        }"""
    )
    pit.page.wait_for_function(
        "document.getElementById('pit').getContext('webgl2').isContextLost()"
    )
    pit.page.evaluate("window.lost.restoreContext()")
    pit.wait(WHITE_BORDERS)


def test_debug_panel_shows_the_numbers(server, new_page):
    pit = new_page().join(server.url + "?debug")
    pit.page.wait_for_function(r"/decode +\d+ µs/.test(document.getElementById('debug').textContent)")
    pit.page.keyboard.press("Shift+D")
    pit.page.locator("#debug").wait_for(state="hidden")
    assert pit.get("pit.link.gaps") == 0
