"""What matters most, in another browser: Firefox joins, draws with WebGL 2, drops, drags, tilts, runs the
server's world with the same bits, comes back after a restart and shows the stage. All else of the page is
tested in Chromium."""

import base64

import pytest
from firefox import ARROW_LEFT, ARROW_UP, Firefox
from pitserver import until
from test_goldens import LOAD, MODULE, PHYSICS, SIMULATION, golden


@pytest.fixture(scope="module")
def firefox():
    firefox = Firefox()
    yield firefox
    firefox.stop()


@pytest.fixture
def open_page(firefox, server):
    """Opens the pit's page with a query."""
    pages = []

    def open_page(query=""):
        pages.append(firefox.open(server.url + query))
        pages[-1].wait("pit.connected && pit.count > 0")
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


def place_free(page, x, y):
    """Where a point of the world lies in the window, as soon as no sticker is near it."""
    page.wait(f"pit.positions().every(one => Math.hypot(one.x - {x}, one.y - {y}) > 120)")
    place = page.get(f"pit.toWindow({x}, {y})")
    return place["x"], place["y"]


def test_it_joins_and_draws_with_webgl(open_page):
    page = open_page()
    assert page.get("navigator.userAgent").startswith("Mozilla/5.0 (X11;")
    assert "Firefox/" in page.get("navigator.userAgent")
    # A canvas has one kind of context for good: another kind would be null.
    assert page.get("document.getElementById('pit').getContext('webgl2') !== null")
    assert page.get("pit.count") == 40
    tick = page.get("pit.tick")
    page.wait(f"pit.tick > {tick} + 60")
    assert page.get("document.getElementById('my-name').textContent") == page.get("pit.name")
    assert page.complaints == []


def test_a_click_drops_a_sticker_that_everybody_sees(open_page):
    page, other = open_page(), open_page()
    page.click(*place_free(page, 360, 300))
    for one in (page, other):
        one.wait("pit.count === 41")
    assert page.complaints == [] and other.complaints == []


def test_keys_tilt_the_world(open_page):
    page = open_page()
    page.wait("pit.gravity.y > 0.9")
    with page.key_held(ARROW_LEFT):
        page.wait("pit.tilt.x < -0.5 && pit.gravity.x < -0.5")
    page.wait("pit.gravity.x > -0.1 && pit.gravity.y > 0.9")
    with page.key_held(ARROW_UP):
        page.wait("pit.gravity.y < 0")
    assert page.complaints == []


def test_it_runs_the_servers_world(open_page):
    page = open_page("?stream=replica")
    page.wait("pit.following?.hashes > 0")

    def goes_on():
        with page.key_held(ARROW_LEFT):
            page.click(*place_free(page, 400, 300))
        following = page.get("pit.following")
        assert following["diverged"] == following["isDiverged"] == 0, following
        return following["hashes"] >= 10

    until(goes_on)
    assert page.get("pit.link.keyframes") == 1, "one snapshot, at the beginning"
    assert page.complaints == []


def held(page):
    """Takes the sticker that lies on top, and gives its slot."""

    def take():
        page.wait("pit.positions().length > 0")
        place = page.get("(({ x, y }) => pit.toWindow(x, y))(pit.positions().at(-1))")
        page.press(place["x"], place["y"])
        try:
            until(lambda: page.get("pit.holding.length === 1"), seconds=2)
        except AssertionError:
            # It has moved away meanwhile.
            page.release()
            return None
        return page.get("pit.holding")

    return until(take)[0]


def test_the_mouse_drags_a_sticker(open_page):
    page, other = open_page(), open_page()
    slot, me = held(page), page.get("pit.id")
    sticker = f"pit.positions().find(one => one.slot === {slot})"
    other.wait(f"{sticker}?.holder === {me}")
    for x, y in [(200, 400), (500, 300), (360, 200)]:
        place = page.get(f"pit.toWindow({x}, {y})")
        page.move(place["x"], place["y"])
        for one in (page, other):
            one.wait(f"(({{ x, y }}) => Math.hypot(x - {x}, y - {y}) < 60)({sticker})")
    page.release()
    page.wait("pit.holding.length === 0")
    other.wait(f"{sticker}?.holder === -1")
    assert page.complaints == [] and other.complaints == []


def test_it_comes_back_after_a_restart(server, open_page):
    page = open_page()
    server.stop()
    page.wait("!pit.connected && pit.alone")
    tick = page.get("pit.tick")
    page.wait(f"pit.tick > {tick} + 30")
    server.start()
    page.wait("pit.connected && !pit.alone && pit.count === 40")
    page.click(*place_free(page, 360, 300))
    page.wait("pit.count === 41")


def test_physics_and_scenes_end_in_their_golden_hashes(open_page):
    page = open_page()
    page.evaluate(LOAD, base64.b64encode(MODULE.read_bytes()).decode())
    runs = golden("PhysicsTests/Golden/scenes.json")
    assert len(runs) >= 4
    assert [page.evaluate(PHYSICS, run) for run in runs] == [run["hash"] for run in runs]
    pit = golden("SimulationTests/Golden/pit.json")
    assert page.evaluate(SIMULATION, pit) == {"hashes": pit["stateHashes"], "frame": pit["frameHash"]}
    scenes = golden("SimulationTests/Golden/scenes.json")
    assert len(scenes) == 5
    for scene in scenes:
        assert page.evaluate(SIMULATION, scene)["hashes"] == scene["stateHashes"], scene["scene"]


def test_the_stage_opens(open_page):
    stage = open_page("?view=stage")
    stage.wait("document.querySelector('#join .qr')?.naturalWidth > 0")
    tick = stage.get("pit.tick")
    stage.wait(f"pit.tick > {tick} + 60")
    assert stage.get("document.getElementById('pit').getContext('webgl2') !== null")
    assert stage.get("pit.people") == 0
    open_page()
    stage.wait("pit.people === 1 && document.querySelectorAll('#newest li').length === 1")
    assert stage.complaints == []
