"""Back from a hidden tab: how long after a page is shown again its picture is of this moment, and whether the
records that it missed or a snapshot brought it there. Part of `make bench-first`."""
import json
import os
import statistics

# Stickers, and for how many seconds the page is hidden: half a minute is what the server's log reaches back.
SIZES, SECONDS = (331, 1000), (5, 28)
# A page that would need longer to run what it missed takes a snapshot (`KeptWorld.isWorthIt`).
MOST_RUN_MS = 400
# What is promised where the missed records come: what is left of it is for the connection.
RECORDS_MS = MOST_RUN_MS + 100
# A snapshot is made each half second at most, and packed then, which takes 5 ms for 1000 stickers.
SNAPSHOT_MS = RECORDS_MS + 500
# Whose missed ticks take less than this share of `MOST_RUN_MS` needs no snapshot.
CERTAINLY_LESS = 0.8
# Ticks by which the confirmed world of a picture of this moment may differ from the server's.
MOST_TICKS = 3
# Milliseconds for which the page is shown between two rounds: what a tick takes is the median of five seconds,
# after two that are left out; and nobody is sent more than two snapshots in four seconds.
SHOWN_MS = 9000
# Milliseconds in which the page asks for the server's tick before it is shown again, and between two questions.
LOOK_MS, BETWEEN_MS = 400, 10

# The tick at which the server's clock stood when the page's stood at 0, to a tick: an answer is never ahead.
SERVERS_START = """async ([milliseconds, between]) => {
  let start = -Infinity;
  const until = performance.now() + milliseconds;
  while (performance.now() < until) {
    const { tick } = await (await fetch("/healthz")).json();
    start = Math.max(start, tick - performance.now() * 0.06);
    await new Promise(done => setTimeout(done, between));
  }
  return start;
}"""

# Notes of every picture, from the moment at which the page is shown again, whether it is of this moment.
NOTE_PICTURES = """async mostTicks => {
  const { Renderer } = await import(pageFile("./draw/renderer.js"));
  const { draw } = Renderer.prototype;
  Renderer.prototype.draw = function (...values) {
    const drawn = draw.apply(this, values);
    const { back, stickerPit: pit } = window;
    if (!back || back.live !== undefined || !pit.connected) return drawn;
    const now = performance.now();
    back.welcome ??= now - back.began;
    if (Math.abs(back.start + now * 0.06 - pit.tick) > mostTicks) return drawn;
    back.live = now - back.began;
    back.snapshots = pit.link.keyframes;
    return drawn;
  };
}"""

# Shows the page again.
SHOW = """start => {
  window.back = { start, began: performance.now() };
  Object.defineProperty(document, "visibilityState", { configurable: true, value: "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def prepare(page, url):
    """Joins a pit; the page keeps to running the world itself."""
    page.join(url + "?stream=replica")
    page.page.evaluate(NOTE_PICTURES, MOST_TICKS)


def back(page, seconds):
    """Hides the page for so long, shows it, and tells what came of it."""
    page.page.wait_for_timeout(SHOWN_MS)
    page.wait("pit => pit.following?.hashes > 1 && pit.following.cost > 0")
    tick_ms = page.get("pit.following.cost")
    page.set_visibility("hidden")
    page.wait("pit => pit.state === 'paused'")
    page.page.wait_for_timeout(1000 * seconds - LOOK_MS)
    page.page.evaluate(SHOW, page.page.evaluate(SERVERS_START, [LOOK_MS, BETWEEN_MS]))
    page.wait("() => window.back.live !== undefined")
    found = page.get("window.back")
    if page.get("pit.following?.diverged ?? 0"):
        raise SystemExit("the page's world was another one than the server's")
    how = "a snapshot" if found["snapshots"] else "the missed records"
    return {"how": how, "tick_ms": tick_ms, "welcome_ms": found["welcome"], "live_ms": found["live"]}


def measure(pages, rounds):
    """The rows, printed as they come. `pages` opens, for a number of stickers, a page of a pit that has them and
    the pit's address."""
    rows = []
    for stickers in SIZES:
        with pages(stickers) as (page, url):
            prepare(page, url)
            for seconds in SECONDS:
                taken = [back(page, seconds) for _ in range(rounds)]
                for how in sorted({one["how"] for one in taken}):
                    rows.append(row(stickers, seconds, how, [one for one in taken if one["how"] == how]))
                    print(json.dumps(rows[-1]), flush=True)
    return rows


def row(stickers, seconds, how, taken):
    live = [one["live_ms"] for one in taken]
    return {
        "stickers": stickers, "hidden_s": seconds, "how": how, "rounds": len(taken),
        "tick_ms": round(statistics.median(one["tick_ms"] for one in taken), 3),
        "welcome_ms": round(statistics.median(one["welcome_ms"] for one in taken)),
        "median_ms": round(statistics.median(live)), "worst_ms": round(max(live)),
        "promised_ms": RECORDS_MS if how == "the missed records" else SNAPSHOT_MS,
        "all_ms": [round(one) for one in live],
    }  # fmt: skip


def failures(rows):
    """What takes longer than promised, and where a snapshot came that was not needed, in words."""
    for one in rows:
        what = f"{one['stickers']} stickers, hidden for {one['hidden_s']} s, by {one['how']}"
        if one["median_ms"] > one["promised_ms"]:
            yield f"{what}: {one['median_ms']} ms instead of {one['promised_ms']}"
        run_ms = one["hidden_s"] * 60 * one["tick_ms"]
        if one["how"] == "a snapshot" and run_ms < CERTAINLY_LESS * MOST_RUN_MS:
            yield f"{what}, which was not needed: {run_ms:.0f} ms of ticks were missed"


def section(rows, told):
    lines = [
        "## Back from a hidden tab", "",
        f"Written by `make bench-first` at {told['commit']}: Chromium, which draws in software here, server and {told['others']} others on",
        f"the same {os.cpu_count()} cores, load at the start {told['load']:.1f}. From the moment that a page is shown again to its first picture",
        f"whose confirmed world is at most {MOST_TICKS} ticks from the server's; connecting is in it, and ends with the welcome.",
        f"Promised are {RECORDS_MS} ms, and {SNAPSHOT_MS - RECORDS_MS} more where a snapshot must be awaited: one is made each half second at",
        f"most. A page takes a snapshot where it would need more than {MOST_RUN_MS} ms to run what it missed. The page is told that it",
        "is hidden; the browser's own first picture after that is not in it.", "",
        "| stickers | hidden, s | a tick, ms | by | rounds | welcome, ms | median, ms | worst, ms | promised, ms |",
        "|" + "---|" * 9,
    ]
    for one in rows:
        lines.append(
            f"| {one['stickers']} | {one['hidden_s']} | {one['tick_ms']} | {one['how']} | {one['rounds']} "
            f"| {one['welcome_ms']} | {one['median_ms']} | {one['worst_ms']} | {one['promised_ms']} |"
        )
    return "\n".join(lines)
