"""A journal read by nobody's code but Python's own, and somebody who saw what should be in it."""

import shutil
import sqlite3
import struct
import threading

from pitclient.records import RECORDS, SNAPSHOT, Log
from test_protocol import Client, hello
from websockets.exceptions import ConnectionClosed


class JournalCopy:
    """What a process left behind. A copy is read, because whoever opens a journal changes its files."""

    def __init__(self, folder, place):
        shutil.copytree(folder, place)
        with sqlite3.connect(place / "journal.sqlite") as base:
            rows = base.execute("SELECT last, count, bytes FROM records ORDER BY last")
            self.groups = rows.fetchall()
            self.snapshots = base.execute(
                "SELECT position, bytes FROM snapshot ORDER BY position"
            ).fetchall()
            self.people = base.execute("SELECT number, commands, left_at FROM person").fetchall()
        base.close()

    @property
    def last(self):
        """The last tick."""
        return max(self.snapshots[-1][0], self.groups[-1][0] if self.groups else 0)

    @property
    def ends(self):
        """The ticks after which a start can go on: the last snapshot's, and those that end the groups
        behind it. How many ticks a group has depends on how fast the machine is."""
        start = self.snapshots[-1][0]
        return [start, *(last for last, _, _ in self.groups if last > start)]

    def records(self):
        """All records by ticks, decoded from the first snapshot on."""
        start, blob = self.snapshots[0]
        log = Log(bytes([SNAPSHOT]) + blob)
        assert log.tick == start
        found = {}
        for last, count, blob in self.groups:
            records = log.read(blob)
            assert len(records) == count and records[-1]["tick"] == last
            found |= {record["tick"]: record for record in records}
        return found


class Witness:
    """Follows the log over the wire until the connection breaks."""

    def __init__(self, pit):
        self.records = {}
        self._client = Client(pit, hello(stream=1))
        self._reader = threading.Thread(target=self._follow, daemon=True)
        self._reader.start()

    def _follow(self):
        log = Log(self._client.next(SNAPSHOT))
        try:
            while True:
                message = self._client.next(*RECORDS)
                self.records |= {record["tick"]: record for record in log.read(message)}
        except (ConnectionClosed, OSError):
            return

    def join(self):
        self._reader.join()
        self._client.socket.close()

    @property
    def last(self):
        return max(self.records)


def damage(path, sql, *values):
    """Changes a journal as no program would."""
    with sqlite3.connect(path / "journal.sqlite") as base:
        base.execute(sql, values)
    base.close()


def page_size(path):
    return struct.unpack_from(">H", (path / "journal.sqlite").read_bytes(), 16)[0]
