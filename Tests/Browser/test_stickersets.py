"""Pages of worlds whose stickers are of a set: its pictures are fetched and drawn, and the world that a
page runs stays the server's."""

import base64
import json
import math
import shutil
import subprocess

import pytest
from hosting import HostedPit
from pitserver import PATIENCE, ROOT, STICKERPIT, until
from test_past import ReplayServer
from test_plainbrowser import NO_WEBGL
from test_replica import hashes, open_pit, play

SETS = ROOT / "sets"

# The set that the page shows, as its tray has it.
TRAY = "() => [...document.querySelectorAll('#tray .strip img')].map(one => [one.src, one.alt])"
# How many pixels of a picture have a colour.
COUNT = """async ([picture, wanted]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (wanted.every((part, channel) => Math.abs(data[at + channel] - part) < 40)) count += 1;
  }
  return count;
}"""
# A sticker of one colour, and what is drawn in its place where it is missing: hsl(0, 80 %, 60 %). Where
# it has come off its back is light grey.
MAGENTA, STAND_IN, WHITE, BACK = [255, 0, 255], [235, 71, 71], [255, 255, 255], [225, 225, 225]


@pytest.fixture
def flat(tmp_path):
    """A set of large magenta stickers, an upright bar each, so that their colour is found."""
    folder = tmp_path / "flat"
    folder.mkdir()
    outline = {"outline": [[20, 0], [80, 0], [80, 100], [20, 100]]}
    sticker = {"name": "bar", "picture": "bar.svg", "shape": outline, "size": 200}
    (folder / "stickers.json").write_text(json.dumps({"name": "flat", "stickers": [sticker]}))
    (folder / "bar.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="64" height="64">'
        '<rect x="20" width="60" height="100" fill="#f0f"/></svg>'
    )
    return folder


def names(folder):
    listed = json.loads((folder / "stickers.json").read_text())["stickers"]
    return [(one["picture"], one["name"]) for one in listed]


def open_page(new_page, url, width=420, height=640, **options):
    page = new_page(width, height, **options)
    page.page.goto(url + "?stream=replica")
    page.wait("pit => pit.connected && pit.count > 0")
    return page


def shows(page, folder):
    """Waits until the tray offers the set's stickers."""
    wanted = names(folder)
    page.until(lambda: len(page.page.evaluate(TRAY)) == len(wanted))
    for (source, alt), (picture, name) in zip(page.page.evaluate(TRAY), wanted):
        assert source.endswith("/" + picture) and alt == name
    return wanted


def drawn(page, colour, around=None):
    """How many pixels of the pit, or of a part of the window, have a colour."""
    if around:
        picture = page.page.screenshot(clip=around)
    else:
        picture = page.page.locator("canvas").first.screenshot()
    return page.page.evaluate(COUNT, [base64.b64encode(picture).decode(), colour])


@pytest.mark.parametrize(
    "name", ["fruit", *(pytest.param(one, marks=pytest.mark.long) for one in ("space", "animals"))]
)
def test_a_page_runs_the_same_world_and_shows_the_set(start_pit, new_page, name):
    server, url = open_pit(start_pit, "--bodies", 40, "--stickers", SETS / name)
    fetched = []
    page = new_page(420, 640)
    page.page.on("request", lambda request: fetched.append(request.url))
    page.page.goto(url + "?stream=replica")
    page.wait("pit => pit.connected && pit.count > 0")
    wanted = shows(page, SETS / name)
    paths = [one for one in fetched if "/sets/" in one]
    assert len({one.rsplit("/", 1)[0] for one in paths}) == 1, "all under one sum"
    assert {one.rsplit("/", 1)[1] for one in paths} == {"stickers.json"} | {
        picture for picture, _ in wanted
    }
    before = hashes(page)
    for turn in range(6):
        play(page, "pit", turn)
    page.wait("(pit, before) => pit.following.hashes >= before + 6", before)
    assert hashes(page) >= before + 6
    kinds = {one["kind"] for one in page.get("pit.positions()")}
    assert kinds <= set(range(len(wanted))) and len(kinds) > 4
    assert not page.complaints


def test_the_state_stream_shows_the_set_too(start_pit, new_page, flat):
    _, url = open_pit(start_pit, "--bodies", 20, "--stickers", flat)
    page = new_page(420, 640)
    page.page.goto(url + "?stream=state")
    page.wait("pit => pit.connected && pit.count > 0")
    shows(page, flat)
    page.until(lambda: drawn(page, MAGENTA) > 2000)
    assert not page.complaints


def test_a_sticker_is_cut_out_as_it_is_drawn(start_pit, new_page, flat):
    """The bar is 60 percent as wide as its picture; beside it is the floor, and no white of a disc or
    box."""
    _, url = open_pit(start_pit, "--bodies", 1, "--stickers", flat)
    page = open_page(new_page, url)
    shows(page, flat)
    page.settle()
    sticker = page.get("pit.positions()[0]")
    left, top = page.place(sticker["x"] - sticker["size"] / 2, sticker["y"] - sticker["size"] / 2)
    right, bottom = page.place(sticker["x"] + sticker["size"] / 2, sticker["y"] + sticker["size"] / 2)
    around = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    whole = around["width"] * around["height"]
    page.until(lambda: drawn(page, MAGENTA, around) > 0.5 * whole)
    assert drawn(page, WHITE, around) < 0.02 * whole


@pytest.mark.parametrize("surface", ["webgl", "canvas"])
def test_an_end_of_a_sticker_has_come_off(start_pit, new_page, flat, surface):
    _, url = open_pit(start_pit, "--bodies", 1, "--stickers", flat)
    page = new_page(420, 640, device_scale_factor=2)
    if surface == "canvas":
        page.page.add_init_script(NO_WEBGL)
    page.page.goto(url + "?stream=replica")
    page.wait("pit => pit.connected && pit.count > 0")
    shows(page, flat)
    page.settle()
    # The corner of the bar at the right above: 30 and 50 percent of the picture's edge from its middle.
    x, y, size, angle = page.get("(({ x, y, size, angle }) => [x, y, size, angle])(pit.positions()[0])")
    corners = []
    for across, down in [(0.3, -0.5), (0.3, 0.5), (-0.3, 0.5), (-0.3, -0.5)]:
        turned_x = across * math.cos(angle) - down * math.sin(angle)
        turned_y = across * math.sin(angle) + down * math.cos(angle)
        middle_x, middle_y = page.place(x + 0.92 * size * turned_x, y + 0.92 * size * turned_y)
        corners.append({"x": middle_x - 8, "y": middle_y - 8, "width": 16, "height": 16})
    page.until(lambda: drawn(page, MAGENTA, corners[2]) > 100)
    backs = [drawn(page, BACK, corner) for corner in corners]
    assert backs[0] > 60 and max(backs[1:]) < 10, backs


def test_a_picture_that_is_missing_is_a_form_in_a_colour(start_pit, new_page, flat):
    _, url = open_pit(start_pit, "--bodies", 20, "--stickers", flat)
    page = new_page(420, 640)
    page.page.route("**/bar.svg", lambda route: route.fulfill(status=404))
    page.page.goto(url + "?stream=replica")
    page.wait("pit => pit.connected && pit.count > 0")
    shows(page, flat)
    page.until(lambda: drawn(page, STAND_IN) > 2000)
    assert drawn(page, MAGENTA) == 0


def test_without_its_manifest_the_usual_stickers_are_shown_until_it_comes(start_pit, new_page):
    _, url = open_pit(start_pit, "--bodies", 20, "--stickers", SETS / "space")
    page = new_page(420, 640)
    page.page.route("**/stickers.json", lambda route: route.fulfill(status=503))
    page.page.goto(url + "?stream=replica")
    page.wait("pit => pit.connected && pit.count > 0")
    page.until(lambda: any("no set of stickers" in one for one in page.complaints))
    assert len(page.page.evaluate(TRAY)) == 16
    page.page.unroute("**/stickers.json")
    shows(page, SETS / "space")


def test_another_scene_has_its_own_stickers(start_pit, new_page, tmp_path):
    pit = HostedPit(start_pit, tmp_path, "--stickers", SETS / "animals")
    page = open_page(new_page, pit.url)
    shows(page, SETS / "animals")
    pit.act("scene?name=gallery")
    page.wait("pit => pit.scene === 'gallery' && pit.count > 0")
    assert {one["kind"] for one in page.get("pit.positions()")} == {17}
    pit.act("scene?name=pit")
    page.wait("pit => pit.scene === 'pit' && pit.count > 0")
    shows(page, SETS / "animals")
    before = hashes(page)
    page.wait("(pit, before) => pit.following.hashes >= before + 3", before)
    assert not page.complaints


def test_a_plain_canvas_draws_a_set(start_pit, new_page, flat):
    _, url = open_pit(start_pit, "--bodies", 20, "--stickers", flat)
    page = new_page(420, 640)
    page.page.add_init_script(NO_WEBGL)
    page.page.goto(url + "?stream=replica")
    page.wait("pit => pit.connected && pit.count > 0")
    shows(page, flat)
    page.until(lambda: drawn(page, MAGENTA) > 2000)


def test_the_stage_shows_the_set(start_pit, new_page, flat):
    _, url = open_pit(start_pit, "--bodies", 20, "--stickers", flat)
    page = new_page(900, 600)
    page.page.goto(url + "?view=stage")
    page.wait("pit => pit.connected && pit.count > 0")
    page.until(lambda: drawn(page, MAGENTA) > 1000)
    assert not page.complaints


def test_what_changed_in_the_folder_is_fetched_anew(start_pit, new_page, tmp_path):
    folder = tmp_path / "fruit"
    shutil.copytree(SETS / "fruit", folder)
    server, url = open_pit(start_pit, "--bodies", 20, "--stickers", folder)
    page = open_page(new_page, url)
    first = shows(page, folder) and page.page.evaluate(TRAY)[0][0]
    server.stop()
    kiwi = folder / "kiwi.svg"
    kiwi.write_text(kiwi.read_text().replace("#a5d63a", "#ff00ff"))
    _, again = open_pit(start_pit, "--bodies", 20, "--stickers", folder, port=server.port)
    page.until(lambda: page.page.evaluate(TRAY)[0][0] != first)
    shows(page, folder)


def test_a_replay_shows_its_world_s_set(start_pit, new_page, tmp_path, flat):
    data = tmp_path / "data"
    pit = start_pit("--bodies", 20, "--data", data, "--stickers", flat)
    until(lambda: pit.health()["journal"]["tick"] > 200)
    assert pit.stop() == 0
    replay = ReplayServer(data, "--stickers", flat)
    try:
        page = new_page(420, 640)
        page.page.goto(replay.url)
        page.wait("pit => pit.past !== null && pit.count > 0")
        page.until(lambda: drawn(page, MAGENTA) > 2000)
        assert not page.complaints
    finally:
        replay.stop()
    flags = ["--data", data, "--port", "0", "--web", ROOT / "web"]
    other = subprocess.run(
        [STICKERPIT, "replay", *flags, "--stickers", SETS / "fruit"],
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert other.returncode == 1 and "other stickers" in other.stderr
