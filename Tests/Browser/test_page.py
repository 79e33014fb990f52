"""The page loads, joins and draws."""

import base64
import re

# How many of the round stickers show their white border in a picture of the screen.
WHITE_BORDERS = """async picture => {
  const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const pit = window.stickerPit;
  // A border is hardly wider than a pixel, so the pixels around the place count as well.
  const isWhite = ({ x, y }) => {
    const place = pit.toWindow(x, y);
    const { data } = context.getImageData(Math.round(place.x) - 1, Math.round(place.y) - 1, 3, 3);
    return Array.from({ length: 9 }, (_, pixel) => data.slice(pixel * 4, pixel * 4 + 3))
      .some(parts => parts.every(part => part > 200));
  };
  const { CORNERS } = await import(pageFile("./core/wire.js"));
  const round = pit.positions().filter(({ kind }) => CORNERS[kind] === 1);
  const hits = round.flatMap(({ x, y, size }) =>
    [-0.465, 0.465].map(side => isWhite({ x: x + side * size, y })));
  return hits.filter(Boolean).length / hits.length;
}"""


def assert_drawn(pit):
    """The stickers must be seen on the screen where the page believes them to be."""
    pit.settle()
    # Pictures are taken until the stickers have come to rest and have been drawn there. The corner
    # that has come off some of them covers a part of the border.
    for _ in range(40):
        picture = base64.b64encode(pit.page.screenshot()).decode()
        if (share := pit.page.evaluate(WHITE_BORDERS, picture)) > 0.7:
            return
    raise AssertionError(f"only {share:.0%} of the borders are white")


def test_loads_and_joins_without_complaints(pit):
    pit.wait("(pit, before) => pit.tick > before", pit.get("pit.tick"))
    assert pit.complaints == []
    assert pit.get("pit.count") == 40


def test_stickers_are_drawn(pit):
    assert_drawn(pit)


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
        page.page.wait_for_function("() => document.querySelectorAll('#dots li').length === 2")
        assert page.page.locator("#dots li.self").inner_text().startswith(page.get("pit.name"))
    second.page.close()
    first.wait("pit => pit.people === 1")


def test_a_good_link_is_not_shown_and_its_figures_are_for_who_builds(pit):
    pit.wait("pit => pit.quality >= 2 && pit.link.roundTrip > 0")
    pit.page.wait_for_function("() => document.getElementById('link').dataset.bars >= 2")
    pit.page.locator("#link-news").wait_for(state="hidden")
    assert not re.search(r"\d\s*ms", pit.page.locator("#hud").inner_text())
    pit.page.keyboard.press("Shift+D")
    pit.page.wait_for_function(
        r"() => /round trip\s+\d+\.\d ms/.test(document.getElementById('debug').textContent)"
    )


def test_an_empty_place_is_not_white(pit):
    # Guards the test above: the floor must not pass for a border.
    pit.settle()
    picture = base64.b64encode(pit.page.screenshot()).decode()
    elsewhere = WHITE_BORDERS.replace("pit.toWindow(x, y)", "pit.toWindow(x, y - 500)")
    assert pit.page.evaluate(elsewhere, picture) < 0.1


def test_draws_again_after_the_graphics_context_was_lost(pit):
    pit.page.evaluate(
        """() => {
          const gl = document.getElementById("pit").getContext("webgl2");
          window.lost = gl.getExtension("WEBGL_lose_context");
          // It may be restored after the page has heard of the loss and said that it goes on.
          gl.canvas.addEventListener("webglcontextlost", event => {
            setTimeout(() => (window.goesOn = event.defaultPrevented));
          });
          window.lost.loseContext();
        }"""
    )
    pit.page.wait_for_function("() => window.goesOn")
    pit.page.evaluate("window.lost.restoreContext()")
    assert_drawn(pit)


def test_debug_panel_shows_the_numbers(server, new_page):
    pit = new_page().join(server.url + "?debug")
    pit.page.wait_for_function(
        r"() => /decode +\d+ µs/.test(document.getElementById('debug').textContent)"
    )
    pit.page.keyboard.press("Shift+D")
    pit.page.locator("#debug").wait_for(state="hidden")
    assert pit.get("pit.link.gaps") == 0


NOTE_WAKE_LOCKS = """
window.asked = 0;
Object.defineProperty(navigator, "wakeLock", {
  value: { request: async kind => { window.asked += Number(kind === "screen"); } },
});
"""


def test_the_screen_stays_awake_and_is_asked_once_more_within_a_gesture(server, new_page):
    page = new_page()
    page.page.add_init_script(NOTE_WAKE_LOCKS)
    page.join(server.url)
    page.wait("() => window.asked === 1")
    for _ in range(2):
        page.page.mouse.click(*page.free_place(360, 60))
        page.wait("() => window.asked === 2")
    page.set_visibility("hidden")
    page.set_visibility("visible")
    page.wait("() => window.asked === 3")
