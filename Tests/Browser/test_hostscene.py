"""The host begins another scene under everybody: on the same connection, and in the past."""

import base64

import pytest
from hosting import HostedPit, choose, host_page, shows
from play import STICKER, is_held_by
from pitserver import until
from test_past import ReplayServer, opened, seek, stands_still, world_at

# The share of white places a little within the edges of cards, on their left and right, and of round
# stickers: all of them have white borders, and no floor is white.
WHITE_EDGES = """async picture => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const pit = window.stickerPit;
  const { CORNERS } = await import(pageFile("./core/wire.js"));
  const edges = pit.positions()
    .filter(({ kind }) => kind === 16 || CORNERS[kind] === 1)
    .flatMap(({ x, y, size, kind }) => {
      const away = size / 2 - (kind === 16 ? 4 : 1.4);
      return [pit.toWindow(x - away, y), pit.toWindow(x + away, y)];
    });
  const isWhite = ({ x, y }) => {
    const { data } = context.getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3);
    return Array.from({ length: 9 }, (_, pixel) => data.slice(pixel * 4, pixel * 4 + 3))
      .some(parts => parts.every(part => part > 190));
  };
  return edges.filter(isWhite).length / edges.length;
}"""


def is_drawn(page):
    """Whether stickers are seen on the screen where the page says that they are."""
    # By day the page itself is nearly white.
    page.page.emulate_media(color_scheme="dark")
    picture = base64.b64encode(page.page.screenshot()).decode()
    return page.page.evaluate(WHITE_EDGES, picture) > 0.7


@pytest.fixture
def hosted(start_pit, tmp_path):
    return HostedPit(start_pit, tmp_path)


def begin(host, scene, title, stickers=""):
    choose(host, "World")
    host.page.locator("#host").get_by_label("Stickers", exact=True).fill(stickers)
    host.page.locator("#host .chips label", has_text=scene).click()
    host.page.get_by_role("button", name="Begin anew").click()
    shows(host, title)


def test_everybody_goes_on_in_other_scenes_on_the_same_connection(hosted, new_page):
    guest = new_page(390, 844).join(hosted.url)
    host = host_page(new_page, hosted, 1440, 900)
    me = guest.get("pit.id"), guest.get("pit.name"), guest.get("pit.colour")
    sockets = guest.openings(), host.openings()
    guest.page.evaluate("window.isTheSamePage = true")
    pit = guest.get("pit.world")
    tray, words = guest.page.locator("#tray"), guest.page.locator("#words")

    begin(host, "Keyword rain", "Keyword rain has begun.")
    for page in (guest, host):
        page.wait("pit => pit.scene === 'rain' && pit.connected")
    words.wait_for()
    assert tray.is_hidden()
    guest.wait("pit => pit.boundaries.filter(({ id }) => id < 240).length === 6")
    guest.page.get_by_role("button", name="so cold").click()
    host.wait("pit => pit.positions().some(({ kind }) => kind === 18)")

    begin(host, "Cards", "Cards has begun.")
    guest.wait("pit => pit.scene === 'toss' && pit.count > 0 && pit.isOpen")
    assert words.is_hidden() and guest.page.locator("#bowl").is_hidden()
    # The world of the cards is another one in size, and nothing of the old one is left.
    assert guest.get("pit.world") != pit
    assert guest.get("pit.positions().every(({ kind }) => kind === 16)")
    until(lambda: is_drawn(guest))

    begin(host, "Pit", "Pit has begun.", stickers="40")
    guest.wait("pit => pit.scene === 'pit' && pit.count === 40")
    tray.wait_for()
    assert guest.get("pit.world") == pit
    guest.settle()
    until(lambda: is_drawn(guest))
    guest.page.mouse.click(*guest.free_place(360, 60))
    for page in (guest, host):
        page.wait("pit => pit.count === 41")

    assert (guest.get("pit.id"), guest.get("pit.name"), guest.get("pit.colour")) == me
    assert sockets == ([], []) and guest.page.evaluate("window.isTheSamePage")
    assert guest.get("pit.following.diverged") == 0
    assert guest.complaints + host.complaints == []


def test_who_is_told_states_goes_on_as_well(hosted, new_page):
    guest = new_page().join(hosted.url + "?stream=state")
    opened = guest.openings()
    hosted.act("scene?name=gallery")
    guest.wait("pit => pit.scene === 'gallery' && pit.count > 0")
    hosted.act("scene?name=pit&bodies=7")
    guest.wait("pit => pit.scene === 'pit' && pit.count === 7")
    assert opened == [] and guest.complaints == []


def test_what_is_held_is_let_go_of(hosted, new_page):
    guest = new_page().join(hosted.url)
    guest.settle()
    one = guest.get("pit.positions()[0]")
    guest.page.mouse.move(*guest.place(one["x"], one["y"]))
    guest.page.mouse.down()
    is_held_by(guest, one["slot"], guest.get("pit.id"))
    hosted.act("scene?name=pit&bodies=30")
    guest.wait("pit => pit.count === 30 && pit.holding.length === 0")
    # The finger that is still down holds nothing of the new world either.
    guest.page.mouse.move(*guest.place(360, 200), steps=5)
    guest.wait("(pit, tick) => pit.tick > tick + 30", guest.get("pit.tick"))
    assert guest.get(f"{STICKER.replace('=== slot', '>= 0')}.holder") == -1
    assert guest.get("pit.holding") == []
    guest.page.mouse.up()
    assert guest.complaints == []


def test_a_past_that_is_shown_is_left(hosted, new_page):
    guest = new_page().join(hosted.url)
    guest.wait("pit => pit.recorded > 90")
    guest.page.keyboard.press("r")
    guest.wait("pit => pit.past !== null")
    hosted.act("scene?name=gallery")
    guest.wait("pit => pit.past === null && pit.scene === 'gallery' && pit.count > 0")
    assert guest.page.locator("#past").is_hidden()
    # What was before can't be seen again; what is now can, soon.
    guest.page.locator("#rewind").wait_for()
    guest.page.keyboard.press("r")
    guest.wait("pit => pit.past !== null && pit.scene === 'gallery'")
    assert guest.complaints == []


def test_a_journal_is_shown_in_the_scenes_that_it_was_in(start_pit, new_page, tmp_path):
    hosted = HostedPit(start_pit, tmp_path, "--data", tmp_path / "data")
    seen = {}
    for scene in ("pit", "toss", "rain"):
        if seen:
            hosted.act(f"scene?name={scene}")
        until(lambda scene=scene: f'"scene":"{scene}"' in hosted.ask("state"))
        hosted.server.wait_for_tick(hosted.server.health()["tick"] + 60)
        tick, world = world_at(hosted.url)
        seen[scene] = tick, len(world)
        hosted.server.wait_for_tick(tick + 60)
    hosted.server.stop()
    server = ReplayServer(tmp_path / "data")
    page = opened(new_page, server.url, 390, 844)
    stands_still(page)
    sizes = {}
    for scene in ("pit", "toss", "rain", "toss", "pit"):
        tick, count = seen[scene]
        seek(page, tick)
        page.wait(
            "(pit, [scene, count]) => pit.scene === scene && pit.count === count", [scene, count]
        )
        if count > 0:
            until(lambda: is_drawn(page))
        sizes[scene] = page.get("document.documentElement.style.getPropertyValue('--world-aspect')")
    assert sizes["pit"] == "0.75" and sizes["toss"] != sizes["pit"]
    assert page.complaints == []
    page.page.close()
    server.stop()
