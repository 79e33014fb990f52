"""Clients that read slowly, or not at all for a while, get what is new and not what is old."""

import struct
import time

import pytest
from attacker import PING, PONG, Attacker, honest_bots
from pitclient import messages
from pitserver import PATIENCE, until

pytestmark = pytest.mark.serial

HELLO = messages.hello()
TILT = struct.pack("<Bhh", 0x02, 0, 16384)


class Reader(Attacker):
    """A client that keeps the rules: it tilts now and then, and answers pings when it reads them."""

    def join(self):
        assert self.shake_hands() == 101
        self.frame(HELLO)
        self.socket.setblocking(False)

    def read(self):
        """All that has come so far: the count of bytes."""
        count = len(self.received)
        try:
            while self.more():
                pass
        except BlockingIOError:
            pass
        count = len(self.received) - count
        while frame := self._next_frame():
            if frame[0] == PING:
                self.frame(frame[1], opcode=PONG)
        self.frame(TILT)
        return count


def test_who_stops_reading_finds_little_that_is_old(start_pit):
    pit = start_pit("--bodies", 331, checks_frames=False)
    with honest_bots(pit), Reader(pit) as reader:
        reader.join()
        ends = time.monotonic() + PATIENCE
        # It has shown that it answers pings, and keeps up.
        while pit.health()["tick"] < 300:
            assert time.monotonic() < ends
            reader.read()
            time.sleep(0.05)
        before = pit.health()
        # For so long it reads nothing: its kernel would take 64 kB and more.
        for tick in range(60, 601, 60):
            pit.wait_for_tick(before["tick"] + tick)
            reader.frame(TILT)
        waiting = reader.read()
        sent = pit.health()["bytes"] - before["bytes"]
        assert sent > 600 * 100, "the pit was moving"
        # Still far below the 64 kB that the kernel would take.
        assert waiting < 40_000
        assert pit.health()["skipped"] > before["skipped"]
        # It goes on with what is new.
        until(lambda: reader.read() > 0)
        assert pit.health()["closed"]["stalling"] == 0


def test_who_is_silent_is_found_out(start_pit):
    # Its kernel acknowledges everything, and nobody is there: as a phone that was switched off
    # looks to a server whose network keeps the line open.
    pit = start_pit("--limit", "ping-seconds=1", "--limit", "silence-seconds=2")
    with Reader(pit) as gone:
        gone.join()
        until(lambda: pit.health()["people"] == 1)
        until(lambda: pit.health()["people"] == 0)


def test_who_is_silent_but_answers_pings_stays(start_pit):
    # Long enough for a machine that stands still for seconds, and over before the test is.
    pit = start_pit("--limit", "ping-seconds=1", "--limit", "silence-seconds=6")
    with Reader(pit) as quiet:
        quiet.join()
        until(lambda: pit.health()["people"] == 1)
        first = pit.health()["tick"]
        pings = 0
        while pit.health()["tick"] < first + 600:
            time.sleep(0.05)
            try:
                quiet.more()
            except BlockingIOError:
                pass
            while frame := quiet._next_frame():
                if frame[0] == PING:
                    pings += 1
                    quiet.frame(frame[1], opcode=PONG)
        assert pings > 2
        assert pit.health()["people"] == 1
