"""What the page draws besides the stickers, and what that costs the collector."""

import base64

import pytest
from test_plainbrowser import NO_WEBGL


@pytest.fixture
def evaluate(blank_page):
    """Runs the body of a function that imports the page's modules."""
    return lambda body: blank_page.evaluate(f"async () => {{ {body} }}")


def test_marks_stay_in_memory_that_is_kept(evaluate):
    lengths, buffers, last = evaluate(
        """const { MarkList } = await import("./draw/marklist.js");
        const marks = new MarkList();
        const lengths = [], buffers = new Set();
        for (const count of [3, 3, 0, 100, 2]) {
          marks.clear();
          for (let at = 0; at < count; at += 1) marks.add(at, 2, 3, 4, 5, 6, 7, 1, [8, 9, 10], 0.5);
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
        """const { Remembered } = await import("./draw/remembered.js");
        const remembered = new Remembered();
        return [[], [1], [1], [1, 2], [1], [3], [], []]
          .map(numbers => remembered.replacedBy(new Float32Array(numbers)));"""
    )
    assert told == [False, True, False, True, True, True, True, False]


# What a line across a picture meets, in order: white, the colour of its ground or a shadow on it, or
# something else. Lines that are too thin to be seen are left out.
ACROSS = """async ([name, y]) => {
  const image = new Image();
  image.src = `stickers/${name}.svg`;
  await image.decode();
  const canvas = new OffscreenCanvas(200, 200);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, 200, 200);
  const row = context.getImageData(0, 2 * y, 200, 1).data;
  const at = x => [...row.slice(4 * x, 4 * x + 3)];
  const ground = at(20);
  const sum = ([red, green, blue]) => red + green + blue;
  const isWhite = colour => Math.min(...colour) > 243;
  const isGround = colour => {
    const light = Math.min(1, sum(colour) / sum(ground));
    return colour.every((part, index) => Math.abs(part - light * ground[index]) < 20);
  };
  const met = [];
  for (let x = 0; x < 100; x += 1) {
    const colour = at(x);
    const what = isWhite(colour) ? "white" : isGround(colour) ? "ground" : "other";
    const last = met.at(-1);
    if (last?.what === what) last.width += 1;
    else met.push({ what, width: 1 });
  }
  const wide = met.filter(({ width }) => width > 2).map(({ what }) => what);
  return wide.filter((what, index) => what !== wide[index - 1]);
}"""


@pytest.mark.parametrize(
    ("name", "y"), [("01-robot", 75), ("03-pizza", 45), ("04-donut", 50), ("06-cat", 45), ("13-heart", 50)]
)
def test_a_white_edge_follows_the_picture(blank_page, name, y):
    met = blank_page.evaluate(ACROSS, [name, y])
    # The sticker's own edge, its ground, the edge around what is on it, and that.
    assert met[:4] == ["white", "ground", "white", "other"]


# The colours of a sticker at its corner at the right above and at the three others, on the way from its
# middle to where the corner is.
CORNERS = """slot => {
  const pit = window.stickerPit;
  const { x, y, size, angle, kind } = pit.positions().find(one => one.slot === slot);
  const reach = (kind % 2 === 0 ? 1 : 1.3) * 0.94 * size / 2;
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


# Counts arrays of floats, which all that is drawn is, that get memory of their own; a view of
# another one's gets none.
NOTE_ARRAYS = """
window.arrays = 0;
const Plain = Float32Array;
window.Float32Array = class Float32Array extends Plain {
  constructor(...values) {
    super(...values);
    if (!(values[0] instanceof ArrayBuffer)) window.arrays += 1;
  }
};
"""


def test_pictures_need_no_new_arrays(server, new_page):
    page = new_page(480, 640)
    page.page.add_init_script(NOTE_ARRAYS)
    page.join(server.url)
    page.page.keyboard.down("ArrowRight")
    # While the last of them rain in, or the window gets its size, some memory still grows.
    counts = [page.get("window.arrays")]
    while len(counts) < 2 or counts[-1] > counts[-2] and len(counts) < 10:
        tick = page.get("pit.tick")
        page.wait("(pit, tick) => pit.tick > tick + 60", tick)
        counts.append(page.get("window.arrays"))
    page.page.keyboard.up("ArrowRight")
    assert counts[0] > 0 and counts[-1] == counts[-2], counts


# Bytes a second that objects may take, whatever they are for: 60 pictures and as many messages at
# 5 kB, where 3 were counted. Memory of arrays is not among it.
MOST_BYTES = 300_000


def allocated(session, seconds, page):
    """Bytes that were allocated in that time, whether or not they were collected in it."""
    kept = {"includeObjectsCollectedByMajorGC": True, "includeObjectsCollectedByMinorGC": True}
    session.send("HeapProfiler.startSampling", {"samplingInterval": 256, **kept})
    page.wait_for_timeout(1000 * seconds)
    head = session.send("HeapProfiler.stopSampling")["profile"]["head"]

    def total(node):
        return node["selfSize"] + sum(map(total, node["children"]))

    return total(head)


def test_pictures_leave_little_behind(pit):
    """With the stickers in motion, so that each picture is another one."""
    session = pit.page.context.new_cdp_session(pit.page)
    session.send("HeapProfiler.enable")
    pit.page.keyboard.down("ArrowRight")
    # In the first seconds the browser translates what it runs.
    pit.page.wait_for_timeout(2000)
    costs = [allocated(session, 2, pit.page) / 2 for _ in range(3)]
    pit.page.keyboard.up("ArrowRight")
    assert 0 < sorted(costs)[1] < MOST_BYTES, costs
