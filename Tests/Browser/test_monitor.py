"""The monitor: the server's own figures, drawn for a room."""

import math

import pytest
from pitserver import PitServer, until
from test_accessibility import CONTRAST
from test_stage import CONTROLS

SIZES = [(1280, 720), (1920, 1080), (1024, 768)]
TITLES = ["Tick time", "Ticks late by", "Clients", "Sent", "Frames skipped", "Rollbacks"]


def monitor_of(url):
    return url + "?view=monitor"


@pytest.fixture(scope="module")
def quiet_pit():
    """A server whose metrics are for its operators only."""
    server = PitServer("--bodies", 10, "--admin-listen", "127.0.0.1:0")
    yield server
    server.stop()


def open_monitor(new_page, url, *size, **options):
    page = new_page(*(size or (1280, 720)), **options)
    page.page.goto(monitor_of(url))
    page.wait("pit => pit.points?.length > 0")
    return page


def chart(page, title):
    return page.page.locator(".chart", has=page.page.get_by_role("heading", name=title))


def newest(page):
    return page.get("pit.points.at(-1)")


def test_the_figures_are_the_servers(shared_pit, crowd, new_page):
    page = open_monitor(new_page, f"http://127.0.0.1:{shared_pit.port}/")
    sockets = page.openings()
    until(lambda: shared_pit.health()["people"] == 14)
    page.wait(
        """({ points }) => points.length > 3 && points.at(-1).bytes > 0
          && points.at(-1).people === 14 && points.at(-1).clients === 14"""
    )
    point = newest(page)
    health = shared_pit.health()
    # The bots drop some more all the time.
    assert 40 <= point["bodies"] <= health["bodies"]
    # Fourteen bots that follow states at 60 Hz get some kilobytes a second each.
    assert 14 * 500 < point["bytes"] < 14 * 100_000
    assert 0 < point["tickMedian"] <= point["tick99"] and point["late99"] >= 0
    assert point["skipped"] >= 0 and point["rollbacks"] >= 0
    # It is written as it was told, with its unit, and there is a line.
    for title in TITLES:
        assert chart(page, title).locator(".why").is_hidden(), title
        assert chart(page, title).locator("path.line").first.get_attribute("d").count("L") >= 1
    assert chart(page, "Clients").locator(".now").inner_text() == "14 people"
    assert page.page.locator("#state").inner_text() in ("All is well", "Degraded")
    # It looks at the server and joins nothing.
    assert sockets == [] and page.complaints == []
    loaded = page.page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    assert [name for name in loaded if "/stage/" in name] == []


def test_what_this_port_does_not_tell_is_said(quiet_pit, new_page):
    page = open_monitor(new_page, f"http://127.0.0.1:{quiet_pit.port}/")
    page.wait("pit => pit.points.length > 2")
    rollbacks = chart(page, "Rollbacks")
    assert "--admin-listen" in rollbacks.locator(".why").inner_text()
    assert rollbacks.locator(".value").inner_text() == "–"
    assert rollbacks.locator(".plot").is_hidden()
    # What everybody may know is drawn all the same.
    for title in TITLES[:-1]:
        assert chart(page, title).locator(".why").is_hidden(), title
    # What is refused is not asked for with each question again.
    asked = []
    page.page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
    page.wait("(pit, before) => pit.points.length > before + 2", page.get("pit.points.length"))
    assert "healthz" in asked and "metrics" not in asked


def test_a_server_that_is_away_leaves_a_gap(server, new_page):
    page = open_monitor(new_page, server.url)
    page.wait("pit => pit.points.filter(({ bytes }) => bytes >= 0).length > 1")
    server.stop()
    state = page.page.locator("#state")
    page.until(lambda: state.inner_text() == "No answer")
    assert "no figures for" in page.page.locator("#facts").inner_text()
    assert chart(page, "Tick time").locator(".value").inner_text() == "–"
    server.start()
    page.until(lambda: state.inner_text() in ("All is well", "Degraded"))
    page.wait("pit => pit.points.slice(-2).every(({ bytes }) => bytes >= 0)")
    # Two lines with nothing between them, and no rate over what nobody has seen.
    assert chart(page, "Tick time").locator("path.line-0").get_attribute("d").count("M") > 1
    first_back = page.get(
        """pit.points[pit.points.findLastIndex(({ tick99 }) => tick99 === undefined) + 1]"""
    )
    assert first_back["tick99"] >= 0 and math.isnan(first_back["bytes"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_it_is_read_across_the_room(shared_pit, crowd, new_page, size, scheme):
    page = open_monitor(
        new_page, f"http://127.0.0.1:{shared_pit.port}/", *size, color_scheme=scheme)
    page.wait("pit => pit.points.length > 2")
    found = page.page.evaluate(
        f"""() => {{
          {CONTRAST}
          const panel = style(".chart").backgroundColor;
          const onPanel = colour => contrast(colour, panel);
          const state = style("#state");
          return {{
            title: onPanel(style(".chart h2").color), value: onPanel(style(".value").color),
            top: onPanel(style(".plot .top").color), times: onPanel(style(".times").color),
            line: onPanel(style(".line-0.line").stroke) * 1.5,
            other: onPanel(style(".line-1.line").stroke) * 1.5,
            state: contrast(state.color, state.backgroundColor),
            facts: Math.min(...pages.map(page => contrast(style("#facts").color, page))),
          }};
        }}"""
    )
    assert {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}
    heights = page.page.evaluate(
        """() => [...document.querySelectorAll(".value")]
          .map(one => one.getBoundingClientRect().height)"""
    )
    # A twentieth of the screen's height is read from twenty times as far as the screen is high.
    assert min(heights) >= 0.05 * min(size)
    plots = page.page.evaluate(
        """() => [...document.querySelectorAll(".plot")].map(one => one.clientHeight)"""
    )
    assert min(plots) > 0.08 * size[1]
    assert page.page.evaluate(
        """() => [...document.querySelectorAll("body *")].filter(one => one.checkVisibility())
          .every(one => {
            const { left, right, bottom } = one.getBoundingClientRect();
            return left >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
          })"""
    )
    assert page.page.locator(CONTROLS).count() == 0
    assert page.complaints == []


def test_a_busy_server_is_drawn_with_what_it_may_take(start_pit, new_page):
    pit = start_pit("--bodies", 800, "--max-bodies", 900)
    page = open_monitor(new_page, f"http://127.0.0.1:{pit.port}/")
    page.wait("pit => pit.points.length > 1")
    # Read at once: the next answer brings another point and another top.
    top, tick99 = page.get(
        "[document.querySelector('.chart .plot .top').textContent, pit.points.at(-1).tick99]"
    )
    assert top.endswith("ms") and float(top.split()[0]) >= tick99


# The modules


def evaluate(page, module, names, body):
    return page.evaluate(
        f"async () => {{ const {{ {names} }} = await import(pageFile('./monitor/{module}.js')); {body} }}"
    )


FIGURES = """
const told = (now, elapsed, more = {}) => ({
  now, elapsed, status: "ok", tickMedian: 1, tick99: 2, late99: 0.1, people: 3, bodies: 4,
  bytes: 1000 * elapsed, skipped: 0, clients: 4, rollbacks: elapsed, ...more });
const history = new History();
const bytes = () => history.entries.map(({ point }) => point && (point.bytes >= 0 ? point.bytes : null));
"""


def remembered(page, body):
    return evaluate(page, "history", "History, POINTS", FIGURES + body)


def test_counters_become_rates_and_gaps_stay_gaps(blank_page):
    assert remembered(
        blank_page,
        """history.add(told(0, 100)); history.add(told(2000, 102)); history.add(told(4000, 104));
        history.miss(6000);
        history.add(told(8000, 108)); history.add(told(10_000, 110));
        // Hidden for a while: nothing is known of that time.
        history.add(told(60_000, 160)); history.add(told(62_000, 162));
        return [bytes(), history.restarts];""",
    ) == [[None, 1000, 1000, None, None, 1000, None, 1000], []]


def test_a_restart_is_marked_and_no_rate(blank_page):
    assert remembered(
        blank_page,
        """history.add(told(0, 100)); history.add(told(2000, 102));
        history.add(told(4000, 1)); history.add(told(6000, 3));
        // Without a number that falls it would be one of another server.
        history.add(told(8000, 5, { bytes: 0, rollbacks: null }));
        return [bytes(), history.restarts, history.entries.at(-1).point.rollbacks >= 0];""",
    ) == [[None, 1000, None, 1000, None], [4000], False]


def test_weeks_take_no_more_room_than_ten_minutes(blank_page):
    length, most, restarts, oldest = remembered(
        blank_page,
        """for (let at = 0; at < 3000; at += 1) history.add(told(2000 * at, at % 7));
        const { entries } = history;
        return [entries.length, POINTS, history.restarts.length, entries[0].time];""",
    )
    assert length == most and restarts <= most and oldest == 2000 * (3000 - most)


SAMPLES = r"""
  const samples = readSamples(await (await fetch("./metrics")).text());
  const made = readSamples(
    '# HELP a b\na{x="1",y="a}\\"b"} 2\na{x="2"} 3 1700000000\nb NaN\nc +Inf\n');
  return [
    sum(samples, "stickerpit_people"), sum(samples, "stickerpit_ticks_total") > 0,
    sum(samples, "stickerpit_client_reports_total", { what: "rollbacks" }) >= 0,
    sum(samples, "no_such_metric"), sum(made, "a"), sum(made, "a", { x: "2" }), sum(made, "b"),
  ];
"""


def test_the_servers_own_metrics_are_read(blank_page, shared_pit):
    def read():
        return evaluate(blank_page, "prometheus", "readSamples, sum", SAMPLES)

    # The page itself may be joining, so that the two count at different times.
    until(lambda: read()[0] == shared_pit.health()["people"])
    assert read()[1:] == [True, True, None, 5, 3, None]


def test_axes_end_at_round_numbers(blank_page):
    assert evaluate(
        blank_page,
        "scale",
        "byteUnit, roundUp, short",
        """return [
          [0.3, 1, 1.01, 4.9, 5, 60, 999].map(roundUp),
          [0, 0.123, 9.996, 42.34, 123.4, NaN].map(short),
          [10, 1000, 2e6].map(value => byteUnit(value).name),
        ];""",
    ) == [
        [pytest.approx(0.5), 1, 2, 5, 5, 100, 1000],
        ["0", "0.12", "10.0", "42.3", "123", "–"],
        ["B/s", "kB/s", "MB/s"],
    ]
