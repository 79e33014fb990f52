"""What a full, broken or slow disk does to a server, and a power cut to its journal."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import shim  # noqa: E402
from disktrace import START, UNLINK, WRITE, Operation  # noqa: E402
from failing import A_WHILE, AGAIN, LOST  # noqa: E402
from failing import fault_under_load, slow_disk, stops_without_journal  # noqa: E402
from onefault import OneFault, is_copy, nearly_full, numbers, traced_run  # noqa: E402
from pitserver import PATIENCE, STICKERPIT  # noqa: E402
from promise import TICK, Commit, Promise, Running  # noqa: E402
from recording import Recording  # noqa: E402

# How often an operation fails until the disk is healed: more often than there are any.
ALWAYS = "1+1000000000"
ERRORS = ["ENOSPC@write", "EIO@sync", "EIO@write", "torn@write"]
# Of the operations after the start, how many are tried; a soak tries "all".
SAMPLES = os.environ.get("DISK_FAULT_SAMPLES", "8")
TRIALS = int(os.environ.get("DISK_FAULT_TRIALS", 300))


@pytest.mark.parametrize("error", ERRORS)
def test_the_world_goes_on_while_the_disk_fails(tmp_path, error):
    seen = fault_under_load(tmp_path, f"{error}:{ALWAYS}")
    assert seen["status"] == "degraded" and seen["failing"]
    # Nothing is told as written that is not.
    assert seen["kept"] == 0
    assert seen["waiting"] >= A_WHILE
    assert seen["players"] > 0
    assert seen["said"] == [LOST, AGAIN]
    assert not seen["failing_after"]
    assert seen["gave_up"] is False
    assert seen["check"][0] == 0, seen["check"]
    assert seen["notes"] == []
    assert seen["has_all"] and seen["begins_at_end"]


@pytest.mark.parametrize("fault", ["short@write", "EIO@open", "EIO@truncate", "EIO@unlink"])
def test_faults_that_a_running_server_gets_over(tmp_path, fault):
    """A write that was short is gone on with; no file is opened, cut or removed on the way."""
    seen = fault_under_load(tmp_path, f"{fault}:{ALWAYS}", is_noticed=False)
    assert not seen["failing"] and seen["kept"] > 0
    assert seen["said"] == []
    assert seen["check"][0] == 0 and seen["notes"] == []
    assert seen["has_all"] and seen["begins_at_end"]


def test_a_slow_disk_loses_nothing(tmp_path):
    seen = slow_disk(tmp_path)
    assert seen["waited"] > 0
    assert not seen["failing"] and not seen["said"]
    assert seen["check"][0] == 0 and seen["notes"] == []
    assert seen["has_all"] and seen["begins_at_end"]


@pytest.mark.parametrize("error, words", [("ENOSPC@write", "is full"), ("EIO@sync", "disk I/O error")])
def test_a_server_that_is_to_end_with_its_disk(tmp_path, error, words):
    code, lines = stops_without_journal(tmp_path, f"{error}:{ALWAYS}")
    assert code == 1
    assert lines[-1].startswith("stickerpit: ") and words in lines[-1], lines


def trials(*arguments):
    """Runs `trials.py` and gives its exit code and its report. How much time is lost is not judged:
    other tests may run beside the recording. A soak judges it."""
    command = [sys.executable, HERE / "trials.py", "--server", STICKERPIT, "--trials", TRIALS]
    command.append("--busy")
    done = subprocess.run(
        [*map(str, command), *map(str, arguments)], stdout=subprocess.PIPE, text=True,
        timeout=PATIENCE + TRIALS,
    )  # fmt: skip
    return done.returncode, json.loads(done.stdout)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    return tmp_path_factory.mktemp("recordings")


def recorded(recordings, durability):
    """What was recorded, by whoever wanted it first."""
    recording = Recording(recordings / durability)
    if not recording.exists:
        recording.make(STICKERPIT, durability, say=print)
    return recording.load()


def faults_once(folder, cases, contents=None):
    """Runs servers whose disk fails once each, and fails with all that was wrong about them."""
    library = shim.build(folder)
    # By turns killed and ended in order.
    ends = [signal.SIGKILL, signal.SIGTERM]
    with ThreadPoolExecutor(4) as threads:
        runs = list(
            threads.map(
                lambda case: OneFault(library, case[1], ends[case[0] % 2], contents), enumerate(cases)
            )
        )
    problems = {run.fault: run.problems for run in runs if run.problems}
    assert not problems, json.dumps(problems, indent=1)
    return runs


@pytest.mark.parametrize(
    "kind, errors",
    [
        ("write", ["ENOSPC", "EIO", "torn", "short"]), ("sync", ["EIO"]), ("open", ["EIO"]),
        ("truncate", ["EIO", "ENOSPC"]), ("unlink", ["EIO"]), ("rename", ["EIO", "ENOSPC"]),
        ("mkdir", ["EIO", "ENOSPC"]),
    ],
)  # fmt: skip
def test_each_operation_fails_once(tmp_path, kind, errors):
    operations, begun = traced_run(tmp_path)
    first = numbers(operations, kind, range(begun))
    later = numbers(operations, kind, range(begun, len(operations)))
    sampled = later if SAMPLES == "all" else later[:: max(1, len(later) // int(SAMPLES))]
    cases = [f"{error}@{kind}:{number}" for error in errors for number in first + sampled]
    runs = faults_once(tmp_path, cases)
    # A fault in the first of these keeps a server from starting, or none has ever reached it.
    assert any(run.refusal for run in runs)


@pytest.mark.parametrize(
    "kind, errors",
    [("write", ["ENOSPC", "torn"]), ("sync", ["EIO"]), ("truncate", ["EIO"])],
)  # fmt: skip
def test_each_operation_of_a_checkpoint_fails_once(recordings, tmp_path, kind, errors):
    """A server begins with a write-ahead log that is nearly full: soon it is copied."""
    contents = nearly_full(recorded(recordings, "full").operations)
    operations, _ = traced_run(tmp_path, contents)
    copied = [n for n, one in enumerate(operations) if is_copy(one)]
    end = next(n for n, one in enumerate(operations) if one.kind == UNLINK)
    assert copied[0] < end - 100, "the only checkpoint is the one at the end"
    counted = numbers(operations, kind, {n + k for n in copied for k in range(-3, 12)})
    assert counted
    runs = faults_once(tmp_path, [f"{e}@{kind}:{n}" for e in errors for n in counted], contents)
    assert any("data/journal.sqlite" in run.struck for run in runs), "none was hit"


@pytest.mark.parametrize("durability", ["full", "normal"])
def test_power_cuts_and_kills(recordings, durability):
    arguments = ["--durability", durability, "--recording", recordings / durability]
    code, found = trials(*arguments)
    assert code == 0, found["problems"]
    assert found["recovered"] + found["empty"] == found["trials"] == TRIALS
    assert found["recovered"] > found["empty"] > 0
    assert found["kills"] > 0 and found["power_cuts"] > 0 and found["servers_started"] > 0


@pytest.mark.parametrize(
    "durability, planted",
    [
        ("full", ["--plant", "forgotten-syncs"]),
        ("normal", ["--judge-as", "full"]),
        ("off", ["--judge-as", "full"]),
    ],
)  # fmt: skip
def test_planted_faults_are_found(recordings, durability, planted):
    arguments = ["--durability", durability, "--recording", recordings / durability]
    code, found = trials(*arguments, *planted)
    assert code == 1
    # Killed processes lose nothing by it.
    assert found["problem_count"] > TRIALS / 10
    assert all(one["kind"] == "power cut" for one in found["problems"])
    assert any("promised was" in one["problem"] for one in found["problems"])


def test_a_loss_is_the_time_for_which_ticks_ran():
    """Two processes: the first writes ticks 3 and 6 and is killed; the second is off for a while, and
    takes a second to start."""
    second = 10**9
    times = [0, second, second + 3 * TICK, 3 * second, 4 * second, 5 * second]
    kinds = [START, WRITE, WRITE, START, WRITE, WRITE]
    operations = [Operation(kind, time, 0, 0, 0, "", b"") for kind, time in zip(kinds, times)]
    found = [
        Commit(2, 2, 2, 0.5 * second, 0, 1), Commit(2, 2, 2, second, 3, 1),
        Commit(3, 3, None, second + 3 * TICK, 6, 1), Commit(5, 5, 5, 4 * second, 6, 2),
        Commit(6, 6, 6, 5 * second, 9, 2),
    ]  # fmt: skip
    promise = Promise(found, "full", Running(operations, found))
    assert promise.loss(2, second, 0)[0] == 3
    assert promise.loss(3, second + 3 * TICK, 3) == (3, 50)
    # The first one's last transaction was not synced, and the power fails while the second one starts.
    assert promise.loss(4, 3.5 * second, 3) == (3, 50)
    assert promise.loss(5, 4.5 * second, 6) == (0, 0)
    assert promise.loss(6, 5 * second, 6) == (3, 50)
    assert promise.judges_loss(is_kill=False)
    assert not Promise(found, "normal", promise.running).judges_loss(is_kill=False)
    assert Promise(found, "normal", promise.running).judges_loss(is_kill=True)


def test_a_trial_can_be_laid_out_again(recordings, tmp_path):
    arguments = ["--recording", recordings / "full", "--only", 7, "--keep", tmp_path / "image"]
    trials(*arguments)
    contents = {path.name: path.read_bytes() for path in (tmp_path / "image/data").iterdir()}
    assert contents["journal.sqlite"]
    trials(*arguments)
    for name, content in contents.items():
        assert (tmp_path / "image/data" / name).read_bytes() == content
