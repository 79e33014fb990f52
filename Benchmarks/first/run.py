#!/usr/bin/env python3
"""The first second: how long it takes until something moves for who opens the page, until a slow phone has
dropped its first sticker, until socket and sound are back after a lock, and until the picture of a page that was
hidden is of this moment. The real server and the real page in Chromium, on a machine that should do nothing else.
Prints JSON, one object a measure, writes the sections "First second" and "Back from a hidden tab" of
BENCHMARKS.md, and fails where a median is longer than promised. `--only` leaves one of the two out."""
import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Benchmarks"), str(ROOT / "Tests"), str(ROOT / "Tests/Browser")]

import hidden  # noqa: E402
from first import (  # noqa: E402
    BACK_MS, FIRST_MOVE_MS, FIRST_STICKER_MS, PHONE, SLOW_NETWORK, TIMES_SLOWER, back_ms, first_move_ms,
    first_sticker_ms,
)
from pitpage import CHROMIUM, CHROMIUM_ARGUMENTS, KEEPS_NOTHING, PitPage  # noqa: E402
from pitserver import STICKERPIT, PitServer  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from report import commit, replace_section  # noqa: E402
from test_sound import NOTE_SOUNDS, runs  # noqa: E402

BOTS = 5


@contextlib.contextmanager
def pit(bots=0, stickers=40):
    """The address of a pit with so many stickers, in which so many others play. Of more than 40 it stays full."""
    most = ["--max-bodies", stickers] if stickers > 40 else []
    server = PitServer("--bodies", stickers, *most, "--seed", 1, checks_frames=False)
    crowd = None
    try:
        if bots:
            flags = ["--url", server.socket_url, "--count", str(bots), "--seconds", "3600"]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            crowd = subprocess.Popen([STICKERPIT, "bots", *flags], **quiet)
        yield f"http://127.0.0.1:{server.port}/"
    finally:
        if crowd:
            crowd.terminate()
            crowd.wait()
        server.stop()


@contextlib.contextmanager
def phone(browser):
    """A page of a phone that has never been here."""
    size = {"width": PHONE["width"], "height": PHONE["height"]}
    context = browser.new_context(viewport=size, has_touch=True, is_mobile=True)
    context.add_init_script(KEEPS_NOTHING)
    try:
        yield PitPage(context.new_page())
    finally:
        context.close()


def first_moves(browser, rounds):
    with pit(BOTS) as url:
        for _ in range(rounds):
            with phone(browser) as page:
                yield first_move_ms(page, url)


def first_stickers(browser, rounds):
    with pit() as url:
        for _ in range(rounds):
            with phone(browser) as page:
                yield first_sticker_ms(page, url)


def returns(browser, rounds):
    with pit() as url, phone(browser) as page:
        page.page.add_init_script(NOTE_SOUNDS)
        page.join(url)
        page.page.keyboard.press("Shift")
        runs(page)
        for _ in range(rounds):
            yield back_ms(page)


@contextlib.contextmanager
def crowded(browser, stickers):
    """A page that is about to join so many stickers and `BOTS` others, and the pit's address."""
    with pit(BOTS, stickers) as url, phone(browser) as page:
        yield page, url


MEASURES = {
    f"first move on localhost, {BOTS} others play": (FIRST_MOVE_MS, first_moves),
    "first sticker on a slow phone, a tap": (FIRST_STICKER_MS, first_stickers),
    "socket and sound back after a lock": (BACK_MS, returns),
}


def section(rows, told):
    rounds, load = told["rounds"], told["load"]
    megabits = SLOW_NETWORK["downloadThroughput"] * 8 / 1e6
    lines = [
        "## First second", "",
        f"Written by `make bench-first` at {told['commit']}: Chromium, which draws in software here, server and others on the",
        f"same {os.cpu_count()} cores, load at the start {load:.1f}; {rounds} rounds. Each first one is of a page that was never",
        "here, from its navigation on. The slow phone has",
        f"{megabits:g} Mbit/s, {SLOW_NETWORK['latency']} ms of latency and a processor slowed down {TIMES_SLOWER} times.", "",
        "| | median, ms | worst, ms | promised, ms |",
        "|---|---|---|---|",
    ]
    for row in rows:
        lines.append(f"| {row['what']} | {row['median_ms']} | {row['worst_ms']} | {row['promised_ms']} |")
    return "\n".join(lines)


def first_row(browser, what, rounds):
    """A measure's row, printed."""
    promised, measure = MEASURES[what]
    taken = list(measure(browser, rounds))
    row = {
        "what": what, "median_ms": round(statistics.median(taken)), "worst_ms": round(max(taken)),
        "promised_ms": promised, "all_ms": [round(one) for one in taken],
    }  # fmt: skip
    print(json.dumps(row), flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--hidden-rounds", type=int, default=5)
    parser.add_argument("--only", choices=["first", "hidden"], help="this section alone")
    parser.add_argument("--no-report", action="store_true", help="leave BENCHMARKS.md alone")
    options = parser.parse_args()
    told = {"commit": commit(), "load": os.getloadavg()[0], "rounds": options.rounds, "others": BOTS}
    late = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        if options.only != "hidden":
            rows = [first_row(browser, what, options.rounds) for what in MEASURES]
            late += [row["what"] for row in rows if row["median_ms"] > row["promised_ms"]]
            if not options.no_report:
                replace_section("first second", section(rows, told))
        if options.only != "first":
            rows = hidden.measure(lambda stickers: crowded(browser, stickers), options.hidden_rounds)
            late += hidden.failures(rows)
            if not options.no_report:
                replace_section("hidden tab", hidden.section(rows, told))
        browser.close()
    if late:
        raise SystemExit("not as promised: " + "; ".join(late))


if __name__ == "__main__":
    main()
