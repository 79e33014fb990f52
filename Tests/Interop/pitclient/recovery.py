"""What a client does after a frame that it had to refuse (PROTOCOL.md, After a refused frame)."""

from . import messages
from .errors import Malformed
from .stream import StreamClient

ASK_AGAIN, PATIENCE = 2.0, 5.0  # seconds


class GaveUp(Exception):
    """No frame fitted for five seconds: the connection is worth nothing."""


class FollowingClient:
    """Follows a stream over frames that must be refused; `bodies` is the last world until another
    is there."""

    def __init__(self, rate, profile):
        self._stream = StreamClient()
        self._question = messages.stream(rate, profile)
        self._refused = self._asked = None
        self.bodies, self.tick = [], None

    @property
    def waits(self):
        """Whether a frame was refused and none fitted since."""
        return self._refused is not None

    def take(self, frame, now):
        """Takes a frame at a time in seconds; the answer is what to send, or nothing."""
        try:
            self._stream.receive(frame)
        except Malformed:
            if not self.waits:
                self._refused = now
            return self.ask(now)
        self._refused = self._asked = None
        self.bodies, self.tick = self._stream.bodies(), self._stream.tick
        return None

    def ask(self, now):
        """What to send when nothing came; to be called about once a second."""
        if not self.waits:
            return None
        if now - self._refused >= PATIENCE:
            raise GaveUp
        if self._asked is not None and now - self._asked < ASK_AGAIN:
            return None
        self._asked = now
        return self._question
