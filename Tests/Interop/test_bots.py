"""Fifty bots for thirty seconds: no error, no gap, and the server's clock keeps time."""

import json
import time


def run(stickerpit, pit, *flags):
    result = stickerpit("bots", "--url", pit.socket_url, "--json", *flags)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_fifty_bots_for_thirty_seconds(pit, stickerpit):
    before, began = pit.health(), time.monotonic()
    report = run(stickerpit, pit, "--count", 50, "--seconds", 30)
    after, ended = pit.health(), time.monotonic()

    assert report["connected"] == 50
    assert report["errors"] == 0, report["messages"]
    assert report["gaps"] == 0
    assert report["frames"] + report["skipped"] > 50 * 60 * 25
    assert report["sent"] > 50 * 15 * 25
    # The bots' clock against the server's ticks: two clocks that know nothing of each other.
    assert report["elapsed_s"] > 25
    assert abs(report["ticks"] - report["elapsed_s"] * 60) <= 1
    # And ours, which adds the time that the two questions took.
    assert abs((after["tick"] - before["tick"]) - (ended - began) * 60) <= 2 + 60 * 0.05
    assert after["ticks_lost"] == 0
    assert after["dropped_inputs"] == 0


def test_slow_readers_lose_frames_but_no_truth(start_pit, stickerpit):
    # Thousands of stickers in motion: fewer would wait in the kernel's buffers during a pause.
    pit = start_pit("--bodies", 4000)
    report = run(stickerpit, pit, "--count", 8, "--seconds", 16, "--slow", 4)
    assert report["skipped"] > 100
    assert report["keyframes"] >= 8
    assert report["gaps"] == 0
    assert report["errors"] == 0, report["messages"]


def test_a_thousand_stickers_in_half_of_the_bytes(start_pit, stickerpit):
    pit = start_pit("--bodies", 1000)
    reports = [
        run(stickerpit, pit, "--count", 2, "--seconds", 5, "--profile", profile)
        for profile in ("strict", "visual")
    ]
    assert all(report["gaps"] == 0 and report["skipped"] == 0 for report in reports)
    assert reports[1]["kbit_per_s_per_client"] < reports[0]["kbit_per_s_per_client"]


def test_churn_leaves_nobody_behind(pit, stickerpit):
    report = run(stickerpit, pit, "--count", 10, "--seconds", 5, "--churn", 10)
    assert report["reconnects"] >= 30
    assert report["errors"] == 0, report["messages"]
    deadline = time.monotonic() + 20
    while pit.health()["people"] > 0 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert pit.health()["people"] == 0


def test_lower_rates_cost_less(pit, stickerpit):
    reports = [
        run(stickerpit, pit, "--count", 2, "--seconds", 3, "--rate", rate) for rate in (60, 10)
    ]
    assert all(report["gaps"] == 0 for report in reports)
    assert reports[1]["frames"] < reports[0]["frames"] / 4
    assert reports[1]["kbit_per_s_per_client"] < reports[0]["kbit_per_s_per_client"]
