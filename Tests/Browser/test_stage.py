"""The stage: a screen for the room, which looks on and is nobody."""

import subprocess

import pytest
import soak_stage
from footprint import footprint, watch_footprint
from pitserver import STICKERPIT, PitServer
from test_accessibility import CONTRAST

SIZES = [(1280, 720), (1920, 1080), (1024, 768)]
# All that can be reached by a key or a finger.
CONTROLS = "a[href], button, input, select, textarea, [tabindex], [contenteditable]"


def stage_of(url):
    return url + "?view=stage"


@pytest.fixture
def stage(server, new_page):
    return new_page(1280, 720).join(stage_of(server.url))


@pytest.fixture(scope="module")
def public_pit():
    """A server that knows by which address people find it."""
    server = PitServer("--bodies", 40, "--seed", 1, "--public-url", "https://pit.example:8443")
    yield server
    server.stop()


def joined(page):
    page.wait("pit => pit.connected && document.querySelector('#join .qr')?.naturalWidth > 0")


def read_by_a_camera(page, folder):
    """What the code says that is somewhere in a picture of the whole screen."""
    picture = folder / "stage.png"
    page.page.screenshot(path=picture)
    command = ["zbarimg", "--quiet", "--raw", picture]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


CUT = """() => [...document.querySelectorAll("#screen :is(p, li, dd, dt, h1, h2, img, canvas)")]
  .filter(one => one.checkVisibility())
  .filter(one => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
  }).map(one => one.outerHTML)"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_camera_reads_the_way_in(start_pit, new_page, tmp_path, scheme):
    # A pit of its own: in the shared one nobody would be left alone.
    pit = start_pit("--bodies", 40, "--seed", 1, "--public-url", "https://pit.example:8443")
    url = f"http://127.0.0.1:{pit.port}/"
    page = new_page(*SIZES[0], color_scheme=scheme).join(stage_of(url))
    joined(page)
    code = pit.ask("/api/venue")["code"]
    for size in SIZES:
        page.resize(*size)
        assert read_by_a_camera(page, tmp_path) == "https://pit.example:8443/", size
        # Where nobody plays it comes nearer, and is larger.
        width = page.page.locator("#join .qr").evaluate("one => one.offsetWidth")
        assert width == pytest.approx(0.32 * min(size), abs=1)
        # What is typed without a camera, whole.
        words = page.page.locator("#join .address").inner_text().split()
        assert words == ["pit.example:8443/j/", code]
        assert page.page.locator("#join .warning").is_hidden()
        assert page.page.evaluate(CUT) == [], size
    # And while somebody plays: the card is back where it stands, no larger than that.
    new_page(390, 700).join(url)
    page.wait("pit => pit.people === 1")
    for size in SIZES:
        page.resize(*size)
        page.until(lambda: page.page.evaluate(CARD)["scale"] == pytest.approx(1, abs=0.01))
        assert read_by_a_camera(page, tmp_path) == "https://pit.example:8443/", size
    assert page.complaints == []


def test_the_whole_pit_is_seen(stage):
    seen = stage.page.evaluate(
        """() => {
          const { width, height } = document.getElementById("pit").getBoundingClientRect();
          return [width, height, width / height];
        }"""
    )
    # As high as the screen but for its edges, and not squeezed: the pit is 3 : 4.
    assert seen[1] > 0.9 * 720 and seen[2] == pytest.approx(0.75, abs=0.05)


def test_an_address_that_no_phone_finds_is_said(stage):
    joined(stage)
    assert "--public-url" in stage.page.locator("#join .warning").inner_text()


def test_the_screen_is_nobody_and_shows_who_comes(server, new_page):
    stage = new_page(1280, 720)
    sent = stage.sent()
    stage.join(stage_of(server.url))
    heads, newest = stage.page.locator("#heads"), stage.page.locator("#newest li")
    stage.until(lambda: heads.inner_text() == "Nobody is here yet")
    assert stage.page.locator("#newcomers").is_hidden()
    first = new_page().join(server.url)
    # Each page hears of it for itself.
    for page in (stage, first):
        page.wait("pit => pit.people === 1")
    assert " ".join(heads.inner_text().split()) == "1 person here"
    assert newest.all_inner_texts() == [first.get("pit.name")]
    second = new_page().join(server.url)
    for page in (stage, first, second):
        page.wait("pit => pit.people === 2")
    assert newest.all_inner_texts() == [second.get("pit.name"), first.get("pit.name")]
    assert newest.nth(0).evaluate("one => one.style.getPropertyValue('--dot')") == second.get(
        "pit.colour"
    )
    # Only who came while the screen looked on is announced.
    late = new_page(1280, 720).join(stage_of(server.url))
    late.wait("pit => document.querySelectorAll('#newest li').length === 2")
    assert late.page.locator("#newest .fresh").count() == 0
    assert stage.page.locator("#newest .fresh").count() == 2
    # Nobody has heard of a third person, who would be counted by now.
    second.wait("(pit, tick) => pit.tick > tick + 60", second.get("pit.tick"))
    assert [page.get("pit.people") for page in (stage, late, first, second)] == [2, 2, 2, 2]
    # Hellos, clocks and reports: nothing that anybody would feel.
    assert set(sent) <= {0x01, 0x05, 0x0D}
    assert stage.complaints == []


def test_who_passes_by_is_told_what_to_do_until_somebody_plays(server, new_page):
    stage = new_page(1280, 720).join(stage_of(server.url))
    hints = stage.page.locator("#hints")
    stage.until(hints.is_visible)
    said = [text.split()[0] for text in stage.page.locator("#hints li").all_inner_texts()]
    assert said == ["Scan", "Tilt", "Drop"]
    new_page().join(server.url)
    stage.until(hints.is_hidden)


# Notes what a picture shows for a moment only.
NOTE_MOMENTS = """() => {
  window.seen = { shake: 0, squashed: 0, cracks: 0, hopping: 0, headline: "" };
  const headline = document.getElementById("headline");
  const look = () => {
    const { seen, stickerPit: pit } = window;
    for (const name of ["shake", "squashed", "cracks", "hopping"]) {
      seen[name] = Math.max(seen[name], Math.abs(pit[name]));
    }
    if (!headline.hidden) seen.headline = headline.textContent;
    requestAnimationFrame(look);
  };
  look();
}"""


def test_blows_the_shake_the_headline_and_cracks_are_seen_as_on_a_phone(start_pit, new_page):
    pit = start_pit("--scene", "rain", "--seed", 1)
    url = f"http://127.0.0.1:{pit.port}/"
    stage = new_page(1280, 720)
    stage.page.goto(stage_of(url))
    stage.wait("pit => pit.connected")
    stage.page.evaluate(NOTE_MOMENTS)
    phone = new_page(600, 800)
    phone.page.goto(url)
    phone.wait("pit => pit.connected && pit.scene === 'rain'")

    def is_seen():
        # As often as it takes: the floor shakes for nine ticks, of which a slow machine may draw none.
        phone.page.get_by_role("button", name="so cold").click()
        return stage.comes(
            """() => {
              const { shake, squashed, cracks, headline } = window.seen;
              return shake > 0 && squashed > 0 && cracks > 0 && headline === "The floor opens!";
            }""",
            None,
            15,
        )

    stage.until(is_seen)
    stage.page.locator("#headline").wait_for(state="hidden")
    assert stage.complaints == []


# How much larger the card is than where it stands, and how far its middle is from the pit's.
CARD = """() => {
  const [card, pit] = ["join", "pit"].map(id => document.getElementById(id).getBoundingClientRect());
  return {
    scale: card.width / document.getElementById("join").offsetWidth,
    away: Math.abs(card.left + card.width / 2 - pit.left - pit.width / 2),
  };
}"""


def test_where_nobody_plays_the_stage_invites_and_makes_waves(server, new_page):
    stage = new_page(1280, 720)
    sent = stage.sent()
    stage.join(stage_of(server.url))
    stage.page.evaluate(NOTE_MOMENTS)
    stage.until(lambda: stage.page.evaluate(CARD)["scale"] > 1.1)
    stage.until(lambda: stage.page.evaluate(CARD)["away"] < 3)
    assert stage.page.locator("#attract i").count() > 5
    stage.wait("() => window.seen.hopping > 0 && window.seen.squashed > 0")
    # Only seen: the world is as it was, and nobody hears of it.
    assert set(sent) <= {0x01, 0x05, 0x0D}
    player = new_page().join(server.url)
    stage.page.locator("#attract").wait_for(state="hidden")
    stage.wait("pit => pit.hopping === 0")
    stage.until(lambda: stage.page.evaluate(CARD)["scale"] == pytest.approx(1, abs=0.01))
    player.page.context.close()
    stage.page.locator("#attract").wait_for(state="visible")
    assert stage.complaints == []


def test_who_wants_no_motion_is_invited_without_any(server, new_page):
    stage = new_page(1280, 720, reduced_motion="reduce").join(stage_of(server.url))
    stage.page.evaluate(NOTE_MOMENTS)
    stage.until(lambda: stage.page.evaluate(CARD)["scale"] > 1.1)
    assert stage.page.locator("#attract").is_hidden()
    assert stage.page.locator("#hints li").count() == 3
    tick = stage.get("pit.tick")
    stage.wait("(pit, tick) => pit.tick > tick + 360", tick)
    assert stage.get("window.seen.hopping") == 0


@pytest.mark.parametrize("scene", ["rain", "drag"])
def test_the_hints_are_the_scenes(start_pit, new_page, scene):
    pit = start_pit("--scene", scene)
    stage = new_page(1280, 720)
    stage.page.goto(stage_of(f"http://127.0.0.1:{pit.port}/"))
    stage.wait("pit => pit.connected && !document.getElementById('hints').hidden")
    said = [text.split()[0] for text in stage.page.locator("#hints li").all_inner_texts()]
    assert said == {"rain": ["Scan", "Tilt", "Say"], "drag": ["Scan", "Drag"]}[scene]


def test_there_is_nothing_to_press(stage):
    assert stage.page.locator(CONTROLS).count() == 0
    assert stage.page.get_by_role("img", name="The pit, live").is_visible()


def test_a_throw_is_told(server, stage, new_page):
    player = new_page().join(server.url)
    lately = stage.page.locator("#lately dd")

    def is_told():
        # As often as it takes: a slow machine sees too few pictures of a short flight.
        player.flick((360, 800), (360, 420))
        return stage.comes("({ best }) => best.throw?.value > 80 && best.hit?.value > 300", None, 4)

    stage.until(is_told)
    stage.until(lambda: all("stickers" in text for text in lately.all_inner_texts()))
    hit, throw = lately.all_inner_texts()
    assert hit.endswith("stickers a second") and "stickers high" in throw


def test_it_comes_back_by_itself_with_the_new_letters(server, stage):
    letters = stage.page.locator("#join .letters")
    joined(stage)
    before = letters.inner_text()
    server.stop()
    stage.wait("pit => !pit.connected && !document.getElementById('stage-status').hidden")
    server.start()
    stage.wait("pit => pit.connected && document.getElementById('stage-status').hidden")
    # Without a kept key another start has other letters.
    stage.until(lambda: letters.inner_text() != before)


def test_what_the_host_says_is_on_the_screen(start_pit, new_page, tmp_path):
    token = tmp_path / "token"
    token.write_text("the-token-of-the-host-0123\n")
    token.chmod(0o600)
    pit = start_pit("--admin-token-file", token, "--bodies", 10)
    stage = new_page(1280, 720).join(stage_of(f"http://127.0.0.1:{pit.port}/"))
    for act in ("notice?text=Pause", "freeze"):
        stage.page.request.post(
            f"http://127.0.0.1:{pit.port}/api/host/{act}",
            headers={"Authorization": "Bearer the-token-of-the-host-0123"},
        )
    stage.page.get_by_text("Pause", exact=True).wait_for()
    stage.page.get_by_text("Frozen by the host").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read(public_pit, new_page, scheme):
    page = new_page(1280, 720, color_scheme=scheme)
    page.join(stage_of(f"http://127.0.0.1:{public_pit.port}/"))
    joined(page)
    page.page.locator("#hints li").first.wait_for()
    found = page.page.evaluate(
        f"""() => {{
          {CONTRAST}
          const onPage = selector =>
            Math.min(...pages.map(page => contrast(style(selector).color, page)));
          const card = "#join .card";
          return {{
            heads: onPage("#heads"), heading: onPage("#hall h2"), term: onPage("#lately dt"),
            large: onPage("#lately dd") * 1.5, // large letters need two thirds
            title: onPage("#brand b") * 1.5,
            address: contrast(style(card).color, style(card).backgroundColor),
            hint: contrast(style("#hints li").color, style("#hints li").backgroundColor),
            line: contrast(style("#hints svg").stroke, "#fff"),
          }};
        }}"""
    )
    assert {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}


def test_who_plays_loads_nothing_of_it(pit):
    loaded = pit.page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    assert [name for name in loaded if "/stage/" in name or "/monitor/" in name] == []


@pytest.mark.long
def test_a_day_of_coming_and_going_leaves_nothing_behind(server, new_page):
    """A day at speed: what takes room in a page are people who come and go, and connections."""
    stage = watch_footprint(new_page(1280, 720)).join(stage_of(server.url))

    def live(rounds):
        for _ in range(rounds):
            flags = ["--url", server.url.replace("http", "ws") + "ws", "--count", "25"]
            command = [STICKERPIT, "bots", *flags, "--seconds", "3600"]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            with subprocess.Popen(command, **quiet) as bots:
                # However long a busy machine takes until the screen has heard of them.
                stage.wait("pit => pit.people > 20")
                bots.terminate()
            stage.wait("pit => pit.people === 0")
            server.stop()
            stage.wait("pit => !pit.connected")
            server.start()
            stage.wait("pit => pit.connected && pit.count > 0 && pit.people === 0")
        # What passers-by are told is made the first time that nobody is here, a moment later.
        stage.until(stage.page.locator("#hints li").first.is_visible)

    # What is kept for the next time is there after the second.
    live(2)
    before = footprint(stage)
    live(5)
    after = footprint(stage)
    assert after["nodes"] - before["nodes"] < 20
    same = ["listeners", "graphics"]
    assert [after[name] for name in same] == [before[name] for name in same]
    assert after["graphics"] > 0 and after["sockets"] == 1
    # A leak of a picture's stickers or of a name for each who came is more in the day's thousands.
    assert after["heap"] - before["heap"] < 300_000
    assert after["wasm"] - before["wasm"] < 2_000_000


@pytest.mark.parametrize(("minutes", "is_written"), [(60.01, True), (59.9, False)])
def test_only_a_soak_of_an_hour_is_written_down(monkeypatch, capsys, minutes, is_written):
    written = []
    monkeypatch.setattr(soak_stage, "replace_section", lambda name, text: written.append(text))
    told = {"commit": "0123abcd", "rounds": 9, "minutes": minutes, "reconnects": 9}
    soak_stage.write_down(told, len)
    assert len(written) == is_written
    said = "BENCHMARKS.md stays as it is: 59.9 minutes are less than 60\n"
    assert capsys.readouterr().err == ("" if is_written else said)


# The modules


def evaluate(page, module, names, body):
    return page.evaluate(
        f"async () => {{ const {{ {names} }} = await import(pageFile('./stage/{module}.js')); {body} }}"
    )


# A world of one step a picture, 60 a second: stickers by slot as [x, y, holder, age].
WORLD = """
const highlights = new Highlights();
const room = { drops: true, fall: 1 };
let now = 0;
const show = (stickers, world = room) => {
  now += 1000 / 60;
  const numbers = Object.entries(stickers).flatMap(([slot, [x, y, holder = -1, age = 9 + now]]) =>
    [x, y, 1, 0, 40, 40, 0, age, Number(slot), holder]);
  highlights.advance(new Float32Array(numbers), world, now);
};
const best = () => ({ hit: highlights.hits.at(now), throw: highlights.throws.at(now) });
"""


def watched(page, body):
    return evaluate(page, "highlights", "Highlights", WORLD + body)


def test_the_hardest_blow_is_the_hit(blank_page):
    seen = watched(
        blank_page,
        """show({ 3: [300, 500], 4: [340, 500] });
        for (const [other, speed] of [[-1, 900], [4, 1500], [-1, 1200]]) highlights.strike(3, other, speed, now);
        return best();""",
    )
    assert seen == {"hit": {"value": 1500, "who": -1}, "throw": None}


@pytest.mark.parametrize(
    "steps",
    [
        # Another sticker in the same slot.
        """for (let step = 0; step < 9; step += 1) show({ 3: [300, 800] });
        for (let step = 1; step < 10; step += 1) show({ 3: [300, 800 - 20 * step, -1, step] });""",
        # A hand that shakes it at the wall, and that strikes another one with it.
        """show({ 3: [30, 500, 7], 4: [70, 500] });
        highlights.strike(3, -1, 900, now); highlights.strike(4, 3, 900, now);""",
        # Softer than a fall from the height of a hand.
        "show({ 3: [30, 500] }); highlights.strike(3, -1, 250, now);",
    ],
    ids=["another", "held", "soft"],
)
def test_what_is_no_hit_and_no_throw(blank_page, steps):
    assert watched(blank_page, steps + "return best();") == {"hit": None, "throw": None}


def test_a_throw_is_as_high_as_it_gets_and_has_a_name(blank_page):
    seen = watched(
        blank_page,
        """for (let step = 0; step < 8; step += 1) show({ 3: [300, 900 - 5 * step, 7] });
        // Let go at 865 with 10 points a picture, which gravity takes away again.
        let y = 865, speed = 10;
        for (; speed > -10; speed -= 0.25) show({ 3: [300, y -= speed] });
        return best();""",
    )
    assert seen["throw"] == {"value": pytest.approx(195, abs=12), "who": 7}


@pytest.mark.parametrize(("touched", "who"), [(False, -1), (True, None)], ids=["flick", "push"])
def test_a_flick_is_a_throw_and_a_push_is_none(blank_page, touched, who):
    seen = watched(
        blank_page,
        f"""const other = step => {str(touched).lower()}
          ? {{ 4: [300, Math.max(840, 980 - 20 * step)] }} : {{}};
        for (let step = 0; step < 8; step += 1) show({{ 3: [300, 800], ...other(step) }});
        for (let step = 1; step < 20; step += 1) show({{ 3: [300, 800 - 20 * step], ...other(7 + step) }});
        return best();""",
    )
    assert (seen["throw"] and seen["throw"]["who"]) == who


def test_a_minute_later_it_is_forgotten(blank_page):
    values = evaluate(
        blank_page,
        "bests",
        "MinuteBest",
        """const best = new MinuteBest();
        best.offer(5, 1, 1000); best.offer(3, 2, 30_000); best.offer(4, 3, 31_000);
        return [1000, 31_000, 59_000, 61_000, 89_000, 91_000, 400_000].map(now => best.at(now));""",
    )
    five, four = {"value": 5, "who": 1}, {"value": 4, "who": 3}
    assert values == [five, five, five, four, four, None, None]


def test_a_days_pictures_take_no_more_room(blank_page):
    session = blank_page.context.new_cdp_session(blank_page)
    session.send("Performance.enable")

    def heap():
        session.send("HeapProfiler.collectGarbage")
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "JSHeapUsedSize")

    hour = """
      const numbers = new Float32Array(20 * 10);
      for (let picture = 0; picture < 3600 * 15; picture += 1) {
        const now = (window.day ??= 0) + picture * 66;
        for (let at = 0; at < numbers.length; at += 10) {
          const x = 360 + 300 * Math.sin(now / 300 + at);
          numbers.set([x, 900, 1, 0, 40, 40, 0, now / 1000, at / 10, -1], at);
        }
        window.watched.advance(numbers, { drops: true, fall: 1 }, now);
        window.watched.strike(0, -1, 400 + picture % 100, now);
      }
      window.day += 3600 * 15 * 66;
    """
    evaluate(blank_page, "highlights", "Highlights", "window.watched = new Highlights();" + hour)
    before = heap()
    for _ in range(23):
        evaluate(blank_page, "highlights", "Highlights", hour)
    assert blank_page.evaluate("window.day") > 23 * 3600 * 900
    # A byte for each picture would be more than that.
    assert heap() - before < 1_000_000
