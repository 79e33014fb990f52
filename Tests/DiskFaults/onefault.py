"""Real servers whose disk fails once, at one operation: each of them in its turn."""

import tempfile
import urllib.error
from pathlib import Path

import disktrace
import shim
from disk import FOLDER, Disk, lay_out
from failing import A_WHILE, journal
from pitserver import PATIENCE, STICKERPIT, PitServer, until
from recording import FAST
from verdict import check, notes_of_damage, start

# What a refusal says, by what failed. A disk that takes only a part of something is taken for full, and
# SQLite takes a file that it can't open for writing for one that it may only read.
BROKEN = ["I/O error", "Input/output error", "unable to open", "readonly database"]
FULL = ["full", "space"]
REASONS = {"EIO": BROKEN, "torn": BROKEN, "ENOSPC": FULL, "short": FULL}
# A disk with nothing on it.
NOTHING = {"": FOLDER}
# Operations before a checkpoint: those of some ten transactions.
SOON = 40
# Ticks that are written after the fault: it is over then.
LATER = 90


class Attempt(PitServer):
    """A server that may refuse to start: `refusal` has what it said then."""

    refusal = None

    def __init__(self, *flags, **options):
        try:
            super().__init__(*flags, checks_frames=False, **options)
        except RuntimeError as error:
            self.refusal = str(error).removeprefix("the server did not start: ").strip()


def traced_run(folder, contents=None):
    """What a server does on a sound disk until it has ended in order after a while, and how much of
    it until it has written its first ticks."""
    trace, disk = Path(folder, "trace"), Path(folder, "disk")
    lay_out(contents or NOTHING, disk)
    environment = shim.environment(shim.build(folder), disk, trace=trace)
    pit = Attempt("--data", disk / "data", environment=environment)
    try:
        tick = until(lambda: journal(pit)["tick"])
        begun = len(disktrace.read(trace))
        pit.wait_for_tick(tick + A_WHILE)
    finally:
        code = pit.stop()
    assert code == 0, pit.lines
    return disktrace.read(trace), begun


def numbers(operations, kind, places):
    """Which operations of a kind stand at some places of a trace: as DISK_FAULTS_FAIL counts them."""
    of_kind = [n for n, one in enumerate(operations) if one.kind == disktrace.KINDS[kind]]
    return [number + 1 for number, place in enumerate(of_kind) if place in places]


def is_copy(operation):
    """Whether a page of the database is written, as a checkpoint does."""
    return operation.kind == disktrace.WRITE and operation.path.endswith("journal.sqlite")


def nearly_full(operations):
    """The files that a killed server leaves just before it copies ten seconds of its write-ahead log."""
    copies = [n for n, one in enumerate(operations) if is_copy(one)]
    # The first pages were written when the database was made, and with its first ticks: the first
    # copy that has a long way of other operations before it is the one of ten seconds.
    full = next(copy for before, copy in zip(copies, copies[1:]) if copy - before > 5 * SOON)
    disk = Disk()
    for operation in operations[: full - SOON]:
        disk.do(operation)
    return disk.after_kill()


class OneFault:
    """A run with one fault, such as `EIO@sync:7`, and what was wrong about it."""

    def __init__(self, library, fault, end, contents=None):
        self.fault, self.problems = fault, []
        with tempfile.TemporaryDirectory(dir=FAST) as folder:
            disk = Path(folder).resolve() / "disk"
            lay_out(contents or NOTHING, disk)
            trace = Path(folder, "trace")
            self.run(disk / "data", shim.environment(library, disk, trace=trace, fail=fault), end)
            # Which files it struck; of a torn or short write the trace has only what was written.
            self.struck = {one.path for one in disktrace.read(trace) if one.result < 0}
            self.look(disk / "data")

    def run(self, data, environment, end):
        pit = Attempt("--data", data, environment=environment)
        self.refusal = pit.refusal
        if pit.refusal is not None:
            return self.judge_refusal(pit)
        try:
            tick = until(lambda: journal(pit)["tick"])
            until(lambda: journal(pit)["tick"] > tick + LATER)
        except (urllib.error.URLError, ConnectionError):
            self.problems.append("it ended by itself")
        pit.process.send_signal(end)
        code = pit.process.wait(timeout=PATIENCE)
        pit.stop()
        if code not in (0, -end) or any("Fatal error" in line for line in pit.lines):
            self.problems.append(f"it ended with {code}: {''.join(pit.lines)}")

    def judge_refusal(self, pit):
        code, said = pit.process.returncode, pit.refusal
        if code != 1:
            self.problems.append(f"it did not start and ended with {code}: {said}")
        if len(said.splitlines()) != 1 or not said.startswith("stickerpit: "):
            self.problems.append(f"not one clear line: {said!r}")
        if not any(words in said for words in REASONS[self.fault.partition("@")[0]]):
            self.problems.append(f"it doesn't say what failed: {said!r}")

    def look(self, data):
        """Whatever came of it, there is a journal to go on with, or none."""
        if (data / "journal.sqlite").exists():
            code, answer, words = check(STICKERPIT, data)
            if code != 0:
                self.problems.append(f"check ends with {code}: {words} {answer}")
            elif notes_of_damage(answer):
                self.problems.append(f"something was damaged: {answer['notes']}")
        try:
            start(STICKERPIT, data.parent)
        except RuntimeError as error:
            self.problems.append(f"the next one: {error}")
