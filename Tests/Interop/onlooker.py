"""Somebody who follows a shared world's log at one of its servers, and remembers what was shown;
and somebody who looks at the machine meanwhile."""

import threading
import time

from pitclient.records import RECORDS, SNAPSHOT, Log
from pitserver import until
from test_protocol import Client, hello
from websockets.exceptions import WebSocketException

# Seconds until one who was cut off comes back.
PAUSE = 0.1
# Seconds after which one who looks at the machine wants its turn again.
TURN = 0.01


class Stalls:
    """How long this process had to wait for its turn at worst, in seconds. A machine that has
    others to serve lets servers wait for as long."""

    def __init__(self):
        self.longest = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self):
        while not self._is_over.is_set():
            before = time.monotonic()
            time.sleep(TURN)
            self.longest = max(self.longest, time.monotonic() - before - TURN)

    def stop(self):
        self._is_over.set()
        self._thread.join()


class Onlooker:
    """Follows until it is told to stop, and comes back when it is cut off."""

    def __init__(self, server):
        self._server = server
        # What was shown: the bytes of each tick's record.
        self.records = {}
        # Ticks that were shown a second time and were not the same.
        self.changed = 0
        # How often it was shown the world again after its connection broke.
        self.reconnects = 0
        # When a newer tick was shown than ever before, in monotonic seconds.
        self._news = []
        self.newest = 0
        self._is_over = False
        self._client = None
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()
        until(lambda: self.records)

    def _follow(self):
        while not self._is_over:
            try:
                with Client(self._server, hello(stream=1), close_timeout=1) as self._client:
                    self._take()
            except (OSError, WebSocketException):
                if not self._is_over:
                    time.sleep(PAUSE)

    def _take(self):
        log, is_back = None, bool(self.records)
        while not self._is_over:
            message = self._client.next(SNAPSHOT, *RECORDS)
            if message[0] == SNAPSHOT:
                log = Log(message)
                self.reconnects += is_back
                is_back = False
            elif log:
                self._show(log.split(message))

    def _show(self, records):
        for tick, record in records.items():
            self.changed += self.records.get(tick, record) != record
        self.records |= records
        if (newest := max(records)) > self.newest:
            self.newest = newest
            self._news.append(time.monotonic())

    def standstill(self, since):
        """The longest time without a new tick since then, in seconds."""
        times = list(self._news)
        before = [at for at in times if at <= since]
        points = [before[-1] if before else since, *times[len(before) :], time.monotonic()]
        return max(later - earlier for earlier, later in zip(points, points[1:]))

    def lost(self, log):
        """How many ticks it was shown that the log does not have, or not so."""
        return sum(log.records.get(tick) != record for tick, record in self.records.items())

    def stop(self):
        self._is_over = True
        if self._client is not None:
            self._client.socket.close()
        self._thread.join()
