"""Real servers whose disk fails once, at one operation: each of them in its turn."""

import tempfile
import urllib.error
from pathlib import Path

import disktrace
import shim
from failing import A_WHILE, journal
from pitserver import PATIENCE, STICKERPIT, PitServer, until
from recording import FAST
from verdict import check, start

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


def operations_of_a_run(folder, kind):
    """How many operations of a kind a server does until it has written its first ticks, and until it
    has ended after a while."""
    trace, disk = Path(folder, "trace"), Path(folder, "disk")
    disk.mkdir()
    environment = shim.environment(shim.build(folder), disk, trace=trace)
    pit = PitServer("--data", disk / "data", checks_frames=False, environment=environment)

    def count():
        return sum(one.kind == disktrace.KINDS[kind] for one in disktrace.read(trace))

    try:
        until(lambda: journal(pit)["tick"] > 0)
        at_start = count()
        pit.wait_for_tick(A_WHILE)
    finally:
        code = pit.stop()
    assert code == 0, pit.lines
    return at_start, count()


class OneFault:
    """A run with one fault, such as `EIO@sync:7`, and what was wrong about it."""

    def __init__(self, library, fault, end):
        self.fault, self.problems = fault, []
        self.refusal = None
        with tempfile.TemporaryDirectory(dir=FAST) as folder:
            disk = Path(folder).resolve() / "disk"
            disk.mkdir()
            self.run(disk / "data", shim.environment(library, disk, fail=fault), end)
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
        # What the system says where nothing has failed.
        if "Success" in said:
            self.problems.append(f"it doesn't say what failed: {said!r}")

    def look(self, data):
        """Whatever came of it, there is a journal to go on with, or none."""
        if (data / "journal.sqlite").exists():
            code, answer, words = check(STICKERPIT, data)
            if code != 0:
                self.problems.append(f"check ends with {code}: {words} {answer}")
            elif answer["notes"]:
                self.problems.append(f"something was damaged: {answer['notes']}")
        try:
            start(STICKERPIT, data.parent)
        except RuntimeError as error:
            self.problems.append(f"the next one: {error}")
