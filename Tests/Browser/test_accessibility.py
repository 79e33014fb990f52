"""The page for people who see little, other colours or nothing of it."""

import base64

import pytest
from hosting import HostedPit, choose, host_page

# The contrast of two colours as WCAG 2.1 has it, and colours of elements. Colours are read by
# painting them, whatever way they are written.
CONTRAST = """
const pixel = colour => {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
};
const luminance = colour => {
  const [r, g, b] = pixel(colour).map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
const style = selector => getComputedStyle(document.querySelector(selector));
const root = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const pages = [root("--page"), root("--page-glow")];
"""

BUTTONS = ["#motion .ask", "#words form button", "#past .live", "#status button", "#headline"]
SOFT = ["#people p", "#link-text", ".hush"]


@pytest.fixture(params=["light", "dark"])
def page(shared_pit, new_page, request):
    page = new_page(1200, 800, color_scheme=request.param)
    return page.join(f"http://127.0.0.1:{shared_pit.port}/")


def test_words_can_be_read(page):
    found = page.page.evaluate(
        f"""([buttons, soft]) => {{
          {CONTRAST}
          const found = {{}};
          for (const one of buttons) {{
            found[one] = contrast(style(one).color, style(one).backgroundColor);
          }}
          for (const one of soft) {{
            found[one] = Math.min(...pages.map(page => contrast(style(one).color, page)));
          }}
          return found;
        }}""",
        [BUTTONS, SOFT],
    )
    # AA for letters of any size.
    assert {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}


def test_what_is_drawn_can_be_made_out(page):
    found = page.page.evaluate(
        f"""() => {{
          {CONTRAST}
          const onPage = colour => Math.min(...pages.map(page => contrast(colour, page)));
          const found = {{ title: onPage(style("#brand b").color) }};
          found.link = onPage(style("#link svg").fill);
          const path = style(".surprising .badge path");
          found.badge = contrast(path.stroke, style(".surprising .badge").fill);
          document.getElementById("bowl").focus({{ focusVisible: true }});
          found.focus = onPage(style("#bowl").outlineColor);
          return found;
        }}"""
    )
    # AA for large letters and for what is drawn.
    assert {name: ratio for name, ratio in found.items() if ratio < 3} == {}


# The colours of the two lines around what has the focus, as they are in a picture of the screen: at the
# middle of its upper edge; the pit itself has them within the edge.
RING = """async picture => {
  const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { left, width, top } = document.activeElement.getBoundingClientRect();
  const places = document.activeElement.id === "pit" ? [4.5, 1.5] : [-1.5, -4.5];
  return places.map(place => {
    const { data } = context.getImageData(left + width / 2, Math.floor(top + place), 1, 1);
    return `rgb(${data.slice(0, 3)})`;
  });
}"""


def ring(page):
    """The line nearer to what has the focus, and the one beside it."""
    # It has become opaque by then.
    page.page.wait_for_timeout(300)
    return page.page.evaluate(RING, base64.b64encode(page.page.screenshot()).decode())


def test_what_has_the_focus_over_the_pit_is_seen_on_any_ground(page):
    page.wait("pit => pit.recorded > 300")
    page.page.locator("#rewind").wait_for(state="visible")
    rings = {}
    for _ in range(4):
        page.page.keyboard.press("Tab")
        rings[page.get("document.activeElement.id")] = ring(page)
    page.page.locator("#rewind").press("Enter")
    page.page.locator("#past .back").focus()
    page.page.keyboard.press("Tab")
    rings["past"] = ring(page)
    assert list(rings) == ["pit", "rewind", "mute", "help", "past"]
    ratios = page.page.evaluate(
        f"""rings => {{
          {CONTRAST}
          return Object.fromEntries(
            Object.entries(rings).map(([name, [one, other]]) => [name, contrast(one, other)]));
        }}""",
        rings,
    )
    # Then any colour beside them has 3 : 1 with one of the two, which is AA for what is drawn.
    assert {name: ratio for name, ratio in ratios.items() if ratio < 9} == {}, rings


def test_the_page_can_be_enlarged_and_the_pit_plays(shared_pit, new_page):
    phone = new_page(390, 844, has_touch=True, is_mobile=True)
    phone.join(f"http://127.0.0.1:{shared_pit.port}/")
    scale = "window.visualViewport.scale"

    def pinch(y):
        """Two fingers at the left of that line come apart."""
        fingers = [{"x": x, "y": y, "id": finger} for finger, x in enumerate((40, 60))]
        phone._touch("touchStart", fingers[:1])
        phone._touch("touchStart", fingers)
        for _ in range(15):
            fingers[0]["x"] -= 2
            fingers[1]["x"] += 8
            phone._touch("touchMove", fingers)
            phone.page.wait_for_timeout(20)
        phone._touch("touchEnd", [])

    pit, bowl = (phone.page.locator(part).bounding_box() for part in ("#pit", "#bowl"))
    pinch(pit["y"] + pit["height"] / 2)
    assert phone.page.evaluate(scale) == 1
    # Beside the bowl there is nothing but the page.
    assert bowl["x"] > 100
    pinch(bowl["y"] + bowl["height"] / 2)
    phone.wait(f"() => {scale} > 1.3")


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (568, 320), (1280, 800)])
def test_the_page_has_one_first_heading_also_where_its_title_has_no_room(pit, size):
    pit.page.set_viewport_size({"width": size[0], "height": size[1]})
    heading = pit.page.get_by_role("heading", level=1)
    assert heading.all_inner_texts() == ["Sticker Pit"]


def test_what_is_played_with_is_no_picture_and_the_bowl_tells_its_tilt(pit):
    assert pit.page.get_by_role("application", name="The sticker pit").is_visible()
    bowl = pit.page.get_by_role("slider", name="Tilt the pit")
    assert bowl.get_attribute("aria-valuetext") == "not tilted"
    bowl.focus()
    for key, words, value in (("ArrowLeft", "to the left", -100), ("ArrowUp", "up", 0)):
        pit.page.keyboard.down(key)
        pit.page.wait_for_function(
            """([words, value]) => {
              const bowl = document.getElementById("bowl");
              return bowl.getAttribute("aria-valuetext") === `${words}, 100 percent`
                && Math.abs(bowl.getAttribute("aria-valuenow") - value) < 12;
            }""",
            arg=[words, value],
        )
        pit.page.keyboard.up(key)


# All that the page says, in its order.
SAID = ["link-news", "announcement", "captain", "frozen", "status", "alone", "headline", "toast"]


def test_what_is_said_stands_in_regions_that_were_there_before(pit):
    # A region that appears together with its words is no change that a screen reader tells. Also not before one
    # has joined.
    for has_joined in (True, False):
        regions = pit.page.evaluate(
            """hasJoined => {
              document.documentElement.classList.toggle("joined", hasJoined);
              return [...document.querySelectorAll("[aria-live]")].map(region => {
                const isThere = region.checkVisibility({ visibilityProperty: true });
                return { says: [...region.children].map(({ id }) => id), isThere };
              });
            }""",
            has_joined,
        )
        assert regions == [{"says": [name], "isThere": True} for name in SAID], has_joined


def test_people_keep_their_colours_where_the_system_chooses_all_others(shared_pit, new_page):
    page = new_page(800, 900, forced_colors="active")
    page.join(f"http://127.0.0.1:{shared_pit.port}/")
    page.wait("pit => document.querySelectorAll('#dots li').length > 0")
    colours = page.page.evaluate(
        f"""() => {{
          {CONTRAST}
          const mine = pixel(window.stickerPit.colour);
          const me = getComputedStyle(document.getElementById("me"), "::before");
          const dot = style("#dots li.self");
          const skin = style("#bowl .skin");
          return [mine, pixel(me.backgroundColor), pixel(dot.backgroundColor), pixel(skin.fill)];
        }}"""
    )
    assert colours == [colours[0]] * 4


# The colours of what is chosen or on in the host's panel, and of what is not; of a switch the track and
# the thumb.
CHOSEN = f"""() => {{
  {CONTRAST}
  const thumb = getComputedStyle(document.querySelector("#host [role=switch] i"), "::before");
  // As it is seen on the panel: a colour may be a transparent one.
  const seen = colour => {{
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    for (const layer of [style("#host").backgroundColor, colour]) {{
      context.fillStyle = layer;
      context.fillRect(0, 0, 1, 1);
    }}
    return `rgb(${{context.getImageData(0, 0, 1, 1).data.slice(0, 3)}})`;
  }};
  return {{
    tabs: [style("#host [aria-selected=true]"), style("#host [aria-selected=false]")]
      .map(one => one.borderBottomColor),
    scenes: [style("#host input:checked + span"), style("#host input:not(:checked) + span")]
      .map(one => seen(one.backgroundColor)),
    scene: [style("#host input:checked + span").color, style("#host input:checked + span").backgroundColor],
    switch: [thumb.backgroundColor, style("#host [role=switch] i").backgroundColor],
  }};
}}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_host_sees_who_and_what_is_on_where_the_system_chooses_the_colours(
    start_pit, tmp_path, new_page, theme
):
    pit = HostedPit(start_pit, tmp_path)
    host = host_page(new_page, pit, 1200, 800, forced_colors="active", color_scheme=theme)
    host.page.locator("#host .dot").first.wait_for()
    dot = host.page.evaluate(
        f"() => {{ {CONTRAST} return [style('#host .dot').backgroundColor, stickerPit.colour].map(pixel); }}"
    )
    assert dot[0] == dot[1]
    choose(host, "World")
    host.page.locator("#host input:checked + span").wait_for()
    off = host.page.evaluate(CHOSEN)
    host.page.get_by_role("switch", name="Freeze").click()
    host.page.locator("#host [role=switch][aria-checked=true]").wait_for()
    # It changes its colour within a moment.
    host.page.wait_for_timeout(500)
    on = host.page.evaluate(CHOSEN)
    pairs = {**on, "switch when off": off["switch"], "switches": [off["switch"][1], on["switch"][1]]}
    ratios = host.page.evaluate(
        f"""pairs => {{
          {CONTRAST}
          return Object.fromEntries(
            Object.entries(pairs).map(([name, pair]) => [name, contrast(...pair)]));
        }}""",
        pairs,
    )
    assert {name: ratio for name, ratio in ratios.items() if ratio < 3} == {}, pairs


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_seconds_of_a_turn_can_be_read_where_the_system_chooses_the_colours(
    start_pit, new_page, theme
):
    server = start_pit("--tilt", "captain")
    page = new_page(forced_colors="active", color_scheme=theme)
    page.join(f"http://127.0.0.1:{server.port}/")
    page.page.keyboard.down("ArrowRight")
    page.page.locator("#captain i").wait_for()
    page.page.keyboard.up("ArrowRight")
    # They stand on white, in a ring of the person's colour.
    ratio, ring = page.page.evaluate(
        f"""() => {{
          {CONTRAST}
          const {{ color, backgroundImage }} = style("#captain i");
          return [contrast(color, "#fff"), backgroundImage];
        }}"""
    )
    assert ratio > 4.5 and "conic-gradient" in ring
