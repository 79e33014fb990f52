"""Readers that take so many bytes a second and no more, and note how old the frames are that they read.

They keep the rules (they tilt, and answer pings), follow the state stream and decode nothing: a frame's
tick stands in its first bytes."""
import asyncio
import base64
import os
import struct
import time
from typing import NamedTuple

from pitclient.messages import VERSION
from serverframe import split_frame

BINARY, CLOSE, PING, PONG = 0x2, 0x8, 0x9, 0xA
KEYFRAME, CATCH_UP, HELD, OWN = 0x82, 0x83, 0x88, 0xC0
# The state stream at 60 Hz, strict.
HELLO = struct.pack("<BHBBB", 0x01, VERSION, 0, 60, 0)
# A read that takes longer has waited for the server.
IDLE_SECONDS = 0.002
TILT_SECONDS = 1 / 15


def masked(payload, opcode=BINARY):
    """A client's frame; its mask is zero."""
    return bytes([0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload


class Frames:
    """The frames in what a socket gives, and the ticks of those that show the world."""

    def __init__(self):
        self.bytes = b""
        self.tick = self.interval = None

    def add(self, data):
        self.bytes += data

    def __iter__(self):
        while (frame := self._next()) is not None:
            yield frame

    def _next(self):
        found = split_frame(self.bytes)
        if found is None:
            return None
        opcode, payload, self.bytes = found
        return opcode, payload

    def shown_tick(self, message):
        """The tick that a message shows; None if it shows none."""
        kind = message[0]
        if kind == KEYFRAME:
            self.tick, self.interval = struct.unpack_from("<IB", message, 1)
        elif kind == CATCH_UP:
            (self.tick,) = struct.unpack_from("<I", message, 1)
        elif kind == HELD:
            self.tick += (message[1] + 1) * self.interval
        elif kind >= OWN:
            self.tick += self.interval
        else:
            return None
        return self.tick


class Arrival(NamedTuple):
    """A frame that was read to its last byte."""

    # By time.monotonic.
    when: float
    tick: int
    bytes: int
    is_keyframe: bool


class Reader:
    """One client. `arrivals` has every frame that shows the world. It tilts from side to side, after
    `calm_until` (of time.monotonic) only."""

    def __init__(self, port, bytes_per_second=None, calm_until=0.0):
        self.port = port
        self.calm_until = calm_until
        self.rate = bytes_per_second
        self.arrivals = []
        self.closed = None
        self.frames = Frames()

    async def run(self, ends):
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self.port, limit=1024 if self.rate else 1 << 20
        )
        key = base64.b64encode(os.urandom(16)).decode()
        self.writer.write(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: stickerpit.v1\r\n\r\n".encode()
        )
        await self.reader.readuntil(b"\r\n\r\n")
        self.writer.write(masked(HELLO))
        tilting = asyncio.create_task(self._tilt())
        try:
            await self._read(ends)
        finally:
            tilting.cancel()
            self.writer.close()

    async def _tilt(self):
        for turn in range(1 << 30):
            x, y = (16000 if turn // 30 % 2 else -16000, 3000)
            if time.monotonic() < self.calm_until:
                x, y = 0, 16000
            self.writer.write(masked(struct.pack("<Bhh", 0x02, x, y)))
            await asyncio.sleep(TILT_SECONDS)

    async def _read(self, ends):
        # A line that was idle carries no more afterwards; a timer that is late is made up for.
        ready = time.monotonic()
        while (now := time.monotonic()) < ends and self.closed is None:
            step = 512 if self.rate else 1 << 16
            if now < ready:
                await asyncio.sleep(ready - now)
                continue
            try:
                data = await asyncio.wait_for(self.reader.read(step), timeout=ends - now)
            except TimeoutError:
                return
            if not data:
                self.closed = "the connection ended"
            if self.rate:
                waited = time.monotonic() - now > IDLE_SECONDS
                ready = (time.monotonic() if waited else ready) + len(data) / self.rate
            self._take(data, time.monotonic())

    def _take(self, data, now):
        self.frames.add(data)
        for opcode, payload in self.frames:
            if opcode == PING:
                self.writer.write(masked(payload, PONG))
            elif opcode == CLOSE:
                self.closed = payload[2:].decode()
            elif opcode == BINARY and (tick := self.frames.shown_tick(payload)) is not None:
                self.arrivals.append(Arrival(now, tick, len(payload), payload[0] == KEYFRAME))
