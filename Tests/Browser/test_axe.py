"""axe-core, which finds obstacles to accessibility, finds none in any view and scene."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from hosting import HostedPit, choose, host_page

THEMES = ["light", "dark"]
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}


@pytest.fixture(params=THEMES)
def theme(request):
    return request.param


# What fades in has no contrast yet: all animations that end have ended.
SETTLED = """() => Promise.allSettled(document.getAnimations()
  .filter(one => one.effect.getComputedTiming().endTime !== Infinity).map(one => one.finished))
  .then(() => true)"""


def obstacles(page):
    """What axe-core finds, in short: the rule, and the elements with the reason."""
    page.page.evaluate(SETTLED)
    found = Axe().run(page.page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:160]} ({node['failureSummary'][:300]})"
        for one in found
        for node in one["nodes"]
    ]


def test_axe_finds_what_is_wrong(blank_page):
    # Guards the others: a picture without words and a button without a name are found.
    blank_page.evaluate("document.body.insertAdjacentHTML('beforeend', '<button id=\"bad\"></button>')")
    found = Axe().run(blank_page).response["violations"]
    blank_page.evaluate("document.getElementById('bad').remove()")
    assert "button-name" in [one["id"] for one in found]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scene", ["pit", "rain", "gallery", "drag", "toss"])
def test_each_scene(start_pit, new_page, theme, scene, size):
    server = start_pit("--scene", scene, "--seed", 1)
    touch = size == "phone"
    page = new_page(*SIZES[size], color_scheme=theme, has_touch=touch, is_mobile=touch)
    page.page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait("(pit, scene) => pit.connected && pit.scene === scene", scene)
    page.page.locator("#coach").wait_for()
    if scene == "rain":
        page.page.locator(".chips button").first.wait_for()
    page.page.locator("#summary").wait_for(state="attached")
    assert obstacles(page) == []
    # And while one plays by keys.
    page.page.keyboard.press("KeyN")
    page.page.locator("#aim svg").first.wait_for()
    assert obstacles(page) == []
    page.page.keyboard.press("?")
    page.page.locator("#keys-help").wait_for()
    assert obstacles(page) == []


def test_the_past(server, new_page, theme):
    page = new_page(color_scheme=theme).join(server.url)
    page.wait("pit => pit.recorded > 60")
    page.page.locator("#rewind").click()
    page.page.locator("#past").wait_for()
    assert obstacles(page) == []


def test_alone_and_without_a_connection(server, new_page, theme):
    page = new_page(color_scheme=theme).join(server.url)
    server.stop()
    page.page.locator("#status").wait_for()
    assert obstacles(page) == []
    page.wait("pit => pit.alone")
    page.page.locator("#alone").wait_for()
    assert obstacles(page) == []


@pytest.mark.parametrize("scene", ["pit", "toss"])
def test_the_stage(start_pit, new_page, theme, scene):
    server = start_pit("--scene", scene, "--seed", 1)
    stage = new_page(1280, 720, color_scheme=theme)
    stage.page.goto(f"http://127.0.0.1:{server.port}/?view=stage")
    stage.page.locator("#hints li").first.wait_for()
    assert obstacles(stage) == []
    new_page().page.goto(f"http://127.0.0.1:{server.port}/")
    stage.page.locator("#newest li").wait_for()
    assert obstacles(stage) == []


def test_the_monitor(shared_pit, new_page, theme):
    page = new_page(1280, 720, color_scheme=theme)
    page.page.goto(f"http://127.0.0.1:{shared_pit.port}/?view=monitor")
    page.wait("pit => pit.points?.length > 1")
    assert obstacles(page) == []


def test_the_host(start_pit, tmp_path, new_page, theme):
    pit = HostedPit(start_pit, tmp_path)
    host = host_page(new_page, pit, 1200, 800, color_scheme=theme)
    for tab in ("People", "World", "Room", "Log"):
        choose(host, tab)
        assert obstacles(host) == [], tab
