"""What tests of pages that run the world themselves share: bots beside them, and a slow line."""

import contextlib
import heapq
import itertools
import json
import selectors
import signal
import socket
import subprocess
import threading
import time

from pitserver import PATIENCE, STICKERPIT

# More than any test waits, so that the bots are there until they are told to leave.
LONG = "36000"


@contextlib.contextmanager
def replica_bots(url, count=6, churn=0.5):
    """Native clients that run the world as well, come, play and go, as long as the block lasts.
    Gives a function that ends them and tells what they found: the exit code and the report."""
    flags = ["--stream", "replica", "--count", str(count), "--churn", str(churn), "--seconds", LONG]
    bots = subprocess.Popen(
        [STICKERPIT, "bots", "--url", url, "--json", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )

    def end():
        bots.send_signal(signal.SIGINT)
        report, _ = bots.communicate(timeout=PATIENCE)
        return bots.returncode, json.loads(report)

    try:
        yield end
    finally:
        if bots.poll() is None:
            bots.kill()
            bots.wait()


class SlowLine:
    """A TCP port of its own that leads to another one, where everything takes a while each way."""

    def __init__(self, port, delay):
        self._target = ("127.0.0.1", port)
        self.delay = delay
        # When the last of what is on its way arrives: bytes never overtake each other.
        self._latest = 0
        self._selector = selectors.DefaultSelector()
        # What is on its way: when it arrives, a number that keeps the order, the end, the bytes.
        self._waiting = []
        self._numbers = itertools.count()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._is_open = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def stop(self):
        self._is_open = False
        self._thread.join()

    def _run(self):
        while self._is_open:
            due = self._waiting[0][0] - time.monotonic() if self._waiting else 0.05
            for key, _ in self._selector.select(max(0, min(due, 0.05))):
                if key.fileobj is self._listener:
                    self._accept()
                else:
                    self._read(key.fileobj, key.data)
            while self._waiting and self._waiting[0][0] <= time.monotonic():
                _, _, end, data = heapq.heappop(self._waiting)
                self._write(end, data)
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()
        self._selector.close()

    def _accept(self):
        client, _ = self._listener.accept()
        server = socket.create_connection(self._target)
        for end, other in ((client, server), (server, client)):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._selector.register(end, selectors.EVENT_READ, other)

    def _read(self, end, other):
        try:
            data = end.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(end)
        self._latest = max(self._latest, time.monotonic() + self.delay)
        heapq.heappush(self._waiting, (self._latest, next(self._numbers), other, data))

    def _write(self, end, data):
        with contextlib.suppress(OSError):
            if data:
                end.sendall(data)
            else:
                end.shutdown(socket.SHUT_WR)
