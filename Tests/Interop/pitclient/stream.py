"""Frames of the state stream in the order in which they come (§1)."""

import struct

from .content import decode_content
from .errors import Malformed, require
from .models import Models
from .rangedecoder import RangeDecoder
from .velocities import decode_velocities
from .world import World

KEYFRAME, CATCH_UP, HELD, OWN = 0x82, 0x83, 0x88, 0xC0
ENTRY, COARSE = 1, 2


def restarts(tick, interval):
    """Whether the stream begins its models anew after this tick: once in each 480 (§1)."""
    return tick // interval % (480 // interval) == 0


def is_frame(message):
    return message[0] in (KEYFRAME, CATCH_UP, HELD) or message[0] >= OWN


class StreamClient:
    """The world at the client's last tick, and what it needs to read the next frame."""

    def __init__(self):
        self.world = self.tick = None
        self.models = Models()
        self.in_step = self.coarse = False
        # What the last frame announced.
        self.skipped = self.held = 0

    def take(self, frame):
        """Decodes one frame; yields after each tick that it brings (a held one brings many)."""
        try:
            yield from self._take(frame)
        except Malformed:
            # What was decoded up to there can't be undone: only a keyframe fits now.
            self.world, self.in_step = None, False
            raise

    def _take(self, frame):
        require(len(frame) > 0, "an empty message")
        self.skipped = self.held = 0
        if frame[0] == KEYFRAME:
            self._keyframe(frame)
            yield
        elif frame[0] == CATCH_UP:
            self._catch_up(frame)
            yield
        elif frame[0] == HELD:
            require(len(frame) >= 3, "a held frame ends early")
            require(1 <= frame[1] <= 30, "a number of held frames out of range")
            self.held = frame[1]
            yield from self._own(frame[2:])
        else:
            yield from self._own(frame)

    def receive(self, frame):
        """`take` for whoever wants the last of its ticks only."""
        for _ in self.take(frame):
            pass

    def _keyframe(self, frame):
        require(len(frame) >= 16, "a keyframe ends early")
        tick, *shape, flags = struct.unpack_from("<IBBHHHHB", frame, 1)
        interval, profile, _, _, _, slots = shape
        require(interval in (1, 2, 3, 6), "an interval out of range")
        require(profile in (0, 1), "a profile out of range")
        require(1 <= slots <= 16384, "a number of slots out of range")
        require(flags & ~ENTRY == 0, "unknown flags")
        if self.tick is not None and self.tick < tick:
            self.skipped = (tick - self.tick - 1) // interval
        self.world = World(*shape)
        self._content(frame[16:], frames=1, coarse_factor=0, velocities=True, keyframe=True)
        self._restart()
        self.tick, self.in_step, self.coarse = tick, bool(flags & ENTRY), True

    def _catch_up(self, frame):
        require(len(frame) >= 7, "a catch-up frame ends early")
        tick, frames, flags = struct.unpack_from("<IBB", frame, 1)
        require(1 <= frames <= 64, "frames back out of range")
        require(flags & ~(ENTRY | COARSE) == 0, "unknown flags")
        require(self.world is not None, "a catch-up frame before a keyframe")
        require(tick - frames * self.world.interval == self.tick, "a base that is not here")
        require(bool(flags & COARSE) == self.coarse, "other velocities than here")
        self.skipped = frames - 1
        if frames > 1:
            factor = 0
        else:
            factor = 0.75 if self.coarse else 1
        self.world.restart(frames)
        self._content(frame[7:], frames, factor, velocities=frames > 1)
        self._restart()
        self.tick, self.in_step, self.coarse = tick, bool(flags & ENTRY), frames > 1

    def _own(self, frame):
        """An own frame, with `held` contents before its own; yields after each."""
        require(self.in_step, "a frame of the stream for a client that is not in step")
        interval = self.world.interval
        last = self.tick + (self.held + 1) * interval
        require(frame[0] == OWN + last // interval % 64, "a gap")
        bits = RangeDecoder(frame[1:], self.models)
        for tick in range(self.tick + interval, last + 1, interval):
            decode_content(bits, self.world, 1, 1)
            if tick == last:
                bits.finish()
            self.tick, self.coarse = tick, False
            if restarts(tick, interval):
                self._restart()
            yield

    def _content(self, content, frames, coarse_factor, velocities, keyframe=False):
        self.models.restart()
        bits = RangeDecoder(content, self.models)
        decode_content(bits, self.world, frames, coarse_factor, keyframe)
        if velocities:
            decode_velocities(bits, self.world, frames)
        bits.finish()

    def _restart(self):
        self.models.restart()
        self.world.restart(1)

    def bodies(self):
        """What is where, as `/api/world` tells it, in lattice steps of the stream's profile."""
        listed = []
        for slot, body in sorted(self.world.bodies.items()):
            x, y, angle = (axis.position for axis in body.axes)
            listed.append(
                dict(
                    slot=slot, generation=body.generation, kind=body.kind, size=body.size,
                    x=x, y=y, angle=angle % 1024,
                )
            )
        return listed
