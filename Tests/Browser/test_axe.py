"""axe-core, which finds obstacles to accessibility, finds none in any view and scene."""

import contextlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from hosting import HostedPit, choose, host_page, unfold
from pitpage import INSECURE_HOST
from pitserver import ROOT, until
from test_past import ReplayServer, opened

SCENES = ["pit", "rain", "gallery", "drag", "toss"]
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}


# What fades in has no contrast yet. Animations that end have ended, also those that begin while axe looks, such as a
# hint's that comes just then; the others stand still a fifth into their first turn.
STAND_STILL = """() => {
  const stop = () => {
    for (const one of document.getAnimations()) {
      const { duration, endTime } = one.effect.getComputedTiming();
      if (endTime !== Infinity) one.finish();
      else if (one.playState !== "paused") {
        one.pause();
        one.currentTime = duration / 5;
      }
    }
  };
  if (!window.standsStill) {
    for (const begun of ["animationstart", "transitionrun"]) addEventListener(begun, stop);
  }
  window.standsStill = true;
  stop();
}"""


# In each theme; in the second only what a theme changes.
THEMES = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
# It is half a megabyte: once a page.
IS_THERE = "() => window.axe !== undefined"
# What is fine is many times as much, and told to nobody.
RUN = """options => axe.run({ resultTypes: ["violations"], ...options }).then(({ violations }) => violations)"""


def obstacles(page):
    """What axe-core finds, in short: the rule, and the elements with the reason."""
    if not page.page.evaluate(IS_THERE):
        page.page.evaluate(Axe().axe_script)
    found = []
    for theme, options in THEMES.items():
        page.page.emulate_media(color_scheme=theme)
        page.page.evaluate(STAND_STILL)
        found += [
            f"{theme} {one['id']}: {node['html'][:160]} ({node['failureSummary'][:300]})"
            for one in page.page.evaluate(RUN, options)
            for node in one["nodes"]
        ]
    return found


def test_axe_finds_what_is_wrong(new_page, shared_pit):
    # Guards the others: a button without a name is found, and words that can't be read in one theme.
    page = new_page().join(at(shared_pit))
    page.page.evaluate(
        """() => {
          document.querySelector("#hud").insertAdjacentHTML(
            "beforeend", '<button id="bad"></button><p id="pale">Pale</p>'
          );
          Object.assign(document.getElementById("pale").style, {
            color: "#2d2350", background: "var(--page)", position: "fixed", inset: "40% 40% auto auto", zIndex: 99,
          });
        }"""
    )
    found = [one.split(":")[0] for one in obstacles(page)]
    assert found.count("light button-name") == found.count("dark color-contrast") == 1 and len(found) == 2


@pytest.mark.parametrize(
    ("scene", "size"),
    [("pit", "desktop"), *((scene, "phone") for scene in SCENES),
     *(pytest.param(scene, "desktop", marks=pytest.mark.long) for scene in SCENES[1:])],
)  # fmt: skip
def test_each_scene(start_pit, new_page, scene, size):
    server = start_pit("--scene", scene, "--seed", 1)
    touch = size == "phone"
    page = new_page(*SIZES[size], has_touch=touch, is_mobile=touch)
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


def test_the_past(server, new_page):
    page = new_page().join(server.url)
    page.wait("pit => pit.recorded > 60")
    page.page.locator("#rewind").click()
    page.page.locator("#past").wait_for()
    assert obstacles(page) == []


def test_alone_and_without_a_connection(server, new_page):
    page = new_page().join(server.url)
    server.stop()
    page.page.locator("#status").wait_for()
    assert obstacles(page) == []
    page.wait("pit => pit.alone")
    page.page.locator("#alone").wait_for()
    assert obstacles(page) == []


@pytest.mark.parametrize(
    "scene", ["pit", *(pytest.param(scene, marks=pytest.mark.long) for scene in SCENES[1:])]
)
def test_the_stage(start_pit, new_page, scene):
    server = start_pit("--scene", scene, "--seed", 1)
    stage = new_page(1280, 720)
    stage.page.goto(f"http://127.0.0.1:{server.port}/?view=stage")
    stage.page.locator("#hints li").first.wait_for()
    assert obstacles(stage) == []
    new_page().page.goto(f"http://127.0.0.1:{server.port}/")
    stage.page.locator("#newest li").wait_for()
    assert obstacles(stage) == []


def test_the_monitor(shared_pit, new_page):
    page = new_page(1280, 720)
    page.page.goto(f"http://127.0.0.1:{shared_pit.port}/?view=monitor")
    page.wait("pit => pit.points?.length > 1")
    assert obstacles(page) == []


def test_the_host(start_pit, tmp_path, new_page):
    pit = HostedPit(start_pit, tmp_path)
    host = host_page(new_page, pit, 1200, 800)
    for tab in ("People", "World", "Room", "Log"):
        choose(host, tab)
        assert obstacles(host) == [], tab


PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def at(server, query="", host="127.0.0.1"):
    return f"http://{host}:{server.port}/{query}"


class Views:
    """What is seen of the page now and then. Each of these opens a page that shows it."""

    def __init__(self, start_pit, new_page, folder, stack):
        self._start_pit = start_pit
        self._open = new_page
        self._folder = folder
        self._stack = stack

    def a_replayed_journal(self):
        data = self._folder / "data"
        server = self._start_pit("--data", data, "--bodies", 20)
        until(lambda: server.health()["tick"] > 120)
        server.stop()
        replay = ReplayServer(data)
        self._stack.callback(replay.stop)
        return opened(self._open, replay.url)

    def a_pit_that_waits_for_a_captain(self):
        page = self._open(**PHONE).join(at(self._start_pit("--tilt", "captain")))
        page.page.locator("#captain").wait_for()
        return page

    def the_captain(self):
        page = self.a_pit_that_waits_for_a_captain()
        page.tilt_phone(beta=0, gamma=80)
        page.page.locator("#captain i").wait_for()
        return page

    def the_button_for_the_motion_sensor(self):
        page = self._open(**PHONE)
        page.page.add_init_script(
            "DeviceOrientationEvent.requestPermission = () => new Promise(() => {})"
        )
        page.join(at(self._start_pit()))
        page.page.locator("#motion .ask").wait_for()
        return page

    def why_there_is_no_motion_sensor(self):
        server = self._start_pit("--allowed-host", INSECURE_HOST)
        page = self._open(**PHONE).join(at(server, host=INSECURE_HOST))
        page.page.locator("#motion .sentence").wait_for()
        return page

    def why_the_pit_can_not_be_shown(self):
        page = self._open()
        page.page.route("**/pit.wasm*", lambda route: route.abort())
        page.page.goto(at(self._start_pit()))
        page.page.locator("#status.failure").wait_for()
        return page

    def the_monitor_of_a_server_that_has_ended(self):
        server = self._start_pit()
        page = self._open(1280, 720)
        page.page.goto(at(server, "?view=monitor"))
        page.wait("pit => pit.points?.length > 1")
        server.stop()
        page.page.locator("#state[data-kind=lost]").wait_for()
        return page

    def the_question_for_the_hosts_token(self):
        pit = HostedPit(self._start_pit, self._folder)
        page = self._open(1200, 800).join(pit.url + "?host")
        page.page.get_by_label("Host token").fill("not-this-one-either")
        page.page.get_by_role("button", name="Open").click()
        page.page.locator("#host-token-error:not(:empty)").wait_for()
        return page

    def the_hosts_question_before_a_ban(self):
        pit = HostedPit(self._start_pit, self._folder)
        page = host_page(self._open, pit, 1200, 800)
        unfold(page, page).get_by_role("button", name="Ban address").click()
        page.page.locator("#host dialog[open]").wait_for()
        return page

    def a_set_of_stickers(self):
        page = self._open().join(at(self._start_pit("--stickers", ROOT / "sets" / "fruit")))
        page.page.locator("#tray .strip img").first.wait_for()
        return page

    def a_frozen_pit_with_an_announcement(self):
        pit = HostedPit(self._start_pit, self._folder)
        page = self._open(**PHONE).join(pit.url)
        for act in ("freeze", "notice?text=Cake%20and%20coffee"):
            pit.act(act)
        page.page.locator("#frozen").wait_for()
        page.page.locator("#announcement", has_text="Cake").wait_for()
        return page

    def a_locked_door(self):
        pit = HostedPit(self._start_pit, self._folder)
        pit.act("lock")
        page = self._open(**PHONE)
        page.page.goto(pit.url)
        page.page.locator("#status", has_text="The host has closed the door").wait_for()
        return page

    def who_was_removed(self):
        pit = HostedPit(self._start_pit, self._folder)
        page = self._open(**PHONE).join(pit.url)
        pit.act(f"kick?person={page.get('pit.id')}")
        page.page.locator("#status", has_text="You were removed by the host.").wait_for()
        return page

    def the_host_on_a_phone(self):
        pit = HostedPit(self._start_pit, self._folder)
        host = host_page(self._open, pit, *SIZES["phone"], has_touch=True, is_mobile=True)
        unfold(host, host)
        return host

    def the_monitor_on_a_phone(self):
        page = self._open(**PHONE)
        page.page.goto(at(self._start_pit(), "?view=monitor"))
        page.wait("pit => pit.points?.length > 1")
        return page

    def a_chinese_stage(self):
        page = self._open(1280, 720)
        page.page.goto(at(self._start_pit(), "?view=stage&lang=zh"))
        page.page.locator("#hints li").first.wait_for()
        return page

    def a_chinese_host(self):
        pit = HostedPit(self._start_pit, self._folder)
        pit.url += "?lang=zh&host#"
        return host_page(self._open, pit, 1200, 800)

    def chinese(self):
        page = self._open(**PHONE).join(at(self._start_pit(), "?lang=zh"))
        page.page.locator("#coach").wait_for()
        return page


VIEWS = [name for name in vars(Views) if not name.startswith("_")]


@pytest.mark.parametrize("view", VIEWS)
def test_what_is_seen_now_and_then(start_pit, new_page, tmp_path, view):
    with contextlib.ExitStack() as stack:
        page = getattr(Views(start_pit, new_page, tmp_path, stack), view)()
        assert obstacles(page) == []
