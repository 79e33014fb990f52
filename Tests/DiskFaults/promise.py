"""What must be there after a cut: which groups had been kept by then, told by the trace.

Levels say how far a journal reaches: -1 if nothing was written into it, 0 if a world begins in it, and
else the last tick."""

import bisect
import os
import sqlite3
import tempfile
from collections import namedtuple
from pathlib import Path

from disk import Disk, lay_out
from disktrace import START, SYNC, UNLINK, WRITE
from recording import FAST

LOG = "journal.sqlite-wal"
# How the write-ahead log of SQLite is laid out: a header before each page, which has the database's
# size if the page is the last one of its transaction, and 0 if it is not.
FRAME_HEADER = 24
SIZE = slice(4, 8)

# A transaction: counts of operations after which it had begun, its writes were done, and it was synced
# (None: never); when it began; the level that it led to; and which process it was, the first being 1.
Commit = namedtuple("Commit", "begun written synced nanoseconds level process")
TICK = 1e9 / 60


class Running:
    """When ticks ran, so that the time for which a server was off or started is no loss."""

    def __init__(self, operations, commits):
        starts = [n for n, one in enumerate(operations) if one.kind == START]
        self.times = []
        for start, end in zip(starts, [*starts[1:], len(operations)]):
            mine = [commit for commit in commits if start < commit.begun <= end]
            steps = [pair for pair in zip(mine, mine[1:]) if pair[1].level > pair[0].level >= 0]
            # Whoever only gives up the past has no ticks.
            if steps:
                before, first = steps[0]
                begun = first.nanoseconds - (first.level - before.level) * TICK
                last = self.end(operations[mine[-1].written : end], mine[-1].nanoseconds)
                self.times.append((max(before.nanoseconds, begun), last))

    @staticmethod
    def end(behind, last):
        """When ticks ended: with the process, or with its last transaction, whose time is given, if it
        removed the log behind that, because it ended in order then."""
        is_closed = any(one.kind == UNLINK and os.path.basename(one.path) == LOG for one in behind)
        return last if is_closed or not behind else behind[-1].nanoseconds

    def until(self, nanoseconds):
        """For how many nanoseconds ticks had run at a time."""
        return sum(max(0, min(end, nanoseconds) - start) for start, end in self.times)


class Promise:
    def __init__(self, commits, durability, running):
        self.commits, self.durability, self.running = commits, durability, running
        self.by_written = [commit.written for commit in commits]
        self.levels = [commit.level for commit in commits]
        kept = []
        for commit, following in zip(commits, [*commits[1:], None]):
            times = [commit.synced] if commit.synced is not None else []
            # Whoever begins the next one takes this one for kept, whether there was a sync or not.
            if durability == "full" and following:
                times.append(following.begun)
            kept.append(min(times, default=None))
        # Each is kept no later than all behind it.
        self.kept = []
        for time in reversed(kept):
            earliest = self.kept[-1] if self.kept else float("inf")
            self.kept.append(min(earliest, float("inf") if time is None else time))
        self.kept.reverse()

    def after_kill(self, cut):
        """The level that a killed process must leave."""
        return self.level(bisect.bisect_right(self.by_written, cut))

    def after_power_cut(self, cut):
        return self.level(bisect.bisect_right(self.kept, cut))

    def level(self, count):
        return self.commits[count - 1].level if count else -1

    def loss(self, cut, nanoseconds, level):
        """Ticks and milliseconds from the last tick that was found to a cut and its time: as many ran
        since the transaction that brought it began."""
        first, end = bisect.bisect_left(self.levels, level), bisect.bisect_right(self.levels, level)
        same = [commit for commit in self.commits[first:end] if commit.begun <= cut]
        if level < 0 or not same:
            return 0, 0
        # Others that bring no tick may follow it. A later process began with it: what was lost with
        # the one before is not this cut's.
        begun = next(one for one in same if one.process == same[-1].process).nanoseconds
        lost = max(0, self.running.until(nanoseconds) - self.running.until(begun))
        return round(lost / TICK), round(lost / 1e6)

    def judges_loss(self, is_kill):
        """Whether it is promised how much is lost at most."""
        return is_kill or self.durability == "full"


def commits(operations):
    """All transactions of a trace."""
    disk, found, begun, process = Disk(), [], None, 0
    is_last_page = False
    with tempfile.TemporaryDirectory(dir=FAST) as place:
        for operation in operations:
            disk.do(operation)
            if operation.kind == START:
                begun, process = None, process + 1
            if os.path.basename(operation.path) != LOG or operation.result < 0:
                continue
            if operation.kind == SYNC:
                synced(found, disk.done)
            if operation.kind != WRITE or operation.argument == 0:
                continue
            begun = begun or (disk.done, operation.nanoseconds)
            if len(operation.data) == FRAME_HEADER:
                is_last_page = any(operation.data[SIZE])
            elif is_last_page:
                level = level_of(disk, place)
                found.append(Commit(begun[0], disk.done, None, begun[1], level, process))
                begun, is_last_page = None, False
    return found


def synced(found, done):
    for place in range(len(found) - 1, -1, -1):
        if found[place].synced is not None:
            return
        found[place] = found[place]._replace(synced=done)


def level_of(disk, place):
    """How far the journal reaches for a process that is killed now."""
    names = {Path(name).name for name in disk.now}
    contents = disk.after_kill()
    lay_out({Path(name).name: contents[name] for name in contents if "journal" in name}, place)
    path = Path(place, "journal.sqlite")
    level = read_level(path)
    for name in names:
        Path(place, name).unlink(missing_ok=True) if "journal" in name else None
    return level


def read_level(path):
    """How far a database reaches; it is changed by that."""
    database = sqlite3.connect(path)
    try:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if "origin" not in tables:
            return -1
        (origins,) = database.execute("SELECT count(*) FROM origin").fetchone()
        (last,) = database.execute("SELECT max(last) FROM records").fetchone()
        return (last or 0) if origins else -1
    finally:
        database.close()
