"""Fifty bots for thirty seconds: no error, no gap, and the server's clock keeps time."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from pitserver import until

pytestmark = pytest.mark.serial


def run(stickerpit, pit, *flags):
    result = stickerpit("bots", "--url", pit.socket_url, "--json", *flags)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def run_side_by_side(stickerpit, pit, *runs):
    """Runs that meet the same world on the same machine, so that they can be compared."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda flags: run(stickerpit, pit, *flags), runs))


def test_fifty_bots_for_thirty_seconds(pit, stickerpit):
    asked, before, answered = time.monotonic(), pit.health(), time.monotonic()
    report = run(stickerpit, pit, "--count", 50, "--seconds", 30)

    assert report["connected"] == 50
    assert report["errors"] == 0, report["messages"]
    assert report["gaps"] == report["keyframe_requests"] == 0
    assert report["elapsed_s"] > 15
    assert report["frames"] + report["skipped"] > 50 * 0.7 * report["ticks"]
    assert report["sent"] > 50 * 10 * report["elapsed_s"]

    def lost():
        return pit.health()["ticks_lost"] - before["ticks_lost"]

    # The bots' clock against the server's ticks: two clocks that know nothing of each other. A
    # machine that stands still for longer than half a second costs ticks, which are counted.
    off = report["ticks"] - report["elapsed_s"] * 60
    error = 1 + report["clock_error_s"] * 60
    assert -error - lost() <= off <= error
    # And ours. A tick that is late is made up for: then there are as many as ought to be.
    def keeps_time():
        began = time.monotonic()
        after = pit.health()
        ended = time.monotonic()
        passed = after["tick"] - before["tick"]
        assert passed <= (ended - asked) * 60 + 2
        return passed + lost() >= (began - answered) * 60 - 2

    until(keeps_time)
    assert pit.health()["dropped_inputs"] == 0


def test_slow_readers_lose_frames_but_no_truth(start_pit, stickerpit):
    # Thousands of stickers in motion: fewer would wait in the kernel's buffers during a pause.
    # Comparing their frames would take most of the server's time.
    pit = start_pit("--bodies", 4000, checks_frames=False)
    # A machine that has no time for sixty of them a second takes longer to fill these buffers.
    for seconds in 10, 20, 60:
        report = run(stickerpit, pit, "--count", 8, "--seconds", seconds, "--slow", 4)
        assert report["keyframes"] >= 8
        assert report["gaps"] == 0
        assert report["errors"] == 0, report["messages"]
        if report["skipped"] > 100:
            return
    raise AssertionError(f"they skipped only {report['skipped']} frames")


def test_a_thousand_stickers_in_half_of_the_bytes(start_pit, stickerpit):
    pit = start_pit("--bodies", 1000)
    strict, visual = run_side_by_side(
        stickerpit, pit,
        *(["--count", 2, "--seconds", 5, "--profile", one] for one in ("strict", "visual")),
    )
    for report in strict, visual:
        assert report["gaps"] == 0 and report["errors"] == 0, report["messages"]
        assert report["frames"] > 60
        report["kbit_per_frame"] = report["kbit_per_s_per_client"] / report["frames"]
    assert visual["kbit_per_frame"] < strict["kbit_per_frame"]


def test_a_crowd_that_decodes_nothing(pit, stickerpit):
    report = run(stickerpit, pit, "--count", 20, "--seconds", 5, "--no-decoding")
    assert report["connected"] == 20
    assert report["errors"] == 0, report["messages"]
    assert report["frames"] > 20 * 60
    assert report["bodies"] == report["keyframes"] == 0
    assert report["sent"] > 20 * 10 * report["elapsed_s"]


def test_churn_leaves_nobody_behind(pit, stickerpit):
    report = run(stickerpit, pit, "--count", 10, "--seconds", 5, "--churn", 10)
    assert report["reconnects"] >= 10
    assert report["errors"] == 0, report["messages"]
    until(lambda: pit.health()["people"] == 0)


def test_lower_rates_cost_less(pit, stickerpit):
    often, seldom = run_side_by_side(
        stickerpit, pit, *(["--count", 2, "--seconds", 4, "--rate", rate] for rate in (60, 10))
    )
    for report in often, seldom:
        assert report["gaps"] == 0
        report["frames_per_tick"] = report["frames"] / report["ticks"]
    assert seldom["frames_per_tick"] < often["frames_per_tick"] / 4
    assert seldom["kbit_per_s_per_client"] < often["kbit_per_s_per_client"]
