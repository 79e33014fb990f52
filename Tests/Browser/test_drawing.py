"""What the page draws besides the stickers, and what that costs the collector."""

import base64
import contextlib
import math
import subprocess

import pytest
from aiming import start, take_first
from pitpage import CHROMIUM, CHROMIUM_ARGUMENTS, KEEPS_NOTHING, PitPage
from pitserver import ROOT, STICKERPIT
from play import is_held_by
from test_plainbrowser import NO_WEBGL


@pytest.fixture
def evaluate(blank_page):
    """Runs the body of a function that imports the page's modules."""
    return lambda body: blank_page.evaluate(f"async () => {{ {body} }}")


def test_marks_stay_in_memory_that_is_kept(evaluate):
    lengths, buffers, last = evaluate(
        """const { MarkList } = await import(pageFile("./draw/marklist.js"));
        const marks = new MarkList();
        const lengths = [], buffers = new Set();
        for (const count of [3, 3, 0, 100, 2]) {
          marks.clear();
          for (let at = 0; at < count; at += 1) {
            const mark = marks.next(1, [8, 9, 10]);
            marks.numbers.set([at, 2, 3, 4, 5, 6, 7], mark);
            marks.numbers[mark + 11] = 0.5;
          }
          lengths.push(marks.floats.length);
          buffers.add(marks.floats.buffer);
        }
        return [lengths, buffers.size, [...marks.floats]];"""
    )
    assert lengths == [36, 36, 0, 1200, 24]
    # It grew once, for a hundred.
    assert buffers == 2
    assert last == [0, 2, 3, 4, 5, 6, 7, 1, 8, 9, 10, 0.5, 1, 2, 3, 4, 5, 6, 7, 1, 8, 9, 10, 0.5]


def test_other_numbers_are_told_from_the_same(evaluate):
    told = evaluate(
        """const { Remembered } = await import(pageFile("./core/keptfloats.js"));
        const remembered = new Remembered();
        return [[], [1], [1], [1, 2], [1], [3], [], []]
          .map(numbers => remembered.replacedBy(new Float32Array(numbers)));"""
    )
    assert told == [False, True, False, True, True, True, True, False]


# What a line from the left edge to the middle of a picture meets, in order: white, the colour of its ground
# or a shadow on it, or something else; where it begins and ends, in percent of the picture's edge. Lines that
# are too thin to be seen are left out. Once of the picture as it is, once without the filter that makes
# the edge.
ACROSS = """async ([name, y]) => {
  const text = await (await fetch(`stickers/${name}.svg`)).text();
  const size = 400, thin = 5;
  const across = async svg => {
    const image = new Image();
    image.src = `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = new OffscreenCanvas(size, size);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, size, size);
    const row = context.getImageData(0, y * size / 100, size, 1).data;
    const at = x => [...row.slice(4 * x, 4 * x + 3)];
    const ground = at(size / 10);
    const sum = ([red, green, blue]) => red + green + blue;
    const isWhite = colour => Math.min(...colour) > 243;
    const isGround = colour => {
      const light = Math.min(1, sum(colour) / sum(ground));
      return colour.every((part, index) => Math.abs(part - light * ground[index]) < 20);
    };
    const runs = [];
    for (let x = 0; x < size / 2; x += 1) {
      if (row[4 * x + 3] < 128) continue;
      const colour = at(x);
      const what = isWhite(colour) ? "white" : isGround(colour) ? "ground" : "other";
      if (runs.at(-1)?.what === what) runs.at(-1).to = x + 1;
      else runs.push({ what, from: x, to: x + 1 });
    }
    const met = [];
    for (const { what, from, to } of runs.filter(({ from, to }) => to - from > thin)) {
      if (met.at(-1)?.what === what) met.at(-1).to = to * 100 / size;
      else met.push({ what, from: from * 100 / size, to: to * 100 / size });
    }
    return met;
  };
  return [await across(text), await across(text.replaceAll(' filter="url(#cut)"', ""))];
}"""

# Where such a line meets the picture on the ground squarely, in percent from the top: at its side.
SIDES = {
    "01-robot": 75, "03-pizza": 45, "04-donut": 50, "05-ghost": 46, "06-cat": 45, "07-rainbow": 50,
    "08-planet": 44, "09-cactus": 84, "10-daisy": 64, "11-boba": 60, "13-heart": 50, "14-egg": 49,
    "15-frog": 31,
}  # fmt: skip


@pytest.mark.parametrize("name", SIDES)
def test_a_white_edge_follows_the_picture(blank_page, name):
    met, plain = blank_page.evaluate(ACROSS, [name, SIDES[name]])
    # The sticker's own edge, its ground, the edge around what is on it, and that. It may itself be white
    # at first, and farther in as dark as a shadow.
    assert [one["what"] for one in met[:3]] == ["white", "ground", "white"] and len(met) > 3, met
    # Without the edge the ground goes on to the picture.
    assert [one["what"] for one in plain[:2]] == ["white", "ground"], plain
    assert 1.5 < plain[1]["to"] - met[1]["to"] < 6, (met, plain)


def test_only_what_is_its_disc_has_no_edge_on_it():
    pictures = {file.stem: file.read_text() for file in (ROOT / "web/stickers").glob("[01]?-*.svg")}
    # The sixteen of the pit; snow and cake are of the rain.
    usual = {name for name in pictures if int(name[:2]) < 16}
    assert len(usual) == 16
    assert usual - set(SIDES) == {"00-smile", "02-orange", "12-ball"}
    assert {name for name in usual if 'filter="url(#cut)"' in pictures[name]} == set(SIDES)


# The colours of a sticker at its corner at the right above and at the three others, on the way from its
# middle to where the corner is.
CORNERS = """async slot => {
  const { CORNERS } = await import(pageFile("./core/wire.js"));
  const pit = window.stickerPit;
  const { x, y, size, angle, kind } = pit.positions().find(one => one.slot === slot);
  const reach = (CORNERS[kind] === 1 ? 1 : 1.3) * 0.94 * size / 2;
  return [-45, 45, 135, 225].map(degrees => {
    const way = angle + degrees * Math.PI / 180;
    return pit.toWindow(x + reach * Math.cos(way), y + reach * Math.sin(way));
  });
}"""


@pytest.mark.parametrize("surface", ["webgl", "canvas"])
def test_a_corner_of_each_sticker_has_come_off(start_pit, new_page, surface):
    server = start_pit("--bodies", 1, "--seed", 1)
    page = new_page(700, 900, device_scale_factor=2)
    if surface == "canvas":
        page.page.add_init_script(NO_WEBGL)
    page.page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait("pit => pit.connected && pit.count === 1")
    page.settle()
    places = page.page.evaluate(CORNERS, page.get("pit.positions()[0].slot"))
    picture = page.page.screenshot()
    colours = page.page.evaluate(
        """async ([picture, places]) => {
          const image = new Image();
          image.src = `data:image/png;base64,${picture}`;
          await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          return places.map(({ x, y }) => [...context.getImageData(2 * x, 2 * y, 1, 1).data].slice(0, 3));
        }""",
        [base64.b64encode(picture).decode(), places],
    )
    curled, *others = colours
    # The floor is green, the sticker's edge white.
    assert max(curled) - min(curled) > 30, colours
    assert all(min(one) > 170 and max(one) - min(one) < 30 for one in others), colours


# Notes arrays of numbers that get memory of their own; a view of another one's gets none.
NOTE_ARRAYS = """
window.arrays = [];
for (const name of [
  "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array",
  "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
]) {
  const Plain = window[name];
  window[name] = class extends Plain {
    constructor(...values) {
      super(...values);
      if (!(values[0] instanceof ArrayBuffer)) window.arrays.push(`${name} ${this.length}`);
    }
  };
}
"""

PLACES = "Object.fromEntries(pit.positions().map(({ slot, x, y }) => [slot, [x, y]]))"


@pytest.mark.parametrize("stream", ["replica", "state"])
def test_pictures_need_no_new_arrays(start_pit, new_page, stream):
    # As many as there may be, so that their number is what it was.
    server = start_pit("--scene", "pit", "--seed", 1, "--bodies", 60, "--max-bodies", 60)
    page = new_page(480, 640)
    page.page.add_init_script(NOTE_ARRAYS)
    with hands(server.socket_url, 6):
        page.page.goto(f"http://127.0.0.1:{server.port}/?stream={stream}")
        page.wait("pit => pit.people === 7 && pit.count === 60")

        def second():
            """What arrays a second of the world's brings, and how many stickers move in it."""
            known, places = page.get("window.arrays.length"), page.get(PLACES)
            page.wait("(pit, tick) => pit.tick > tick + 60", page.get("pit.tick"))
            moved = [
                slot for slot, place in page.get(PLACES).items()
                if slot in places and math.dist(place, places[slot]) > 2
            ]  # fmt: skip
            return page.get(f"window.arrays.slice({known})"), len(moved)

        # While the window gets its size, or more is held than ever before, some memory still grows.
        seconds = [second() for _ in range(3)]
        while any(arrays for arrays, _ in seconds[-3:]) and len(seconds) < 30:
            seconds.append(second())
    assert page.get("window.arrays.length") > 0
    for arrays, moved in seconds[-3:]:
        assert arrays == [] and moved > 10, seconds


# Notes the draw calls of each picture, by what draws: the floor are two plain strips, stickers have ten numbers
# each and marks twelve, of which the buffer that is filled before tells.
NOTE_DRAW_CALLS = """
window.drawn = [];
let picture = [];
const gl = WebGL2RenderingContext.prototype;
const { drawArrays, drawArraysInstanced, vertexAttribPointer, bindVertexArray } = gl;
const strides = new Map();
let bound = null;
gl.bindVertexArray = function (array) {
  bound = array;
  return bindVertexArray.call(this, array);
};
gl.vertexAttribPointer = function (place, ...values) {
  if (place === 0) strides.set(bound, values[3] / 4);
  return vertexAttribPointer.call(this, place, ...values);
};
const note = name => picture.push(name);
gl.drawArrays = function (...values) {
  if (picture.length !== 1) window.drawn.push((picture = []));
  note("floor");
  return drawArrays.apply(this, values);
};
gl.drawArraysInstanced = function (...values) {
  note({ 10: "stickers", 12: "marks" }[strides.get(bound)] ?? "unknown");
  return drawArraysInstanced.apply(this, values);
};
for (const name of ["drawElements", "drawElementsInstanced", "drawRangeElements"]) {
  gl[name] = () => note("unknown");
}
"""


def is_one_draw_call(page):
    """Whether in each picture that was noted the stickers were drawn at once."""
    pictures = {tuple(one) for one in page.get("window.drawn")}
    # The floor and its rim, ledges below, the stickers, halos and rods above.
    assert all(one[:2] == ("floor", "floor") and one.count("stickers") <= 1 for one in pictures), pictures
    assert all(set(one[2:]) <= {"stickers", "marks"} and one.count("marks") <= 2 for one in pictures)
    return any("stickers" in one for one in pictures)


@pytest.fixture
def noted_page(start_pit, new_page):
    """Opens a page whose draw calls are noted."""

    def open_one(*flags):
        server = start_pit("--seed", 1, *flags)
        page = new_page(480, 640)
        page.page.add_init_script(NOTE_DRAW_CALLS)
        page.page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait("pit => pit.connected")
        return page

    return open_one


@pytest.mark.parametrize("scene", ["pit", "rain", "gallery", "drag", "toss"])
def test_all_stickers_of_a_picture_are_one_draw_call(noted_page, scene):
    page = noted_page("--scene", scene)
    if scene == "rain":
        page.page.get_by_role("button", name="so cold").click()
    # However many there are: kinds, sizes, forms and held ones make no second call.
    page.wait("pit => pit.count > 0 && window.drawn.some(one => one.includes('stickers'))")
    assert is_one_draw_call(page)


@pytest.mark.parametrize("flags", [[], ["--stickers", ROOT / "sets/fruit"]], ids=["usual", "fruit"])
def test_what_is_held_and_a_sets_stickers_are_in_the_same_draw_call(noted_page, flags):
    page = noted_page("--bodies", 40, *flags)
    page.wait("pit => pit.count === 40")
    if flags:
        page.page.locator("#tray .strip img").first.wait_for()
        page.wait("() => document.querySelectorAll('#tray .strip img').length === 8")
    holds_by_mouse(page)
    # What is held has a halo, and is moved, so that there are pictures of it.
    page.page.evaluate("window.drawn.length = 0")
    page.page.mouse.move(*page.place(200, 400), steps=4)
    page.wait("pit => pit.halos().length === 1 && window.drawn.filter(one => one.includes('marks')).length > 5")
    assert is_one_draw_call(page)
    page.page.mouse.up()


# Bytes of objects that a picture may leave behind. None of them is made by the page on purpose. What is
# left are numbers, of twelve bytes each, that the browser puts into objects of its own: the time of each
# animation frame and of `performance.now()`, and what WebGL and SVG are told. Messages of the socket are
# not counted.
MOST_BYTES = 400

# As after minutes of play: the browser translates into machine code what has run a few times.
TRANSLATES_SOON = (
    "--js-flags=--invocation-count-for-maglev=20 --invocation-count-for-turbofan=100 "
    "--invocation-count-for-early-optimization=5"
)

COUNT_PICTURES = """
window.pictures = 0;
const count = () => {
  window.pictures += 1;
  requestAnimationFrame(count);
};
requestAnimationFrame(count);
"""


# What the browser calls for each picture: for the pit, and for the aim that keys move.
BEGIN_PICTURES = {("frame", "display.js"), ("look", "player.js")}


# What runs only when a sticker seems to have been struck. That is too seldom for the browser to translate
# it, so each number that it computes of each sticker is an object: up to 165 bytes a picture, as many as
# there were blows.
SELDOM = {("#isNearAnything", "seeneffects.js"), ("#neighbour", "seeneffects.js")}


def allocated(session, page, pictures):
    """Bytes a picture that were allocated in the tasks of so many pictures, whether or not they were
    collected meanwhile, without those of what runs seldom. Messages have tasks of their own; memory of
    arrays is not among it."""
    kept = {"includeObjectsCollectedByMajorGC": True, "includeObjectsCollectedByMinorGC": True}
    page.page.evaluate("window.pictures = 0")
    session.send("HeapProfiler.startSampling", {"samplingInterval": 64, **kept})
    page.wait("(pit, pictures) => window.pictures > pictures", pictures)
    head = session.send("HeapProfiler.stopSampling")["profile"]["head"]
    count = page.page.evaluate("window.pictures")

    def total(node, is_in_picture):
        frame = node["callFrame"]
        called = (frame["functionName"], frame["url"].rsplit("/", 1)[-1])
        if called in SELDOM:
            return 0
        is_in_picture |= called in BEGIN_PICTURES
        own = node["selfSize"] if is_in_picture else 0
        return own + sum(total(child, is_in_picture) for child in node["children"])

    return total(head, False) / count


@pytest.fixture(scope="module")
def warm_browser(browser):
    """Another one, with flags of its own."""
    warm = browser.browser_type.launch(
        executable_path=CHROMIUM, args=[*CHROMIUM_ARGUMENTS, TRANSLATES_SOON]
    )
    yield warm
    warm.close()


@contextlib.contextmanager
def hands(url, count):
    """So many bots that play for as long as the block lasts."""
    flags = ["--url", url, "--count", str(count), "--seconds", "3600"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([STICKERPIT, "bots", *flags], **quiet) as bots:
        try:
            yield
        finally:
            bots.terminate()


def looks_on(page):
    pass


def holds_by_mouse(page):
    page.settle()
    page.page.mouse.move(*page.place(*page.get("Object.values(pit.positions()[0]).slice(0, 2)")))
    page.page.mouse.down()
    page.wait("pit => pit.holding.length === 1")
    page.page.mouse.move(*page.place(360, 300), steps=4)


def holds_by_keys(page):
    page.settle()
    start(page)
    is_held_by(page, take_first(page), page.get("pit.id"))


# Beside others the browser translates too late, and numbers are objects until then.
@pytest.mark.serial
@pytest.mark.parametrize(
    ("scene", "query", "others", "does"),
    # In motion by others' hands each picture is another one; without them the pit lies still.
    [
        ("pit", "stream=replica", 6, looks_on), ("pit", "stream=state", 6, looks_on),
        ("pit", "stream=replica", 0, holds_by_keys),
        *(pytest.param(*one, marks=pytest.mark.long) for one in [
            *((scene, "stream=replica", 6, looks_on) for scene in ("rain", "gallery", "drag", "toss")),
            ("pit", "stream=replica", 0, looks_on), ("pit", "stream=state", 0, looks_on),
            ("pit", "view=stage", 6, looks_on), ("pit", "stream=replica", 0, holds_by_mouse),
        ]),
    ],
)  # fmt: skip
def test_pictures_leave_nothing_behind(start_pit, warm_browser, scene, query, others, does):
    server = start_pit("--scene", scene, "--seed", 1, *(["--bodies", 60] if scene == "pit" else []))
    with hands(server.socket_url, others) if others else contextlib.nullcontext():
        context = warm_browser.new_context(viewport={"width": 480, "height": 640})
        page = PitPage(context.new_page())
        page.page.add_init_script(KEEPS_NOTHING + COUNT_PICTURES)
        page.page.goto(f"http://127.0.0.1:{server.port}/?{query}")
        page.wait("pit => pit.connected")
        does(page)
        page.wait("pit => window.pictures > 900")
        session = context.new_cdp_session(page.page)
        session.send("HeapProfiler.enable")
        costs = sorted(allocated(session, page, 150) for _ in range(3))
        context.close()
    assert 0 < costs[1] < MOST_BYTES, costs
