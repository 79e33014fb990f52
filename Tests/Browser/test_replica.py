"""Pages that run the world themselves: the same world as the server's and as native clients', and what
they do instead where they can't. `?stream=replica` keeps a page to it on a machine that stands still
at times."""

import re
import urllib.request

import pytest
from pitserver import PATIENCE, until
from replica import replica_bots

# The page goes by all that its numbers say.
AGREES = "pit.following.diverged === 0 && pit.following.isDiverged === 0"

# Tilt, drop, throw, grab, move, release, snap, say.
ACTS = {0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0A}

WORDS = {"rain": ["happy birthday", "so cold"]}


def open_pit(start_pit, *flags, **options):
    server = start_pit("--seed", 1, *flags, **options)
    return server, f"http://127.0.0.1:{server.port}/"


def hashes(page):
    """How often the page's whole world was found equal to the server's."""
    assert page.get(AGREES), page.get("pit.following")
    return page.get("pit.following.hashes")


def play(page, scene, turn):
    """A little of everything that a person can do in a scene, each time elsewhere."""
    width, height = page.get("pit.world.width"), page.get("pit.world.height")
    x, y = width * (0.2 + 0.15 * (turn % 5)), height * (0.15 + 0.1 * (turn % 4))
    page.page.mouse.click(*page.place(x, y))
    page.flick((x, y), (width - x, y / 2))
    if stickers := page.get("pit.positions()"):
        one = stickers[turn % len(stickers)]
        page.page.mouse.move(*page.place(one["x"], one["y"]))
        page.page.mouse.down()
        page.page.mouse.move(*page.place(width - x, y), steps=5)
        page.page.mouse.up()
    key = ["ArrowLeft", "ArrowUp", "ArrowRight"][turn % 3]
    page.page.keyboard.down(key)
    page.page.mouse.click(*page.place(width - x, y))
    page.page.keyboard.up(key)
    if words := WORDS.get(scene):
        page.page.get_by_role("button", name=words[turn % len(words)]).click()


@pytest.mark.parametrize(
    "scene", ["pit", "rain", *(pytest.param(one, marks=pytest.mark.long) for one in ("gallery", "drag", "toss"))]
)
def test_pages_and_native_clients_run_the_server_s_world(start_pit, new_page, scene):
    server, url = open_pit(start_pit, "--scene", scene)
    with replica_bots(server.socket_url) as end_bots:
        # Small ones: what is drawn costs this machine most.
        pages = [new_page(300, 400), new_page(300, 400)]
        for page in pages:
            page.page.goto(url + "?stream=replica&debug")
            page.wait("(pit, scene) => pit.connected && pit.scene === scene", scene)
            page.wait("pit => pit.following?.hashes > 0")
        sent = [page.sent() for page in pages]
        turn = 0
        # What moves is missed now and then, and more often by a slow page.
        while min(map(hashes, pages)) < 20 or turn < 2 or turn < 40 and not all(
            set(types) & ACTS for types in sent
        ):
            for page in pages:
                play(page, scene, turn)
            turn += 1
        code, report = end_bots()
    for page, types in zip(pages, sent, strict=True):
        assert set(types) & ACTS, "they took part"
        assert "diverging" not in debug_lines(page)["verdict"]
        # Whoever asks for a snapshot has a wrong world, or got records that do not fit.
        assert debug_lines(page)["snapshots"].endswith(" (0 asked for)")
        assert page.complaints == []
    # One at the beginning, and another one only where a busy machine kept a page from its records for so long that
    # the server no longer had them.
    more = sum(max(0, page.get("pit.link.keyframes") - 1) for page in pages)
    until(lambda: more <= frames_missing(server))
    assert code == 0, report["messages"]
    assert report["mismatches"] == report["gaps"] == 0
    assert report["hashes_compared"] > 0
    assert report["reconnects"] > 0


# Keeps one message of records from the page when it is told to.
SWALLOW_RECORDS = """
window.WebSocket = class extends WebSocket {
  set onmessage(listener) {
    super.onmessage = listener && (event => {
      const isRecords = new Uint8Array(event.data)[0] >> 4 === 9;
      if (window.swallows && isRecords) window.swallows = false;
      else listener(event);
    });
  }
};
"""


def test_a_wrong_world_is_found_said_and_healed(server, new_page):
    page = new_page(300, 400)
    page.page.add_init_script(SWALLOW_RECORDS)
    page.join(server.url + "?stream=replica&debug")
    page.wait("pit => pit.following.hashes > 1")
    openings = page.openings()
    page.page.evaluate("window.swallows = true")
    page.wait("pit => pit.following.diverged === 1")
    page.wait("() => /verdict +diverging/.test(document.getElementById('debug').textContent)")
    # Another snapshot comes, and from then on the world is right.
    page.wait("pit => pit.link.keyframes === 2 && pit.following.isDiverged === 0")
    page.wait("(pit, before) => pit.following.hashes > before + 3", page.get("pit.following.hashes"))
    page.wait("() => /verdict +(matched|jitter)/.test(document.getElementById('debug').textContent)")
    assert page.get("[pit.following.diverged, pit.link.keyframes, pit.count]") == [1, 2, 40]
    differed = debug_lines(page)["differed"]
    assert re.fullmatch(r"in tick \d+: records are missing: at tick \d+ instead of \d+", differed), differed
    assert openings == [] and page.complaints == []


# Changes gravity by the smallest step in a tick in which nothing happens, when it is told to.
FORGE_RECORD = """
window.WebSocket = class extends WebSocket {
  set onmessage(listener) {
    super.onmessage = listener && (event => {
      const records = new Uint8Array(event.data);
      if (!window.forges || records.some(byte => byte !== 0x90)) return listener(event);
      window.forges = false;
      const { buffer } = Uint8Array.of(0x91, 0xe4, ...records.slice(1));
      listener(new MessageEvent("message", { data: buffer }));
    });
  }
};
"""


def test_both_worlds_of_a_divergence_can_be_saved(server, new_page, tmp_path):
    page = new_page(1200, 800)
    page.page.add_init_script(FORGE_RECORD)
    page.join(server.url + "?stream=replica&debug")
    page.wait("pit => pit.following.hashes > 1")
    button = page.page.get_by_role("button", name="Save both worlds")
    assert page.get("pit.divergence") is None and button.count() == 0
    page.page.evaluate("window.forges = true")
    page.wait("pit => pit.divergence !== null && pit.following.isDiverged === 0")
    tick, difference, mine, servers = page.get(
        """(({ tick, difference, mine, servers }) =>
          [tick, difference, [...mine], [...servers]])(pit.divergence)"""
    )
    assert difference == "gravity" and mine != servers
    with page.page.expect_download(lambda one: "server" in one.suggested_filename) as second:
        with page.page.expect_download(lambda one: "page" in one.suggested_filename) as first:
            button.click()
    for download, who, world in (first.value, "page", mine), (second.value, "server", servers):
        assert download.suggested_filename == f"pit-{tick}-{who}.bin"
        download.save_as(tmp_path / who)
        assert (tmp_path / who).read_bytes() == bytes(world)
    assert page.complaints == []


def debug_lines(page):
    """What the debug panel shows, by name; the first column is eleven letters wide."""
    page.page.wait_for_function("() => document.getElementById('debug').textContent")
    text = page.page.locator("#debug").text_content()
    return {line[:11].strip(): line[11:] for line in text.split("\n")}


def test_the_debug_panel_tells_how_running_the_world_goes(server, new_page):
    page = new_page().join(server.url + "?stream=replica&debug")
    page.wait("pit => pit.following.hashes > 1")
    shows = {
        "stream": r"replica",
        "round trip": r"\d+\.\d ms",
        "payload": r"\d+\.\d kbit/s",
        "ahead": r"-?\d+ of \d+ ticks, input delay \d+",
        "rollbacks": r"\d+ \(\d+ ticks\)",
        "corrected": r"\d+, now \d+\.\d pt, most \d+\.\d",
        "late": r"own commands in \d+ ticks",
        "hashes": r"[1-9]\d* equal, 0 not",
        "a tick": r"\d+\.\d\d ms",
        "verdict": r"matched|jitter",
    }
    page.wait(
        """(pit, shows) => {
          const lines = document.getElementById("debug").textContent.split("\\n");
          return Object.entries(shows).every(([name, value]) =>
            lines.some(line => new RegExp(`^${name.padEnd(11)}(${value})$`).test(line)));
        }""",
        shows,
    )


def test_the_payload_is_that_of_the_last_moment(server, new_page):
    page = new_page().join(server.url + "?stream=replica")
    page.wait("pit => pit.following.bytes > 1500")
    # Shown late, it must not count all that came before as of this half second.
    page.page.keyboard.press("Shift+D")
    page.wait("() => /payload/.test(document.getElementById('debug').textContent)")
    first = float(debug_lines(page)["payload"].split()[0])
    assert first < 20, "kbit/s"


def test_told_states_on_request(server, new_page):
    page = new_page().join(server.url + "?stream=state&debug")
    assert page.get("pit.following") is None
    page.page.mouse.click(*page.free_place(360, 60))
    page.wait("pit => pit.count === 41")
    lines = debug_lines(page)
    assert lines["stream"] == "state"
    assert not {"payload", "verdict"} & set(lines)
    page.wait("(pit, before) => pit.tick > before + 60", page.get("pit.tick"))
    assert page.get("pit.following") is None
    assert page.complaints == []


def test_a_page_that_was_hidden_takes_up_the_log_where_it_was(server, new_page):
    other = new_page(300, 400).join(server.url)
    page = new_page(300, 400).join(server.url + "?stream=replica")
    # What a tick costs here, too little to take a snapshot for two seconds' worth, is known soon.
    page.wait("pit => pit.following.hashes > 1 && pit.following.cost > 0 && pit.following.cost < 0.5")
    assert page.get("pit.link.keyframes") == 1
    before = page.get("({ id: pit.id, name: pit.name, tick: pit.tick, ...pit.following })")
    page.set_visibility("hidden")
    page.wait("pit => pit.state === 'paused'")
    # It misses two seconds of the log, in which another one plays.
    play(other, "pit", 0)
    other.wait("(pit, before) => pit.tick > before + 120", before["tick"])
    page.set_visibility("visible")
    page.wait("(pit, before) => pit.following?.hashes > before + 5", before["hashes"])
    assert page.get("pit.link.keyframes") == 0, "no snapshot was needed"
    assert hashes(page) > 0
    assert page.get("({ id: pit.id, name: pit.name })") == {k: before[k] for k in ("id", "name")}
    assert page.complaints == []


def test_a_page_whose_server_restarted_meanwhile_gets_a_snapshot(server, new_page):
    page = new_page().join(server.url + "?stream=replica")
    page.wait("pit => pit.following.hashes > 1")
    page.set_visibility("hidden")
    page.wait("pit => pit.state === 'paused'")
    server.stop()
    server.start()
    page.set_visibility("visible")
    page.wait("pit => pit.connected && pit.link.keyframes === 1 && pit.following?.hashes > 1")
    assert page.get(AGREES)
    assert page.get("pit.count") == 40


# A world of so many is not sent whole.
TOO_MANY = ("--bodies", 4100, "--max-bodies", 5000)


def drops(page):
    """Drops a sticker. A page that has thousands to draw may be too busy to take a key for one."""
    before = page.get("pit.count")

    def is_there():
        page.page.keyboard.press("Space")
        return page.comes("(pit, before) => pit.count > before", before)

    page.until(is_there)


# Thousands of stickers take all of the machine.
@pytest.mark.serial
def test_a_world_too_large_to_be_sent_whole_is_told_in_states(start_pit, new_page):
    # Comparing the frames of thousands would take most of the server's time.
    _, url = open_pit(start_pit, *TOO_MANY, checks_frames=False)
    page = new_page()
    openings = page.openings()
    page.page.goto(url)
    page.wait("pit => pit.connected && pit.count > 4000 && pit.following === null")
    assert len(openings) == 2, "one that was refused, and one"
    drops(page)
    # From now on it does not ask again.
    page.set_visibility("hidden")
    page.wait("pit => pit.state === 'paused'")
    page.set_visibility("visible")
    page.wait("pit => pit.connected && pit.count > 4000")
    assert len(openings) == 3


@pytest.mark.serial
def test_a_slow_device_asks_for_states_on_the_same_connection(start_pit, new_page):
    _, url = open_pit(start_pit, "--bodies", 2000, checks_frames=False)
    page = new_page()
    openings = page.openings()
    page.join(url)
    # How many times slower the processor must be for two thousand stickers depends on the machine;
    # those in motion cost most.
    for slower, key in ((10, "ArrowUp"), (20, "ArrowDown"), (40, "ArrowUp"), (80, "ArrowDown")):
        page.devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.page.keyboard.down(key)
        is_told = page.comes("pit => pit.following === null", seconds=20)
        page.page.keyboard.up(key)
        if is_told:
            break
    page.devtools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    page.wait("pit => pit.following === null")
    page.said("The pit is shown a moment later here")
    page.wait("(pit, before) => pit.tick > before + 60", page.get("pit.tick"))
    drops(page)
    assert len(openings) == 1 and page.get("pit.state") == "online"


def metrics(server):
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=PATIENCE) as answer:
        return answer.read().decode()


def frames_missing(server):
    """How often nothing led on from where a client was."""
    told = re.findall(
        r'^stickerpit_frames_skipped_total\{.*why="missing".*\} (\d+)$', metrics(server), re.M
    )
    assert told, "each network thread tells it"
    return sum(map(int, told))


def reported(server):
    """What pages told of their predictions, by name."""
    told = re.findall(
        r'^stickerpit_client_reports_total\{.*what="(\w+)"\} (\d+)$', metrics(server), re.M
    )
    sums = dict.fromkeys((what for what, _ in told), 0)
    for what, count in told:
        sums[what] += int(count)
    return sums


def test_a_page_reports_how_well_it_foresees(start_pit, new_page):
    server, url = open_pit(start_pit)
    with replica_bots(server.socket_url):
        page = new_page(300, 400)
        page.page.goto(url + "?stream=replica")
        page.wait("pit => pit.following?.rollbacks > 0")
        until(lambda: reported(server)["rollbacks"] > 0)
        told = reported(server)
        assert told["reports"] >= 1
        assert told["rollbacks"] <= page.get("pit.following.rollbacks")
        assert told["wrong_worlds"] == 0
