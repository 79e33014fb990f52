"""A process may have only so many files and sockets open. When none is left, newcomers are turned
away; nobody else notices, and the log is not filled."""

import resource
import time

from attacker import Attacker, honest_bots
from pitserver import until

DESCRIPTORS = 100
TROUBLE = "no file descriptor is left"


def is_let_in(pit):
    """Whether a newcomer gets a WebSocket."""
    try:
        with Attacker(pit, source="127.0.7.2") as newcomer:
            return newcomer.shake_hands() == 101
    except (AssertionError, OSError):
        return False


def has_ended(visitor):
    """Whether the server has hung up; these visitors say nothing, so nothing else comes."""
    visitor.socket.setblocking(False)
    try:
        return visitor.socket.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_newcomers_are_turned_away_when_no_descriptor_is_left(start_pit):
    pit = start_pit(descriptors=DESCRIPTORS)
    soft, hard = resource.prlimit(pit.process.pid, resource.RLIMIT_NOFILE)
    assert soft == hard == DESCRIPTORS
    troubles = lambda: [line for line in pit.lines if TROUBLE in line]
    with honest_bots(pit), Attacker(pit, source="127.0.7.3") as insider:
        began, held, turned_away, answers = time.monotonic(), [], 0, []

        def crowd_again():
            """Fills up whatever is free, and knocks on."""
            nonlocal held, turned_away
            held += [Attacker(pit, source="127.0.7.1") for _ in range(2 * DESCRIPTORS)]
            gone = [visitor for visitor in held if has_ended(visitor)]
            held = [visitor for visitor in held if visitor not in gone]
            for visitor in gone:
                visitor.socket.close()
            turned_away += len(gone)
            # Another network thread may have a descriptor in hand for a moment.
            if troubles() and 503 not in answers:
                insider.request("GET /index.html HTTP/1.1")
                answers.append(insider.answer()[0])
            # It goes on for more than ten seconds, so that there are two lines.
            return len(troubles()) >= 2

        try:
            until(crowd_again)
            assert held and turned_away > DESCRIPTORS
            assert answers[-1] == 503, "the file is there, only no descriptor for it"
            assert set(answers) <= {200, 503}
            assert pit.process.poll() is None
        finally:
            for visitor in held:
                visitor.socket.close()
        lines = troubles()
        # The first at once, each further one ten seconds later or more.
        assert len(lines) <= 1 + (time.monotonic() - began) / 10, lines
        assert "ulimit -n" in lines[0] and "times more before" in lines[1], lines
        until(lambda: is_let_in(pit))
    assert pit.stop() == 0
