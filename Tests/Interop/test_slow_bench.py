"""How `make bench-slow` judges what slow readers read."""

import importlib.util
import sys
from types import SimpleNamespace

import pytest
from pitserver import ROOT

SLOW = ROOT / "Benchmarks/slow"


def load(name):
    """A module of the benchmark. Other tests import modules of other folders that have the same
    names as some beside it."""
    path = list(sys.path)
    sys.path.append(str(SLOW))
    try:
        spec = importlib.util.spec_from_file_location(f"slow_{name}", SLOW / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path[:] = path


run = load("run")
Arrival = run.reader.Arrival

HEALTH = {"late": {"p99": 100}}
OTHERS = {
    "frames_per_second": 60, "frames_per_second_least": 60, "due_p50_ms": 1, "due_p99_ms": 2,
    "clients_behind": 0,
}  # fmt: skip


def row(*arrivals, closed=None):
    """What is told of a reader of 20 kB a second that read all of this, beside one that read a frame
    in the moment of its tick."""
    options = SimpleNamespace(bodies=331, clients=100, warm_up=0, seconds=20)
    prompt = SimpleNamespace(arrivals=[Arrival(1000, 0, 500, True)])
    slow = SimpleNamespace(arrivals=list(arrivals), closed=closed)
    return run.summary(options, 20_000, [slow], prompt, HEALTH, OTHERS, 40, 40)


def frame(milliseconds, count=500, is_keyframe=False):
    """A frame of tick 600 that was so old when its last byte was read."""
    return Arrival(1010 + milliseconds / 1000, 600, count, is_keyframe)


def test_what_is_as_old_as_promised_is_fine():
    told = row(frame(120), frame(299), frame(20))
    assert (told["age_max_ms"], told["counted_age_max_ms"]) == (299, 299)
    assert run.broken([told]) == []


def test_what_is_older_fails():
    assert run.broken([row(frame(120)), row(frame(301), frame(20))]) == [
        "frames were 301.0 ms old, keyframes' own time not counted, of 300"
    ]


@pytest.mark.parametrize("is_keyframe", [True, False])
def test_the_time_of_a_keyframe_itself_is_not_counted(is_keyframe):
    # 2000 bytes take 100 ms.
    told = row(frame(399, 2000, is_keyframe))
    assert told["age_max_ms"] == 399
    assert (run.broken([told]) == []) == is_keyframe
    assert run.broken([row(frame(401, 2000, is_keyframe))]) != []


def test_a_reader_that_was_closed_has_read_nothing_old_and_fails():
    assert run.broken([row(frame(20), closed="took no frame for 20 s")]) == ["readers that were closed: 1"]


def test_others_that_get_less_fail():
    told = row(frame(20)) | {"others_frames_per_second_least": 58.9}
    assert run.broken([told]) == ["one of the others got 58.9 frames a second, of 59"]


def test_memory_that_grows_fails():
    told = row(frame(20)) | {"resident_before_mb": 40, "resident_after_mb": 42.5}
    assert run.broken([told]) == ["memory grew by 2.5 MB, of 2"]
