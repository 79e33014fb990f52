"""The host's panel and what the host tells stand where they should, from small phones on."""

import pytest
from hosting import HostedPit, choose, host_page, unfold
from pitserver import until
from test_hostscene import is_drawn
from test_layout import overlap

# By whether they are touched.
SIZES = {
    True: [(320, 640), (390, 844), (640, 360), (820, 1180)], False: [(1024, 600), (1440, 900)],
}  # fmt: skip
by_touch = pytest.mark.parametrize("touch", SIZES, ids=["touch", "mouse"])
# The round buttons that everybody has at the edge of the pit.
CORNERS = ["rewind", "mute", "buzz", "help"]
TABS = ["People", "World", "Room", "Log"]

# What sticks out of the panel at its sides, or can't be scrolled to; and texts that are cut off
# without an ellipsis.
ASTRAY = """() => {
  const panel = document.getElementById("host");
  const box = panel.getBoundingClientRect();
  const found = [];
  for (const one of panel.querySelectorAll("button, input, select, textarea, label, p, h3, li")) {
    if (!one.checkVisibility() || one.closest(".chips input, dialog")) continue;
    const { left, right } = one.getBoundingClientRect();
    const isOut = left < box.left - 1 || right > box.right + 1;
    const isCut = one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "visible"
      && one.clientWidth > 0;
    if (isOut || isCut) found.push(`${one.tagName} ${one.textContent.slice(0, 30)}`);
  }
  for (const one of [panel, panel.querySelector(".pages"), document.scrollingElement]) {
    if (one.scrollWidth > one.clientWidth + 1) found.push(`${one.className} scrolls`);
  }
  return found;
}"""

BOXES = """() => {
  const pit = window.stickerPit;
  const [from, to] = [pit.toWindow(0, 0), pit.toWindow(pit.world.width, pit.world.height)];
  const box = (selector) => {
    const element = document.querySelector(selector);
    if (!element?.checkVisibility()) return null;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  return {
    world: [from.x, from.y, to.x, to.y], panel: box("#host"), banner: box("#announcement"),
    badge: box("#frozen"), rewind: box("#rewind"), unfold: box("#host-unfold"), hud: box("#hud"),
    bowl: box("#bowl"), tray: box("#tray"), mute: box("#mute"), buzz: box("#buzz"), help: box("#help"),
  };
}"""

# As they are three pictures later: on a machine that has drawn none since the last look, everything
# would seem to have settled.
LOOK = f"""async () => {{
  for (let picture = 0; picture < 3; picture += 1) await new Promise(requestAnimationFrame);
  return ({BOXES})();
}}"""


@pytest.fixture
def hosted(start_pit, tmp_path):
    return HostedPit(start_pit, tmp_path)


def settled(page):
    """Where everything stands, once two looks in a row have found it there."""
    seen = []
    while len(seen) < 2 or seen[-1] != seen[-2]:
        page.page.wait_for_timeout(150)
        seen.append(page.page.evaluate(LOOK))
    return {name: box for name, box in seen[-1].items() if box}


def clashes(boxes, *names):
    names = [name for name in names if name in boxes]
    return [(a, b) for a in names for b in names if a < b and overlap(boxes[a], boxes[b])]


@by_touch
def test_the_panel_leaves_the_pit_its_place(hosted, new_page, touch):
    guest = new_page().join(hosted.url)
    hosted.act(f"rename?person={guest.get('pit.id')}&name={'W' * 32}")
    host = host_page(new_page, hosted, *SIZES[touch][0], has_touch=touch, is_mobile=touch)
    unfold(host, guest)
    host.page.locator("#rewind").wait_for()
    for size in SIZES[touch]:
        host.resize(*size)
        for tab in TABS:
            choose(host, tab)
            assert host.page.evaluate(ASTRAY) == [], (size, tab)
        choose(host, "People")
        boxes = settled(host)
        world, panel = boxes["world"], boxes["panel"]
        assert clashes(boxes, "world", "panel", "hud", "bowl", "tray") == [], size
        assert panel[0] >= 0 and panel[2] <= size[0] and panel[3] <= size[1] and world[1] >= 0, size
        assert (world[2] - world[0]) / (world[3] - world[1]) == pytest.approx(0.75, abs=0.01), size
        assert world[3] - world[1] > 0.25 * size[1], size
        # Folded away, everything is where it was without a host.
        host.page.get_by_role("button", name="Fold away").click()
        boxes = settled(host)
        assert "panel" not in boxes and {"bowl", "tray", "unfold"} <= set(boxes), size
        assert clashes(boxes, "world", "hud", "bowl", "tray") == [], size
        assert {"rewind", "mute", "help"} <= set(boxes), size
        assert clashes(boxes, "unfold", *CORNERS, "hud") == [], size
        host.page.locator("#host-unfold").click()
    assert guest.complaints + host.complaints == []


@by_touch
@pytest.mark.parametrize("scene", ["gallery", "toss"])
def test_the_folded_panels_button_has_a_place_of_its_own(hosted, new_page, touch, scene):
    hosted.act(f"scene?name={scene}")
    sizes = [(568, 320), *SIZES[touch]] if touch else SIZES[touch]
    host = host_page(new_page, hosted, *sizes[0], has_touch=touch, is_mobile=touch)
    host.wait("(pit, scene) => pit.scene === scene", scene)
    host.page.get_by_role("button", name="Fold away").click()
    host.page.locator("#rewind").wait_for()
    for told in ("", "freeze", "notice?text=" + "Wonderful%20" * 12):
        if told:
            hosted.act(told)
            host.page.locator("#frozen" if told == "freeze" else "#announcement").wait_for()
        for size in sizes:
            host.resize(*size)
            boxes = settled(host)
            assert {"unfold", "rewind", "mute", "help"} <= set(boxes), (told, size)
            assert ("buzz" in boxes) is touch
            assert clashes(boxes, "unfold", *CORNERS, "hud", "badge", "banner") == [], (told, size)
            left, top, right, bottom = boxes["unfold"]
            assert left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1], (told, size)


@by_touch
def test_what_the_host_tells_is_wholly_seen(hosted, new_page, touch):
    hosted.act("notice?text=" + "Wonderful%20" * 12)
    hosted.act("freeze")
    page = new_page(*SIZES[touch][0], has_touch=touch, is_mobile=touch).join(hosted.url)
    for scene in ("pit", "toss"):
        if scene == "toss":
            hosted.act("scene?name=toss")
            page.wait("pit => pit.scene === 'toss' && pit.count > 0")
            hosted.act("freeze")
        page.page.locator("#frozen").wait_for()
        for size in SIZES[touch]:
            page.resize(*size)
            boxes = settled(page)
            assert {"banner", "badge"} <= set(boxes), size
            assert clashes(boxes, "banner", "badge", "rewind", "hud", "tray") == [], size
            for name in ("banner", "badge"):
                left, top, right, bottom = boxes[name]
                assert left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1], (name, size)
            if scene == "pit":
                assert clashes(boxes, "banner", "world", "bowl") == [], size
            assert page.page.evaluate("document.scrollingElement.scrollWidth") <= size[0], size
    assert page.complaints == []


def test_a_line_above_the_pit_leaves_no_gap_in_its_picture(hosted, new_page):
    page = new_page(390, 844).join(hosted.url)
    page.settle()
    until(lambda: is_drawn(page))
    place = page.page.evaluate(
        """async () => {
          // From here on no picture follows by itself.
          const usual = window.requestAnimationFrame;
          window.requestAnimationFrame = () => 0;
          await new Promise((done) => usual(() => usual(done)));
          const before = window.stickerPit.toWindow(0, 0).y;
          const line = document.getElementById("announcement");
          Object.assign(line, { textContent: "Hello", hidden: false });
          while (window.stickerPit.toWindow(0, 0).y === before) {
            await new Promise((done) => setTimeout(done, 20));
          }
          return before;
        }"""
    )
    assert page.get("pit.toWindow(0, 0).y") > place and is_drawn(page)
