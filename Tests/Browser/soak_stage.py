"""The stage for an hour at speed: in each round happens what a room's screen sees in an hour or a day.
`make soak-stage` runs it, and what passes an hour is written into BENCHMARKS.md; what takes half a minute is
in test_stage.py."""

import os
import statistics
import subprocess
import sys
import time

from footprint import footprint, watch_footprint
from pitserver import ROOT, STICKERPIT

sys.path.append(str(ROOT / "Benchmarks"))

from report import commit, replace_section

MINUTES = float(os.environ.get("STAGE_MINUTES", "60"))
# The least that tells growth from chance.
LEAST_ROUNDS = 8
# A shorter run passes or fails, but its growth is not written down.
WRITTEN_FROM = 60

LOSE_CONTEXT = """() => new Promise(resolve => {
  const canvas = document.getElementById("pit");
  const lost = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
  canvas.addEventListener("webglcontextrestored", () => resolve(), { once: true });
  canvas.addEventListener("webglcontextlost", () => setTimeout(() => lost.restoreContext()), { once: true });
  lost.loseContext();
})"""


def live(stage, server, turn):
    """A crowd that comes, plays and goes, a projector with another size, a lost graphics card, and a
    server that is started again."""
    flags = ["--url", server.url.replace("http", "ws") + "ws", "--count", "30", "--churn", "3"]
    command = [STICKERPIT, "bots", *flags, "--seconds", "20", "--seed", str(turn + 1)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        stage.wait("pit => pit.people > 20 && pit.best.hit")
        stage.page.set_viewport_size({"width": 1024, "height": 768})
        stage.page.evaluate(LOSE_CONTEXT)
        stage.page.set_viewport_size({"width": 1280, "height": 720})
    stage.wait("pit => pit.people === 0")
    server.stop()
    stage.wait("pit => !pit.connected")
    server.start()
    stage.wait("pit => pit.connected && pit.count > 0 && pit.people === 0")
    # Nothing of the round is under way any more.
    stage.wait("(pit, tick) => pit.tick > tick + 120", stage.get("pit.tick"))


def section(told, growth):
    """The section of BENCHMARKS.md: what was done, and by how much the page has grown meanwhile."""
    names = {
        "heap": "heap, bytes", "nodes": "nodes", "timers": "timers", "listeners": "listeners",
        "graphics": "WebGL objects", "wasm": "WebAssembly's memory, bytes",
    }  # fmt: skip
    rows = [f"| {words} | {growth(name):+g} |" for name, words in names.items()]
    return "\n".join([
        "## Stage", "",
        f"Written by `make soak-stage` at {told['commit']}: {told['rounds']} rounds in {told['minutes']:.0f} minutes, each with a crowd"
        " of 30 that comes and goes,",
        f"a lost graphics card and a server that is started again; the stage connected again {told['reconnects']} times.",
        "Growth is from the second quarter of the rounds to the last, medians.", "",
        "| grown by | |", "|---|---|", *rows,
    ])  # fmt: skip


def write_down(told, growth):
    """Puts the section into BENCHMARKS.md, or says why not."""
    if told["minutes"] >= WRITTEN_FROM:
        return replace_section("soak stage", section(told, growth))
    print(
        f"BENCHMARKS.md stays as it is: {told['minutes']:.1f} minutes are less than {WRITTEN_FROM}",
        file=sys.stderr,
    )


def test_the_stage_lives_on_as_it_was(server, new_page):
    stage = watch_footprint(new_page(1280, 720))
    opened = 0

    def count(_):
        nonlocal opened
        opened += 1

    stage.page.on("websocket", count)
    told = {"commit": commit()}
    stage.join(server.url + "?view=stage")
    began = time.monotonic()
    ends = began + 60 * MINUTES
    rounds = []
    while time.monotonic() < ends or len(rounds) < LEAST_ROUNDS:
        live(stage, server, len(rounds))
        rounds.append(footprint(stage))
        print(f"round {len(rounds)}: {rounds[-1]}", file=sys.stderr, flush=True)
    # What is kept for the next time is there after the first quarter.
    quarter = len(rounds) // 4
    early, late = rounds[quarter : 2 * quarter], rounds[-quarter:]

    def growth(name):
        return statistics.median(one[name] for one in late) - statistics.median(
            one[name] for one in early
        )

    assert {one["sockets"] for one in rounds} == {1}
    assert growth("graphics") == growth("listeners") == 0
    assert growth("nodes") < 20 and growth("timers") < 3
    # A name kept for each who came, or numbers of a picture, would be more.
    assert growth("heap") < 300_000 and growth("wasm") < 1_000_000
    # The graphics are those of the first round, not more with every lost context.
    assert max(one["graphics"] for one in rounds) == min(one["graphics"] for one in rounds)
    assert opened >= 1 + len(rounds), "each round began the server again"
    told |= {"rounds": len(rounds), "minutes": (time.monotonic() - began) / 60, "reconnects": opened - 1}
    write_down(told, growth)
