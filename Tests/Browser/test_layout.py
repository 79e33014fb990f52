"""Nothing overlaps, nothing is cut off, nothing scrolls, from small phones to projectors."""

import pytest

SIZES = [
    (360, 640),
    (390, 844),
    (640, 360),
    (844, 390),
    (820, 1180),
    (1024, 600),
    (1100, 760),
    (1440, 900),
    (1920, 1080),
]

BOXES = """() => {
  const pit = window.stickerPit;
  const [from, to] = [pit.toWindow(0, 0), pit.toWindow(pit.world.width, pit.world.height)];
  const boxes = { world: [from.x, from.y, to.x, to.y] };
  const hud = ["#brand", "#me", "#people", "#link-news"];
  const parts = [...hud, ".next", ".strip", "#bowl", "#motion", "#keys"];
  for (const part of parts) {
    const element = document.querySelector(part);
    if (!element.checkVisibility()) continue;
    const box = element.getBoundingClientRect();
    boxes[part] = [box.left, box.top, box.right, box.bottom];
  }
  return boxes;
}"""


# As they are once three pictures on end have shown them so.
SETTLED_BOXES = f"""async () => {{
  const boxes = {BOXES};
  const pictures = [];
  while (pictures.length < 3 || new Set(pictures.slice(-3)).size > 1) {{
    await new Promise(requestAnimationFrame);
    pictures.push(JSON.stringify(boxes()));
  }}
  return JSON.parse(pictures.pop());
}}"""

# Names that are cut in half: neither whole in the list nor wholly out of sight.
HALF_SHOWN = """() => {
  const list = document.getElementById("people").getBoundingClientRect();
  return [...document.querySelectorAll("#dots li")].filter(item => item.checkVisibility())
    .map(item => item.getBoundingClientRect())
    .filter(({ left, right, top, bottom }) => {
      const isOut = left >= list.right - 1 || top >= list.bottom || right <= list.left + 1;
      const isIn = top >= list.top - 1 && bottom <= list.bottom + 1;
      return !isOut && !isIn;
    }).length;
}"""


# The page takes style sheets from its server only, but for those that are made so.
WITH_STYLE = """rules => {
  if (!window.sheet) document.adoptedStyleSheets.push((window.sheet = new CSSStyleSheet()));
  window.sheet.replaceSync(rules);
}"""

# Whatever the link is like on this machine.
LINKS = {
    "good": "#link { display: none }",
    "poor": """#link { position: static !important }
      #link-news { display: flex !important }
      #link-text::before { content: "Poor link" }""",
}


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5


@pytest.mark.parametrize("touch", [True, False], ids=["touch", "mouse"])
def test_everything_fits(shared_pit, crowd, new_page, touch):
    pit = new_page(*SIZES[0], has_touch=touch, is_mobile=touch)
    pit.join(f"http://127.0.0.1:{shared_pit.port}/")
    pit.wait("pit => pit.people === 15 && document.querySelectorAll('#dots li').length === 12")
    for link, style in LINKS.items():
        pit.page.evaluate(WITH_STYLE, style)
        for size in SIZES:
            pit.resize(*size)
            assert misplaced(pit, size, link) == [], (size, link)


def misplaced(pit, size, link):
    """What overlaps, is cut off or too small, in words."""
    boxes = pit.page.evaluate(SETTLED_BOXES)
    names = sorted(boxes)
    expected = {"world", "#me", "#people", ".next", ".strip", "#bowl"}
    expected |= {"#link-news"} if link == "poor" else set()
    found = [f"{name} is missing" for name in expected - set(names)]
    if link == "good" and "#link-news" in names:
        found.append("news of a good link")
    if pit.page.evaluate(HALF_SHOWN):
        found.append("names are cut in half")
    found += [f"{a} over {b}" for a in names for b in names if a < b and overlap(boxes[a], boxes[b])]
    # The strip of stickers runs off a phone's edge on purpose: it is swiped.
    found += [
        f"{name} is outside"
        for name, (left, top, right, bottom) in boxes.items()
        if left < 0 or top < 0 or bottom > size[1] or (right > size[0] and name != ".strip")
    ]
    left, top, right, bottom = boxes["world"]
    if (right - left) / (bottom - top) != pytest.approx(0.75, abs=0.01):
        found.append("the world is squeezed")
    if right - left < 0.45 * min(size):
        found.append("the world is small")
    return found


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=["phone", "desktop"])
def test_the_page_never_scrolls(server, new_page, size):
    pit = new_page(*size).join(server.url)
    pit.page.mouse.move(size[0] / 2, size[1] / 2)
    pit.page.mouse.wheel(0, 500)
    pit.page.keyboard.press("PageDown")
    pit.wait("(pit, before) => pit.tick > before + 10", pit.get("pit.tick"))
    assert pit.page.evaluate("[scrollX, scrollY, document.scrollingElement.scrollTop]") == [0, 0, 0]


def test_turning_the_phone_keeps_the_world_whole(server, new_page):
    pit = new_page(390, 844, has_touch=True, is_mobile=True).join(server.url)
    pit.page.set_viewport_size({"width": 844, "height": 390})
    pit.wait("pit => pit.toWindow(0, 0).y >= 0 && pit.toWindow(720, 960).y <= 390")


# CSS pixels at each edge that a notch or a rounded corner would take.
INSETS = {"top": 60, "right": 80, "bottom": 50, "left": 70}


# A player's strip of stickers may run under the edge: it is swiped.
@pytest.mark.parametrize(
    ("view", "parts", "size"),
    [
        ("stage", "#screen, #pit", (1280, 720)), ("monitor", "#top, #charts", (1280, 720)),
        *(("", "#pit, #me, .next, #bowl, #mute", size) for size in [(1280, 720), (390, 844), (844, 390)]),
    ],
)  # fmt: skip
def test_no_view_stands_under_a_notch(shared_pit, new_page, view, parts, size):
    page = new_page(*size)
    page.devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": INSETS})
    page.page.goto(f"http://127.0.0.1:{shared_pit.port}/?view={view}")
    for part in parts.split(", "):
        page.page.locator(part).wait_for()
    boxes = page.page.evaluate(
        """parts => [...document.querySelectorAll(parts)].map(one => {
          const { left, top, right, bottom } = one.getBoundingClientRect();
          return { left, top, right: innerWidth - right, bottom: innerHeight - bottom };
        })""",
        parts,
    )
    assert len(boxes) == len(parts.split(", "))
    assert [one for one in boxes if any(one[edge] < INSETS[edge] - 0.5 for edge in INSETS)] == []
