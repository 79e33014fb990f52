"""The past: a page sees again what just happened, and plays what a journal holds."""

import json
import math
import shutil
import sqlite3
import subprocess
import urllib.error
import urllib.request

import pytest
from pitserver import PATIENCE, ROOT, STICKERPIT, PitServer, until

STANDS_AT = "(pit, tick) => pit.past?.position === tick && !pit.past.isWaiting"


def world_at(url, tick=None):
    """The server's world at a tick, the newest without one: sticker by slot."""
    query = "" if tick is None else f"?tick={tick}"
    with urllib.request.urlopen(f"{url}api/world{query}") as answer:
        world = json.load(answer)
    return world["tick"], {body["slot"]: body for body in world["bodies"]}


def witnessed(url, count=3):
    """Worlds of ticks in a row."""

    def told():
        last, _ = world_at(url)
        try:
            return dict(world_at(url, tick) for tick in range(last - count + 1, last + 1))
        except urllib.error.HTTPError as refused:
            # Two seconds have passed since the first question, and they are kept no longer.
            assert refused.code == 404
            return None

    return until(told)


def seek(page, position):
    """Has the slider go there, and waits for the picture."""
    page.page.locator("#past .moment").evaluate(
        """(slider, position) => {
          slider.value = position;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
        }""",
        position,
    )
    page.wait(STANDS_AT, position)


def misplaced(page, world):
    """Stickers that are not where they were, within the sixteenths of a point that JSON has."""
    shown = {one["slot"]: one for one in page.page.evaluate("window.stickerPit.positions()")}
    places = {slot: (body["x"] / 16, body["y"] / 16) for slot, body in world.items()}
    return {
        slot: (shown.get(slot), places.get(slot))
        for slot in shown.keys() | places.keys()
        if slot not in shown or slot not in places
        or math.dist((shown[slot]["x"], shown[slot]["y"]), places[slot]) > 0.1
    }  # fmt: skip


def stands_still(page):
    if page.page.evaluate("window.stickerPit.past.isPlaying"):
        page.page.locator("#past .play").click()
    page.wait("pit => !pit.past.isPlaying")


def test_a_page_sees_again_what_just_happened(server, new_page):
    page = new_page().join(server.url)
    page.page.keyboard.press("Space")
    page.wait("pit => pit.recorded > 150 && pit.count === 41")
    worlds = witnessed(server.url)
    first, *_, last = worlds
    # Below, the past plays on from there and must be stopped before its end: that leaves five seconds.
    page.wait("(pit, tick) => pit.tick > tick + 300", last)

    page.page.keyboard.press("r")
    page.wait("pit => pit.past !== null")
    stands_still(page)
    seek(page, first)
    assert misplaced(page, worlds[first]) == {}
    for tick in range(first + 1, last + 1):
        page.page.locator("#past .forward").click()
        page.wait(STANDS_AT, tick)
        assert misplaced(page, worlds[tick]) == {}
    page.page.keyboard.press("ArrowLeft")
    page.wait(STANDS_AT, last - 1)
    assert misplaced(page, worlds[last - 1]) == {}

    # What is done meanwhile is not done to the present.
    page.page.keyboard.press("Space")
    page.wait("pit => pit.past?.isPlaying")
    stands_still(page)
    # It comes back by itself when it is over, and the pit goes on.
    end = page.page.evaluate("window.stickerPit.past.last")
    seek(page, end - 30)
    page.page.locator("#past .play").click()
    page.wait("pit => pit.past === null")
    assert page.page.locator("#past").is_hidden()
    page.wait("(pit, tick) => pit.tick > tick && pit.count === 41", end)
    assert page.page.evaluate("window.stickerPit.following.diverged") == 0
    assert page.complaints == []


def test_it_plays_backwards_to_its_beginning(server, new_page):
    page = new_page(390, 844).join(server.url)
    page.wait("pit => pit.recorded > 200")
    page.page.locator("#rewind").click()
    page.wait("pit => pit.past !== null")
    stands_still(page)
    seek(page, page.page.evaluate("window.stickerPit.past.first") + 90)
    page.page.locator("#past .speed").select_option("-2")
    page.page.locator("#past .play").click()
    # There it stands still: only its end is the present.
    page.wait("pit => pit.past.position === pit.past.first && !pit.past.isPlaying")
    page.page.keyboard.press("Escape")
    page.wait("pit => pit.past === null")
    assert page.complaints == []


def test_who_is_told_states_has_no_log_to_rewind(server, new_page):
    page = new_page().join(server.url + "?stream=state")
    assert page.page.locator("#rewind").is_hidden()
    page.page.keyboard.press("r")
    assert page.page.evaluate("window.stickerPit.past") is None


def test_a_past_that_is_gone_when_its_code_comes_is_not_opened(server, new_page):
    page = new_page()
    held = []
    page.page.route("**/past/timeline.js", lambda route: held.append(route))
    # The server is gone when the rest of it is asked for.
    page.page.route("**/past/past.js", lambda route: route.fulfill(path=ROOT / "web/past/past.js"))
    page.page.route(
        "**/past/timeline.css", lambda route: route.fulfill(path=ROOT / "web/past/timeline.css")
    )
    page.join(server.url)
    page.page.evaluate("import(pageFile('./ui/dom.js'))")
    page.wait("pit => pit.recorded > 90")
    page.page.keyboard.press("r")
    page.until(lambda: held)
    # Nothing is recorded of who plays alone.
    server.stop()
    page.wait("pit => pit.alone && pit.recorded === 0")
    held[0].fulfill(path=ROOT / "web/past/timeline.js")
    # By then it would be open.
    page.page.evaluate(
        """async () => {
          await import(pageFile("./past/timeline.js"));
          const { loadStyles } = await import(pageFile("./ui/dom.js"));
          await loadStyles(new URL(pageFile("./past/timeline.css")));
          for (let picture = 0; picture < 2; picture += 1) await new Promise(requestAnimationFrame);
        }"""
    )
    assert page.get("pit.past") is None
    assert page.page.locator("#past").is_hidden()


class ReplayServer:
    """`stickerpit replay` on a free port."""

    def __init__(self, data, *flags):
        command = [STICKERPIT, "replay", "--data", data, "--host", "127.0.0.1", "--port", "0"]
        self.process = subprocess.Popen(
            [*map(str, command), "--web", str(ROOT / "web"), *map(str, flags)],
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        # Where it is, after a line that says what it is.
        lines = [self.process.stderr.readline() for _ in range(4)]
        self.url = lines[1].split()[-1].replace("localhost", "127.0.0.1") + "/"

    def stop(self):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """A journal of some thirteen seconds with two snapshots in it, and worlds that were seen."""
    data = tmp_path_factory.mktemp("journal") / "data"
    pit = PitServer("--data", data, "--bodies", 20, "--seed", 5)
    bots = subprocess.Popen(
        [STICKERPIT, "bots", "--url", pit.socket_url, "--count", "5", "--seconds", "3600"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    worlds = {}
    for tick in (200, 595, 640, 760):
        until(lambda tick=tick: pit.health()["tick"] > tick + 5)
        worlds |= witnessed(f"http://127.0.0.1:{pit.port}/")
    bots.kill()
    bots.wait()
    pit.stop()
    return data, worlds


@pytest.fixture
def replay(journal):
    servers = []

    def serve(*flags):
        servers.append(ReplayServer(journal[0], *flags))
        return servers[-1]

    yield serve
    for server in servers:
        server.stop()


def opened(new_page, url, width=800, height=900):
    page = new_page(width, height)
    page.page.goto(url)
    page.wait("pit => pit.past !== null && pit.count > 0")
    return page


def test_a_journal_is_played_by_pages(replay, journal, new_page):
    page = opened(new_page, replay().url)
    assert page.page.url.endswith("?replay")
    page.wait("pit => pit.past.isPlaying && pit.past.position > 30")
    stands_still(page)
    _, worlds = journal
    # Forwards, backwards, and over the snapshot in the middle.
    for tick in [*worlds, *reversed(worlds)]:
        seek(page, tick)
        assert misplaced(page, worlds[tick]) == {}, tick
    assert page.complaints == []


def test_an_exported_stretch_is_played(journal, new_page, tmp_path):
    data, worlds = journal
    file = tmp_path / "bug.journal"
    subprocess.run(
        [STICKERPIT, "journal", "export", "--data", data, "--from", "620", "-o", file], check=True
    )
    server = ReplayServer(file)
    page = opened(new_page, server.url)
    stands_still(page)
    # It begins with the snapshot before.
    assert page.page.evaluate("window.stickerPit.past.first") == 600
    tick = max(worlds)
    seek(page, tick)
    assert misplaced(page, worlds[tick]) == {}
    page.page.close()
    server.stop()


def test_what_is_missing_is_passed_over(journal, new_page, tmp_path):
    data = tmp_path / "data"
    shutil.copytree(journal[0], data)
    with sqlite3.connect(data / "journal.sqlite") as database:
        one = "SELECT min(last) FROM records WHERE last >= 300"
        database.execute(f"DELETE FROM records WHERE last = ({one})")
    database.close()
    server = ReplayServer(data, "--from", "250")
    page = opened(new_page, server.url)
    # The ticks up to the next snapshot can't be known.
    page.wait("pit => pit.past.position >= 600")
    assert page.complaints == []
    stands_still(page)
    tick = max(journal[1])
    seek(page, tick)
    assert misplaced(page, journal[1][tick]) == {}
    page.page.close()
    server.stop()


def test_it_begins_where_and_as_fast_as_it_was_told(replay, new_page):
    page = opened(new_page, replay("--from", "400", "--speed", "0.5").url, 390, 844)
    past = page.page.evaluate("window.stickerPit.past")
    assert past["speed"] == 0.5 and past["position"] >= 400
    assert page.page.locator("#past .speed").input_value() == "0.5"
    assert page.page.locator("#past .live").is_hidden()


def test_it_plays_backwards_over_a_snapshot(replay, new_page):
    page = opened(new_page, replay("--from", "640", "--speed", "-8").url)
    page.wait("pit => pit.past.position === pit.past.first && !pit.past.isPlaying")
    assert page.complaints == []


def test_at_its_end_it_stands_still_and_begins_anew(replay, new_page):
    page = opened(new_page, replay("--from", "-2s", "--speed", "16").url)
    page.wait("pit => pit.past.position === pit.past.last && !pit.past.isPlaying")
    page.page.keyboard.press("Space")
    page.wait("pit => pit.past.isPlaying && pit.past.position < pit.past.last")


def test_where_the_present_is_served_the_same_address_shows_that(server, new_page):
    page = new_page().join(server.url + "?replay")
    assert page.page.evaluate("window.stickerPit.past") is None


@pytest.mark.parametrize(
    ("flags", "code", "words"),
    [
        (["--speed", "0"], 2, "--speed takes 0.1 to 16"),
        (["--speed", "17"], 2, "--speed takes 0.1 to 16"),
        (["--from", "soon"], 2, "--from"),
        (["--from", "99999999"], 1, "tick 99999999 is not in the journal"),
        (["--tls-key", "key.pem"], 2, "belong together"),
        (["--web", "/nowhere"], 1, "the web folder /nowhere does not exist"),
    ],
)
def test_what_it_can_not_do_it_says(journal, flags, code, words):
    done = subprocess.run(
        [STICKERPIT, "replay", "--data", str(journal[0]), "--port", "0", *flags],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == code and words in done.stderr


def test_while_a_server_writes_it_is_told_so(tmp_path):
    pit = PitServer("--data", tmp_path / "data")
    done = subprocess.run(
        [STICKERPIT, "replay", "--data", str(tmp_path / "data"), "--port", "0"],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    pit.stop()
    assert done.returncode == 1 and "uses the data folder" in done.stderr


def test_requests_that_are_none(replay):
    url = replay().url
    for path, status in [
        ("api/replay/stretch", 400), ("api/replay/stretch?at=-1", 400),
        ("api/replay/stretch?at=99999999", 404), ("api/world", 404),
    ]:  # fmt: skip
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(url + path)
        assert refused.value.code == status


# A journal of three stretches: ticks 0 to 299, then nothing up to 600, and 1200 to its end at 1500.
# Its server counts what it is asked for.
SOURCE = """
const { JournalSource } = await import(pageFile("./past/journal.js"));
const stretches = [[0, 299, 600], [600, 1200, 1200], [1200, 1500, 0]];
window.asked = [];
const usual = window.fetch;
window.fetch = async (url) => {
  const at = Number(new URL(url).searchParams.get("at"));
  window.asked.push(at);
  const [start, end, next] = stretches.findLast(([start]) => start <= at);
  const bytes = new DataView(new ArrayBuffer(28));
  for (const [place, number] of [[0, start], [8, 0], [16, next]]) {
    bytes.setBigUint64(place, BigInt(number), true);
  }
  bytes.setUint32(24, end - start, true);
  return { ok: true, arrayBuffer: async () => bytes.buffer };
};
const module = { takePast: (_, ticks) => ticks };
const source = new JournalSource(module, { first: 0, last: 1500, firstTime: 0 });
const found = async (position, direction) => {
  for (let tries = 0; tries < 20; tries += 1) {
    const place = source.find(position, direction);
    if (place !== null) return place;
    await new Promise((done) => setTimeout(done, 5));
  }
  return null;
};
"""


@pytest.mark.parametrize(
    ("position", "direction", "place"),
    [
        (150.5, 1, 150.5), (299, 1, 299), (400, 1, 600), (400, -1, 299), (599.5, -1, 299),
        (600, -1, 600), (1200, 1, 1200), (1500, 1, 1500), (1500, -1, 1500), (1503, 1, 1500),
    ],
)  # fmt: skip
def test_where_to_be_in_a_journal_with_a_gap(blank_page, position, direction, place):
    answer = blank_page.evaluate(
        f"""async ([position, direction]) => {{
          {SOURCE}
          const place = await found(position, direction);
          window.fetch = usual;
          return place;
        }}""",
        [position, direction],
    )
    assert answer == place


def test_a_stretch_is_asked_for_once_and_the_next_in_time(blank_page):
    asked = blank_page.evaluate(
        f"""async () => {{
          {SOURCE}
          for (let position = 600; position < 1500; position += 10) await found(position, 1);
          await found(1499, -1);
          window.fetch = usual;
          return window.asked;
        }}"""
    )
    assert asked == [600, 1200]


def test_a_held_sticker_is_let_go_of(server, new_page):
    page = new_page().join(server.url)
    page.wait("pit => pit.recorded > 90")
    page.settle()
    one = page.page.evaluate("window.stickerPit.positions()[0]")
    place = page.place(one["x"], one["y"])
    page.page.mouse.move(*place)
    page.page.mouse.down()
    page.wait("pit => pit.holding.length === 1")
    page.wait("pit => pit.positions().some(one => one.holder === pit.id)")
    page.page.keyboard.press("r")
    page.wait("pit => pit.past !== null && pit.holding.length === 0")
    until(lambda: not held(server.url))
    page.page.mouse.up()
    page.page.keyboard.press("Escape")
    page.wait("pit => pit.past === null")
    assert page.complaints == []


def held(url):
    with urllib.request.urlopen(f"{url}api/world") as answer:
        return json.load(answer)["holders"]
