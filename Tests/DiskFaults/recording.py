"""Records what real servers do to a disk: one that begins with nothing, one that follows on a kill, one
that follows on an orderly end, a command that gives up the past, and one that goes on after it."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import disktrace
import shim
from pitserver import PATIENCE, PitServer

# Ticks of the first server, in which there are some snapshots and checkpoints, and of the others.
MANY, SOME, FEW = 3000, 600, 150
# Some of them leave and come back all the time, so that transactions have more pages.
BOTS, CHURN = 40, 15
# Where images are laid out: in memory, if there is a folder for that.
FAST = "/dev/shm" if os.path.isdir("/dev/shm") else None


class Recording:
    """A folder with a trace, the links of all groups that were ever written, and the key."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.trace = self.folder / "trace"
        self.disk = self.folder / "disk"

    @property
    def exists(self):
        return (self.folder / "truth.json").exists()

    def load(self):
        self.operations = disktrace.read(self.trace)
        truth = json.loads((self.folder / "truth.json").read_text())
        self.links = {int(last): link for last, link in truth["links"].items()}
        self.key = bytes.fromhex(truth["key"])
        self.durability = truth["durability"]
        return self

    def make(self, server, durability, say):
        self.disk.mkdir(parents=True)
        library = shim.build(self.folder)
        course = Course(self, server, durability, library)
        say(f"recording in {self.folder}, about a minute")
        course.serve(MANY, signal.SIGKILL)
        course.serve(SOME, signal.SIGTERM)
        course.serve(FEW, signal.SIGKILL)
        course.look()
        course.give_up_the_past()
        course.serve(FEW, signal.SIGKILL)
        course.look()
        truth = {"links": course.links, "durability": durability}
        truth["key"] = (self.disk / "data/token-key").read_bytes().hex()
        (self.folder / "truth.json").write_text(json.dumps(truth))
        # What is kept may be large, and the trace has it all.
        shutil.rmtree(self.disk)
        return self.load()


class Course:
    def __init__(self, recording, server, durability, library):
        self.data = recording.disk / "data"
        self.server, self.durability = server, durability
        self.environment = shim.environment(library, recording.disk, trace=recording.trace)
        self.links = {}
        self.tick = 0

    def serve(self, ticks, end):
        # Few stickers: each trial follows some hundred ticks of the world.
        flags = ["--data", self.data, "--durability", self.durability]
        flags += ["--bodies", 20, "--max-bodies", 30]
        pit = PitServer(
            *flags, program=self.server, checks_frames=False, environment=self.environment
        )
        bots = start_bots(self.server, pit, BOTS, "--churn", CHURN)
        try:
            self.tick += ticks
            pit.wait_for_tick(self.tick)
        finally:
            bots.kill()
            bots.wait()
            pit.process.send_signal(end)
            pit.process.wait(timeout=PATIENCE)
        assert pit.stop() == -end * (end == signal.SIGKILL), pit.lines

    def look(self):
        """Takes down the links, from a copy: reading would change the folder."""
        with tempfile.TemporaryDirectory(dir=FAST) as copy:
            shutil.copytree(self.data, copy, dirs_exist_ok=True)
            self.links |= read_journal(copy, "SELECT last, link FROM records")

    def give_up_the_past(self):
        command = ["journal", "prune", "--data", self.data, "--before", str(MANY * 3 // 4)]
        environment = os.environ | self.environment
        subprocess.run([self.server, *command], env=environment, check=True, capture_output=True)


def start_bots(server, pit, count, *flags):
    """Bots that play until they are killed."""
    command = [server, "bots", "--url", pit.socket_url, "--count", count, "--seconds", 1000, *flags]
    quiet = subprocess.DEVNULL
    return subprocess.Popen([*map(str, command), "--json"], stdout=quiet, stderr=quiet)


def read_journal(data, query):
    """Rows of a journal that nobody has open."""
    database = sqlite3.connect(Path(data) / "journal.sqlite")
    try:
        return dict(database.execute(query).fetchall())
    finally:
        database.close()
