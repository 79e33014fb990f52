"""The soak of `make soak-server`, for a moment: everybody is at work, nothing is found. And its judge
finds each fault that it is there for."""

import copy
import json
import os
import subprocess
import sys

import pytest
from pitserver import PATIENCE, ROOT, STICKERPIT

SOAK = ROOT / "Tests/Soak"
sys.path.append(str(SOAK))

import crowd  # noqa: E402
import judge  # noqa: E402
import section  # noqa: E402


@pytest.mark.serial
def test_a_short_soak_finds_nothing():
    command = [sys.executable, str(SOAK / "run.py"), "--short", "--seconds", "20", "--bots", "40"]
    run = subprocess.run(
        command, capture_output=True, text=True, timeout=5 * PATIENCE,
        env=os.environ | {"STICKERPIT": STICKERPIT},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    report = json.loads(run.stdout)
    assert report["faults"] == [] and "soak: verdict: passed" in run.stderr
    assert report["commit"]
    # What it was there for was done: the judge asks for it, and here it is seen that it can tell.
    assert sum(report["hostile"]["counts"].values()) > 50
    assert report["samples"]["count"] > 5 and len(report["log"]) > 0


def test_a_server_that_is_no_server_fails(tmp_path):
    """A build that ends at once is told, and not waited for."""
    false = tmp_path / "stickerpit"
    false.write_text("#!/bin/sh\nexit 3\n")
    false.chmod(0o755)
    command = [sys.executable, str(SOAK / "run.py"), "--short", "--server", str(false)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode != 0 and "did not start" in run.stderr


# A report of ten minutes in which nothing was wrong.


def group(name="state 60 strict", **changes):
    seconds, count = 600, 60
    found = dict(
        connected=count, frames=count * seconds * 50, sent=count * seconds * 17, errors=0, gaps=0,
        mismatches=0, keyframe_requests=0, reconnects=540, hashes_compared=count * seconds * 2,
        messages=[],
    )  # fmt: skip
    replica = name.startswith("replica")
    return dict(
        name=name, count=count, seconds=seconds, slow=0, churn=0.9, replica=replica, exit=0, said=[],
        report=found,
    ) | changes  # fmt: skip


@pytest.fixture
def good():
    return dict(
        build="thread", commit="0c0ffee, with changes", seconds=600, bots=120, bodies=200, tls=False,
        crowd=[group(), group("replica 60")],
        guests=dict(counts=dict(goodbye=600, broken=600), faults=[]),
        hostile=dict(counts={"flood": 6000, "slow loris": 40}, faults=[]),
        samples=dict(
            count=600, faults=[], most_people=140, resident_mb=[50, 60, 61, 60.5, 61],
            descriptors=[150, 152, 149, 151, 150], late_p99_ms=dict(median=0.3, worst=2.5),
            took_p99_ms=dict(median=1, worst=2), server_processors=0.4,
        ),
        descriptors=dict(before=23, after=23), people_left=0, crashed=False, exit=0, ticks=36000,
        ticks_lost=0, late_p99_ms=1.2,
        log=["2026-01-01T00:00:00+0000 info stickerpit: port=1 [Server] ticking\n"],
        judged=dict(lateness=True, memory=True),
        machine=dict(processors=2, own=1.2, others=0.01, steal=0),
    )  # fmt: skip


def test_a_good_report_passes(good):
    before = copy.deepcopy(good)
    assert list(judge.judge(good)) == []
    assert good == before, "a judge changes nothing"


def change(report, path, value):
    *way, last = path
    for step in way:
        report = report[step]
    report[last] = value


@pytest.mark.parametrize(
    "path, value, words",
    [
        (("crowd", 0, "exit"), 1, "exit 1"),
        (("crowd", 0, "report"), None, "no report"),
        (("crowd", 0, "report", "connected"), 59, "only 59 of 60 connected"),
        (("crowd", 0, "report", "errors"), 1, "1 errors"),
        (("crowd", 0, "report", "gaps"), 2, "2 gaps"),
        (("crowd", 1, "report", "mismatches"), 1, "1 mismatches"),
        (("crowd", 0, "report", "keyframe_requests"), 1, "1 keyframe_requests"),
        (("crowd", 0, "report", "frames"), 3000, "only 3000 frames"),
        (("crowd", 0, "report", "sent"), 0, "only 0 sent"),
        (("crowd", 1, "report", "hashes_compared"), 0, "only 0 hashes_compared"),
        (("guests",), None, "guests: no report"),
        (("guests", "faults"), ["goodbye: 3 came back as 4"], "came back as 4"),
        (("guests", "counts", "broken"), 0, "nothing came of 'broken'"),
        (("guests", "counts"), dict(goodbye=3, broken=3), "only 6 deeds"),
        (("hostile",), None, "hostile: no report"),
        (("hostile", "faults"), ["flood: it is still there"], "still there"),
        (("hostile", "counts", "slow loris"), 0, "nothing came of 'slow loris'"),
        (("hostile", "counts"), {"flood": 20, "slow loris": 40}, "only 60 deeds"),
        (("samples", "faults"), ["no sample: TimeoutError"], "no sample"),
        (("samples", "count"), 200, "only 200 samples"),
        (("samples", "count"), 2, "nothing can be said"),
        (("samples", "most_people"), 100, "only 100 people"),
        (("samples", "resident_mb"), [50, 60, 62, 63, 65], "memory grew from 60 to 65"),
        (("samples", "descriptors"), [150, 150, 160, 165, 175], "descriptors grew from 150 to 175"),
        (("late_p99_ms",), 4.1, "4.1 ms late"),
        (("samples", "late_p99_ms", "worst"), 16.8, "16.8 ms late"),
        (("samples", "late_p99_ms", "worst"), float("nan"), "late at p99"),
        (("late_p99_ms",), float("nan"), "late at p99"),
        (("descriptors", "after"), 24, "24 descriptors were open"),
        (("people_left",), 1, "1 people were counted"),
        (("people_left",), None, "nobody could be asked"),
        (("crashed",), True, "ended before"),
        (("exit",), -11, "ended with -11"),
        (("log",), ["2026-01-01T00:00:00+0000 error stickerpit: [Server] oh\n"], "error stickerpit"),
        (("log",), ["Server/File.swift:3: Fatal error: Index out of range\n"], "Fatal error"),
        (("log",), ["WARNING: ThreadSanitizer: data race (pid=1)\n"], "ThreadSanitizer"),
    ],
)
def test_the_judge_finds(good, path, value, words):
    change(good, path, value)
    faults = judge.judge(good)
    assert len(faults) == 1 and words in faults[0], faults
    assert "FAULT" in section.summary(good | {"faults": faults})
    assert faults[0].split("|")[0] in section.section(good | {"faults": faults})
    assert "FAILED, 1 faults" in section.sentence(good | {"faults": faults})


def test_the_sections_say_which_sources_were_soaked(good):
    good["faults"] = []
    for words in (section.section(good), section.sentence(good)):
        assert words.count("at commit 0c0ffee, with changes:") == 1, words


def test_who_never_left_did_not_churn(good):
    for one in good["crowd"]:
        one["report"]["reconnects"] = 20
    assert ["only 40 left and came back" in fault for fault in judge.judge(good)] == [True]


def test_lateness_and_growth_are_not_judged_where_they_say_nothing(good):
    good["judged"] = dict(lateness=False, memory=False)
    good["late_p99_ms"] = 100
    good["samples"] |= dict(late_p99_ms=dict(median=90, worst=100), resident_mb=[1, 2, 30, 40, 50])
    assert judge.judge(good) == []


def test_who_is_turned_away_by_a_busy_server_is_a_fault_where_lateness_is(good):
    found = good["crowd"][0]["report"]
    found |= dict(errors=2, messages=["bot 1: closed with 1013 too busy for somebody new"])
    good["crowd"][0]["exit"] = 1
    assert len(judge.judge(good)) == 2
    good["judged"]["lateness"] = False
    assert judge.judge(good) == []
    found["messages"].append("bot 2: malformed")
    assert len(judge.judge(good)) == 2


def test_few_samples_are_no_fifths():
    assert judge.fifths([1, 2, 3, 4, 5]) == [1, 2, 3, 4, 5]
    # One that stands out is no growth.
    assert judge.fifths([1] * 30 + [99] + [1] * 29 + [2] * 40) == [1, 1, 1, 2, 2]


@pytest.mark.parametrize("bots", [40, 60, 300])
def test_every_bot_has_a_group(bots):
    groups = crowd.plan(bots, 20)
    assert sum(one["count"] for one in groups) == bots
    assert min(one["count"] for one in groups) >= 2 and any(one["slow"] for one in groups)
