"""One person's pit at a time, and pits of other shapes and sizes, on the real page."""

import pytest
from test_accessibility import CONTRAST

LINE = "#captain"


@pytest.fixture
def captains(start_pit):
    return start_pit("--bodies", 40, "--seed", 1, "--tilt", "captain")


def url(pit, view=""):
    return f"http://127.0.0.1:{pit.port}/{view}"


def words(page):
    """What a screen reader says of the line: not the number in the circle."""
    return page.page.locator(f"{LINE} span").inner_text()


def test_the_pit_is_one_persons_and_then_the_next_ones(captains, new_page):
    one, two = (
        new_page(390, 700, has_touch=True, is_mobile=True).join(url(captains)) for _ in range(2))
    stage = new_page(1280, 720).join(url(captains, "?view=stage"))
    for page in (one, two, stage):
        page.page.locator(LINE).wait_for()
        assert words(page) == "Tilt to have the pit"
    one.tilt_phone(beta=0, gamma=80)
    one.wait("() => document.documentElement.dataset.captain === 'me'")
    assert words(one) == "The pit is yours: tilt!"
    two.tilt_phone(beta=0, gamma=-80)
    name = one.page.locator("#my-name").inner_text()
    for page in (two, stage):
        page.wait("() => document.documentElement.dataset.captain === 'other'")
        assert words(page) == f"{name} has the pit"
        # The circle in the person's colour, which runs down and is no news for a screen reader.
        circle = page.page.locator(f"{LINE} i")
        assert circle.get_attribute("aria-hidden") == "true"
        assert 1 <= int(circle.inner_text()) <= 10
    colour = one.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--me')")
    assert two.page.evaluate(
        "document.documentElement.style.getPropertyValue('--captain')") == colour.strip()
    left = "() => Number(document.querySelector('#captain').style.getPropertyValue('--left'))"
    before = two.page.evaluate(left)
    two.page.wait_for_function(f"before => ({left})() < before", arg=before)
    # Only the captain's tilt counts, on every screen.
    for page in (one, two):
        page.wait("pit => pit.gravity.x > 0.9")
    two.wait("() => document.documentElement.dataset.captain === 'me'")
    for page in (one, two):
        page.wait("pit => pit.gravity.x < -0.9")
    assert words(one).endswith(" has the pit")
    assert one.complaints == two.complaints == stage.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_line_can_be_read_and_nothing_is_cut_off(captains, new_page, scheme):
    for size in [(320, 568), (390, 844), (844, 390), (1280, 800)]:
        page = new_page(*size, color_scheme=scheme).join(url(captains))
        page.page.keyboard.down("ArrowRight")
        page.page.locator(f"{LINE} i").wait_for()
        page.page.keyboard.up("ArrowRight")
        line = page.page.locator(LINE).bounding_box()
        world = page.get("[pit.toWindow(0, 0), pit.toWindow(pit.world.width, pit.world.height)]")
        assert line["x"] >= 0 and line["x"] + line["width"] <= size[0]
        assert line["y"] >= 0 and line["y"] + line["height"] <= world[0]["y"] + 1
        assert world[1]["y"] <= size[1]
        assert page.page.evaluate(
            f"() => {{ {CONTRAST} return Math.min("
            "...pages.map(one => contrast(style('#captain').color, one))); }") >= 4.5
        page.page.close()


def test_it_is_said_in_chinese_too(captains, new_page):
    page = new_page(390, 844, locale="zh-CN").join(url(captains))
    page.page.locator(LINE).wait_for()
    assert words(page) == "倾斜手机，池子就归你"


def test_without_a_captain_there_is_no_line(pit):
    assert pit.page.locator(LINE).is_hidden()
    assert pit.get("document.documentElement.dataset.captain === undefined")


# The edges of the canvas in the window, and how many times as wide as high it is, shown and in pixels.
CANVAS = """() => {
  const canvas = document.getElementById("pit");
  const { left, top, right, bottom, width, height } = canvas.getBoundingClientRect();
  return { left, top, right, bottom, shown: width / height, pixels: canvas.width / canvas.height };
}"""


@pytest.mark.parametrize("shape", ["16:9", "1:1"])
def test_all_of_another_shape_is_seen_everywhere(start_pit, new_page, shape):
    pit = start_pit("--shape", shape, "--bodies", 90, "--seed", 1)
    width, height = map(int, shape.split(":"))
    for view, size in [("", (390, 844)), ("", (1280, 720)), ("?view=stage", (1920, 1080))]:
        page = new_page(*size).join(url(pit, view))
        page.wait("pit => pit.count === 90")
        aspect = page.page.evaluate(
            "Number(document.documentElement.style.getPropertyValue('--world-aspect'))")
        assert aspect == pytest.approx(width / height, rel=0.001)
        # The picture is not squeezed: the canvas has as many pixels each way as its box asks for.
        box = page.page.evaluate(CANVAS)
        assert box["pixels"] == pytest.approx(box["shown"], rel=0.01)
        assert 0 <= box["left"] and box["right"] <= size[0]
        assert 0 <= box["top"] and box["bottom"] <= size[1]
        if view:
            # The box has about the pit's form, so that little beside the pit is left empty.
            assert 0.8 < box["shown"] / (width / height) < 1.25
        else:
            near, far = page.get(
                "[pit.toWindow(0, 0), pit.toWindow(pit.world.width, pit.world.height)]")
            assert near["x"] >= 0 and near["y"] >= 0
            assert far["x"] <= size[0] and far["y"] <= size[1]
            ratio = (far["x"] - near["x"]) / (far["y"] - near["y"])
            assert ratio == pytest.approx(width / height, rel=0.01)
        assert page.complaints == []
        page.page.close()


def test_stickers_of_a_usual_pit_are_large_on_a_phone(start_pit, new_page):
    pit = start_pit("--bodies", 100, "--seed", 1)
    page = new_page(390, 844).join(url(pit))
    page.wait("pit => pit.count === 100")
    scale = page.get("(pit.toWindow(100, 0).x - pit.toWindow(0, 0).x) / 100")
    sizes = [scale * at["size"] for at in page.get("pit.positions()")]
    assert min(sizes) >= 23 and max(sizes) <= 42 and max(sizes) > 34


DOTS = """() => {
  const middle = one => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const bowl = middle(document.querySelector("#bowl .hollow"));
  return [...document.querySelectorAll("#bowl .others circle:not(.away)")].map(dot => {
    const [x, y] = middle(dot);
    return { x: x - bowl[0], y: y - bowl[1], fill: getComputedStyle(dot).fill };
  });
}"""


def test_where_everybody_tilts_each_of_the_others_is_a_dot(start_pit, new_page):
    pit = start_pit("--bodies", 40, "--seed", 1)
    one, two, three = (new_page(390, 700).join(url(pit)) for _ in range(3))
    one.page.keyboard.down("ArrowLeft")
    two.page.keyboard.down("ArrowUp")
    three.wait(f"() => ({DOTS})().length === 2")
    # One's dot lies to the left and two's above the middle, each in its person's colour.
    three.wait(f"() => ({DOTS})().some(one => one.x < -10 && Math.abs(one.y) < 6)")
    three.wait(f"() => ({DOTS})().some(one => one.y < -10 && Math.abs(one.x) < 6)")
    fills = {each["fill"] for each in three.page.evaluate(DOTS)}
    for page in (one, two):
        red, green, blue = (int(page.get("pit.colour")[at : at + 2], 16) for at in (1, 3, 5))
        assert f"rgb({red}, {green}, {blue})" in fills
    # Nobody's own ball is a dot as well, and whoever tilts no longer is none.
    one.wait(f"() => ({DOTS})().length === 1")
    one.page.keyboard.up("ArrowLeft")
    two.page.keyboard.up("ArrowUp")
    two.page.close()
    three.wait(f"() => ({DOTS})().every(one => one.y > 10)")
    assert one.complaints == three.complaints == []


def test_the_captains_tilt_is_a_dot_in_the_others_bowls(captains, new_page):
    one, two = (new_page(390, 700).join(url(captains)) for _ in range(2))
    one.page.keyboard.down("ArrowLeft")
    two.wait("() => document.documentElement.dataset.captain === 'other'")
    two.wait("pit => pit.gravity.x < -0.9")
    places = two.page.evaluate(
        """() => {
          const middle = one => {
            const { left, right, top, bottom } = document.querySelector(one).getBoundingClientRect();
            return [(left + right) / 2, (top + bottom) / 2];
          };
          const fill = getComputedStyle(document.querySelector("#bowl .dot circle")).fill;
          return { bowl: middle("#bowl .hollow"), dot: middle("#bowl .dot circle"), fill };
        }"""
    )
    assert places["dot"][0] < places["bowl"][0] - 10
    assert abs(places["dot"][1] - places["bowl"][1]) < 6
    red, green, blue = (int(one.get("pit.colour")[at : at + 2], 16) for at in (1, 3, 5))
    assert places["fill"] == f"rgb({red}, {green}, {blue})"
    assert one.page.locator("#bowl .dot").is_hidden()
    one.page.keyboard.up("ArrowLeft")
