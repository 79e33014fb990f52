"""Browsers that lack something: a plain canvas in place of WebGL 2, and clear words for the rest."""

import pytest
from test_page import assert_drawn

NO_WEBGL = """
const { getContext } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.getContext = function (kind, ...values) {
  // Read now and then by the tests, of which Chromium warns otherwise.
  const read = this.id === "pit" ? [{ willReadFrequently: true }] : values;
  return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...read);
};
"""

# The colours in the middle of the picture's parts, as the canvas has them.
PIXEL = """([x, y]) => {
  const canvas = document.getElementById("pit");
  const box = canvas.getBoundingClientRect();
  const place = window.stickerPit.toWindow(x, y);
  const scale = canvas.width / box.width;
  const [left, top] = [(place.x - box.left) * scale, (place.y - box.top) * scale];
  return [...canvas.getContext("2d").getImageData(left, top, 1, 1).data];
}"""


@pytest.fixture
def plain(server, new_page):
    page = new_page()
    page.page.add_init_script(NO_WEBGL)
    return page.join(server.url)


def test_without_webgl_the_pit_is_drawn_on_a_plain_canvas(plain):
    assert_drawn(plain)
    # Stickers that still fall cover none of it.
    for place in ((384, 144), (384, 480), (-6, 480)):
        plain.free_place(*place)
    red, green, blue, opacity = plain.page.evaluate(PIXEL, [384, 144])
    # The floor between its dots: green and blue, and lighter above.
    assert opacity == 255 and green > red and blue > red
    below = plain.page.evaluate(PIXEL, [384, 480])
    assert sum(below[:3]) < red + green + blue
    # Around the world lies its rim, of orange.
    red, green, blue, opacity = plain.page.evaluate(PIXEL, [-6, 480])
    assert opacity == 255 and red > blue
    assert plain.complaints == []


def test_without_webgl_one_plays_as_ever(plain):
    plain.page.mouse.click(*plain.free_place(360, 60))
    plain.wait("pit => pit.count === 41")
    assert plain.page.locator("#my-name").inner_text() == plain.get("pit.name")
    plain.settle()
    slot, x, y = plain.get(
        "pit.positions().sort((one, other) => one.y - other.y).map(({slot, x, y}) => [slot, x, y])[0]"
    )
    plain.page.mouse.move(*plain.place(x, y))
    plain.page.mouse.down()
    plain.page.mouse.move(*plain.place(360, 300), steps=10)
    there = """(pit, slot) => {
      const { x, y, holder } = pit.positions().find(one => one.slot === slot);
      return holder === pit.id && Math.hypot(x - 360, y - 300) < 5;
    }"""
    plain.wait(there, slot)
    # A halo in the own colour lies around it.
    halo = plain.get("pit.halos()[0].colour")
    wanted = [int(halo[at : at + 2], 16) for at in (1, 3, 5)]
    around = f"""pit => {{
      const {{ x, y, size }} = pit.positions().find(one => one.slot === {slot});
      // What is held is peeled off, and drawn larger.
      const edge = size * (1 + Math.min(0.3, 30 / size)) / 2;
      // A square one may hang by a corner, which is 0.41 farther out than the middle of a side.
      const near = Array.from({{ length: Math.ceil(edge * 0.41) + 6 }}, (_, out) => [x, y - edge - out]);
      return near.map(({PIXEL})).some(one => {wanted}.every((part, at) => Math.abs(part - one[at]) < 30));
    }}"""
    plain.wait(around)
    plain.page.mouse.up()
    assert plain.complaints == []


@pytest.mark.parametrize("scene", ["rain", "gallery", "drag", "toss"])
def test_without_webgl_every_scene_is_drawn(start_pit, new_page, scene):
    server = start_pit("--scene", scene, "--seed", 1)
    page = new_page()
    page.page.add_init_script(NO_WEBGL)
    page.page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait("(pit, scene) => pit.connected && pit.scene === scene && pit.tick > 0", scene)
    page.wait(f"pit => ({PIXEL})([pit.world.width / 2, pit.world.height / 2])[3] > 200")
    if scene in ("gallery", "drag", "toss"):
        # Its squares and cards have their colours, which are not the floor's.
        different = f"""pit => {{
          const [{{ x, y }}] = pit.positions();
          const there = ({PIXEL})([x, y]);
          const floor = ({PIXEL})([20, pit.world.height / 2]);
          return there.some((part, at) => Math.abs(part - floor[at]) > 30);
        }}"""
        page.wait(different)
    assert page.complaints == []


NO_WEBASSEMBLY = "delete window.WebAssembly;"
# A browser of before 2021 knows no vectors: such modules are not valid there.
NO_VECTORS = """
WebAssembly.validate = () => false;
WebAssembly.instantiate = () => Promise.reject(new WebAssembly.CompileError("invalid value type"));
"""
NO_CANVAS = "HTMLCanvasElement.prototype.getContext = () => null;"


@pytest.mark.parametrize(
    ("lack", "words"),
    [(NO_WEBASSEMBLY, "switched off"), (NO_VECTORS, "too old"), (NO_CANVAS, "nothing to draw")],
    ids=["no WebAssembly", "no vectors", "no canvas"],
)
def test_what_can_not_work_is_said(server, new_page, lack, words):
    page = new_page(390, 844)
    page.page.add_init_script(lack)
    page.page.goto(server.url)
    status = page.page.locator("#status.failure")
    status.wait_for(state="visible")
    assert words in status.inner_text()
    # All of it can be read.
    box, arena = status.bounding_box(), page.page.locator("#arena").bounding_box()
    assert box["x"] >= arena["x"] and box["x"] + box["width"] <= arena["x"] + arena["width"]
    assert status.evaluate("one => one.scrollWidth <= one.clientWidth")
