#!/usr/bin/env python3
"""What script a picture of a page costs that runs the world itself: the real server, the real page in
Chromium, native players beside it, and a line so long that the page predicts eight ticks. A world
of more stickers than a page runs is told as positions, to this page too. Prints JSON, one object a
round, and writes the section "Page" of BENCHMARKS.md.

Nothing is drawn: Chromium would do it in software here, on the cores that the script needs, and
what is measured is script: the time that its thread was running, from Chromium's trace. The clock
on the wall goes on while the server, the players and Chromium's other threads have the two cores."""
import argparse
import contextlib
import json
import signal
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Benchmarks"), str(ROOT / "Tests"), str(ROOT / "Tests/Browser")]

from pitpage import CHROMIUM, CHROMIUM_ARGUMENTS  # noqa: E402
from pitserver import STICKERPIT, PitServer  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from replica import SlowLine  # noqa: E402
from report import commit, replace_section  # noqa: E402

# What pictures may take of their script's thread, ms, by stickers: half of all, 99 of 100 of those
# without a rollback, and each that has one or a part of one, in whichever round.
MOST_MIDDLE_MS = {1000: 2}
MOST_MS = {1000: 4, 5000: 12}
MOST_ROLLED_MS = {1000: 8}
# Stickers of the largest world that a page runs itself, `SessionHub.mostReplicaBodies`.
MOST_RUN = 4096
# What a rollback runs again on such a line, in all its parts, with the tick that has become certain: so many
# ticks, or as many as the device may predict if those are fewer.
WHOLE_ROLLBACK = 8

# Marks in the trace the beginning and the end of every task of script that a message or a picture
# starts, and notes what the page says of its world then: a picture's script is its own task and those
# of the messages since the last one.
NOTE_SCRIPT = """
for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) {
  WebGL2RenderingContext.prototype[name] = () => {};
}
const unseen = new CSSStyleSheet();
unseen.replaceSync("* { visibility: hidden !important; animation: none !important; }");
document.adoptedStyleSheets.push(unseen);
window.pictures = [];
// What there is to note of a page that is told positions.
const told = { ahead: null, cost: null, rollbacks: 0, replayed: 0, most: null };
let last = null;
const marked = task => (...values) => {
  performance.mark("script begins");
  task(...values);
  performance.mark("script ends");
};
const request = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = task => request(now => {
  marked(task)(now);
  performance.clearMarks();
  const isTold = window.stickerPit?.connected && window.stickerPit.following === null;
  const following = isTold ? told : window.stickerPit?.following;
  if (following && last) {
    const { ahead, cost, rollbacks, replayed, most } = following;
    performance.mark(`picture ${window.pictures.length}`);
    window.pictures.push({
      ahead, cost, most, rollbacks: rollbacks - last.rollbacks, replayed: replayed - last.replayed,
    });
  }
  last = following;
});
window.WebSocket = class extends WebSocket {
  set onmessage(listener) { super.onmessage = listener && marked(listener); }
};
"""


class Trace:
    """Chromium's trace of the marks, while it is open."""

    def __init__(self, browser, page):
        self.page, self.session = page, browser.new_browser_cdp_session()
        self.marks, self.is_complete = [], False

    def __enter__(self):
        def collect(data):
            self.marks += [event for event in data["value"] if event["cat"] == "blink.user_timing"]

        def end(_):
            self.is_complete = True

        self.session.on("Tracing.dataCollected", collect)
        self.session.on("Tracing.tracingComplete", end)
        config = {"includedCategories": ["blink.user_timing"]}
        self.session.send("Tracing.start", {"traceConfig": config, "transferMode": "ReportEvents"})
        return self

    def __exit__(self, *_):
        self.session.send("Tracing.end")
        while not self.is_complete:
            self.page.wait_for_timeout(50)
        self.session.detach()

    def script(self):
        """Milliseconds of script by picture: on its thread's clock, and on the wall's."""
        script, spent, began = {}, (0, 0), None
        for mark in sorted(self.marks, key=lambda mark: mark["ts"]):
            times = (mark["tts"], mark["ts"])
            if mark["name"] == "script begins":
                began = times
            elif mark["name"] == "script ends" and began:
                spent = tuple(sum + now - then for sum, now, then in zip(spent, times, began))
                began = None
            elif mark["name"].startswith("picture "):
                script[int(mark["name"].split()[1])] = tuple(time / 1000 for time in spent)
                spent = (0, 0)
        return script


@contextlib.contextmanager
def players(port, count):
    """Native clients that tilt, drop, throw and hold, and are told positions, which costs least."""
    flags = ["--count", str(count), "--rate", "10", "--seconds", "3600"]
    url = f"ws://127.0.0.1:{port}/ws"
    bots = subprocess.Popen(
        [STICKERPIT, "bots", "--url", url, *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        bots.send_signal(signal.SIGINT)
        bots.wait()


def measure(browser, options):
    """The pictures of a page, after the browser has translated the module and the budget is known."""
    flags = ["--bodies", options.bodies, "--max-bodies", options.bodies, "--seed", 1]
    server = PitServer(*flags, checks_frames=False)
    line = SlowLine(server.port, options.delay / 1000)
    try:
        with players(server.port, options.players):
            page = browser.new_page(viewport={"width": 480, "height": 640})
            page.add_init_script(NOTE_SCRIPT)
            is_run = options.bodies <= MOST_RUN
            page.goto(line.url + ("?stream=replica" if is_run else "?stream=state"))
            ready = "following?.hashes > 1" if is_run else f"count === {options.bodies}"
            page.wait_for_function(f"() => window.stickerPit?.{ready}", timeout=60_000)
            page.wait_for_timeout(options.warm_up * 1000)
            page.evaluate("window.pictures.length = 0")
            with Trace(browser, page) as trace:
                page.wait_for_timeout(options.seconds * 1000)
            pictures = page.evaluate("window.pictures")
            diverged = page.evaluate("window.stickerPit.following?.diverged ?? 0")
            page.close()
    finally:
        line.stop()
        server.stop()
    if diverged:
        raise SystemExit("the page's world was another one than the server's")
    script = trace.script()
    for number, picture in enumerate(pictures):
        picture["script"], picture["elapsed"] = script.get(number, (None, None))
    # The first began before the trace did, and the last ended after it.
    return summary([picture for picture in pictures[1:] if picture["script"] is not None], options)


def summary(pictures, options):
    def middle(name):
        values = [picture[name] for picture in pictures if picture[name] is not None]
        return round(statistics.median(values), 3) if values else None

    def percentile(values, share):
        ordered = sorted(values)
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) if ordered else None

    every = [picture["script"] for picture in pictures]
    plain = [picture["script"] for picture in pictures if not picture["replayed"]]
    # Pictures that did a rollback, or a part of one.
    rolled = [picture["script"] for picture in pictures if picture["replayed"]]
    elapsed = [picture["elapsed"] for picture in pictures if picture["replayed"]]
    whole = rollbacks(pictures)
    # One that is certain now, those that were shown before, and a new one.
    rerun = [picture["replayed"] + 2 for picture in pictures if picture["replayed"]]
    return {
        "bodies": options.bodies,
        "players": options.players,
        "round_trip_ms": 2 * options.delay,
        "pictures": len(pictures),
        "pictures_a_second": round(len(pictures) / options.seconds, 1),
        "ahead": middle("ahead"),
        "most_ahead": middle("most"),
        "tick_ms": middle("cost"),
        "script_ms": {"p50": percentile(every, 0.5), "p99": percentile(every, 0.99)},
        "without_rollback": {
            "pictures": len(plain), "p50": percentile(plain, 0.5), "p99": percentile(plain, 0.99),
        },
        "rollback_share": round(100 * len(rolled) / len(pictures), 1),
        "with_rollback": {
            "pictures": len(rolled), "rollbacks": sum(picture["rollbacks"] for picture in pictures),
            "whole": sum(ticks + 1 >= min(WHOLE_ROLLBACK, most) for ticks, most in whole),
            "most_replayed": max((ticks for ticks, _ in whole), default=None),
            "ticks": statistics.median(rerun) if rerun else None, "most_ticks": max(rerun, default=None),
            "p50": percentile(rolled, 0.5), "p99": percentile(rolled, 0.99), "most": percentile(rolled, 1),
            "elapsed_p99": percentile(elapsed, 0.99), "elapsed_most": percentile(elapsed, 1),
        },
    }


def rollbacks(pictures):
    """Of each rollback that began in these pictures, how many ticks it ran again in all its parts, also where it
    began anew with a later tick, and how many the page might predict then. Its parts are in pictures that follow
    each other."""
    found, is_under_way = [], False
    for picture in pictures:
        if picture["rollbacks"]:
            found.append((0, picture["most"] or 0))
        is_under_way = picture["replayed"] > 0 and (is_under_way or picture["rollbacks"] > 0)
        if is_under_way:
            ticks, most = found[-1]
            found[-1] = (ticks + picture["replayed"], most)
    return found


def middle(rows, *path):
    """The median of the rounds; None where none has such a value."""
    values = [row[path[0]] if len(path) == 1 else row[path[0]][path[1]] for row in rows]
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def longest(rows, clock="most"):
    """The longest picture with a rollback, or with a part of one, of all rounds; 0 for none. By its thread's
    clock, or by the wall's with `elapsed_most`."""
    return max(row["with_rollback"][clock] or 0 for row in rows)


def missing(rows):
    """Which rounds measured no rollback, or no whole one, in words: then what one takes is not known."""
    for row in rows:
        rolled, what = row["with_rollback"], f"of {row['bodies']} stickers in a round of {row['pictures']} pictures"
        if row["bodies"] > MOST_RUN:
            continue
        if not rolled["rollbacks"]:
            yield f"no rollback {what}"
        elif not rolled["whole"]:
            yield (
                f"no rollback {what} ran {WHOLE_ROLLBACK} ticks with the certain one, nor as many as might be "
                "predicted: besides that one "
                f"{rolled['most_replayed']} at most"
            )


def exceeded(rows):
    """What takes longer than it may, in words, and what was not measured."""
    found = list(missing(rows))

    def check(bodies, what, value, most):
        if value is not None and most is not None and value > most:
            found.append(f"{what} of {bodies} stickers takes {value:g} ms, more than {most}")

    for bodies in sorted({row["bodies"] for row in rows}):
        mine = [row for row in rows if row["bodies"] == bodies]
        every, plain = middle(mine, "script_ms", "p50"), middle(mine, "without_rollback", "p99")
        check(bodies, "every second picture", every, MOST_MIDDLE_MS.get(bodies))
        check(bodies, "a picture", plain, MOST_MS.get(bodies))
        check(bodies, "the longest picture with a rollback", longest(mine), MOST_ROLLED_MS.get(bodies))
    return found


def native_tick(options):
    """What a tick of such a party costs the server on this machine now, in milliseconds."""
    command = [STICKERPIT, "bench", "replica", "--json", "--bodies", str(options.bodies), "--ahead", "0"]
    clients = ["--clients", str(options.players), "--seconds", "20"]
    run = subprocess.run(command + clients, check=True, capture_output=True, text=True)
    return round(json.loads(run.stdout)["tick_us_p50"] / 1000, 3)


def section(rows):
    """The rows as a table: medians of the rounds."""
    lines = [
        "## Page", "",
        f"Written by `make bench-page` at commit {commit()}: Chromium, in which nothing is drawn, {rows[0]['players']} native players,",
        f"{rows[0]['round_trip_ms']:.0f} ms there and back, server and players on the same two cores. Medians of the rounds.",
        "Script time only, without what drawing takes: of a picture its own task and those of the messages since",
        "the last, in ms on the clock of their thread, which stands still while others have its core. The",
        "native tick is that of `stickerpit bench replica` between the rounds. A picture with a rollback, or a",
        "part of one, runs so many ticks: the one that is certain now, those that are run again, and a new one.",
        "A rollback of eight ticks is spread over pictures where ticks are dear: those in which many are fast are solved in",
        "six parts, and take three to four times as long. A page runs worlds of up to "
        f"{MOST_RUN} stickers; of larger ones",
        "it is told positions, and there is neither tick nor rollback. Ahead is by how many ticks a page predicts, and how",
        "many it may: more than eight where ticks are cheap. A rollback is whole if it ran "
        f"{WHOLE_ROLLBACK} ticks again in all its parts,",
        "or as many as the page may predict if those are fewer; the run fails if a round had none.", "",
        "| stickers | pictures a second | ahead, at most | a tick, ms | native tick, ms | script p50 (bound), p99 "
        "| without a rollback p50, p99 (bound) | with a rollback | ticks of such a picture, most | p50, p99, most of all rounds (bound) "
        "| p99, most of all rounds on the wall's clock | rollbacks a round, whole ones, most ticks of one |",
        "|" + "---|" * 12,
    ]
    for bodies in sorted({row["bodies"] for row in rows}):
        mine = [row for row in rows if row["bodies"] == bodies]

        def cell(*path):
            value = middle(mine, *path)
            return "–" if value is None else f"{value:g}"

        lines.append(
            f"| {bodies} | {cell('pictures_a_second')} | {cell('ahead')}, {cell('most_ahead')} "
            f"| {cell('tick_ms')} | {cell('native_tick_ms')} "
            f"| {cell('script_ms', 'p50')} ({MOST_MIDDLE_MS.get(bodies, '–')}), {cell('script_ms', 'p99')} "
            f"| {cell('without_rollback', 'p50')}, {cell('without_rollback', 'p99')} ({MOST_MS.get(bodies, '–')}) "
            f"| {cell('rollback_share')} % "
            f"| {cell('with_rollback', 'ticks')}, {cell('with_rollback', 'most_ticks')} "
            f"| {cell('with_rollback', 'p50')}, {cell('with_rollback', 'p99')}, "
            f"{longest(mine):g} ({MOST_ROLLED_MS.get(bodies, '–')}) "
            f"| {cell('with_rollback', 'elapsed_p99')}, {longest(mine, 'elapsed_most'):g} "
            f"| {cell('with_rollback', 'rollbacks')}, {cell('with_rollback', 'whole')}, "
            f"{cell('with_rollback', 'most_replayed')} |"
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bodies", type=int, nargs="+", default=[331, 1000, 5000])
    parser.add_argument("--players", type=int, default=10)
    parser.add_argument("--delay", type=float, default=75, help="ms each way")
    parser.add_argument("--warm-up", type=float, default=12, help="seconds before the measuring")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-report", action="store_true", help="leave BENCHMARKS.md alone")
    options = parser.parse_args()
    sizes = options.bodies
    rows = []
    with sync_playwright() as playwright:
        for _ in range(options.rounds):
            for options.bodies in sizes:
                native = native_tick(options) if options.bodies <= MOST_RUN else None
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
                rows.append(measure(browser, options) | {"native_tick_ms": native})
                browser.close()
                print(json.dumps(rows[-1]), flush=True)
    if not options.no_report:
        replace_section("page", section(rows))
    if failures := exceeded(rows):
        raise SystemExit("\n".join(failures))


if __name__ == "__main__":
    main()
