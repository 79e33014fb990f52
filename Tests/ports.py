"""Ports for servers that are started again on the same one."""

import os
import random
import re
import socket

# Below those that the kernel hands out, so that no connection gets one by chance while the server
# that had it starts again.
FIRST, LAST = 12_000, 30_000


def _own_ports():
    """Those of this process: where several run tests, each has a part of its own."""
    number = re.sub(r"\D", "", os.environ.get("PYTEST_XDIST_WORKER", ""))
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    size = (LAST - FIRST) // count
    begin = FIRST + int(number or 0) * size
    # One after the other from a place that chance chooses: none comes twice before all came once.
    start = random.randrange(size)
    while True:
        yield from (begin + (start + step) % size for step in range(size))


_ports = _own_ports()


def free_port():
    """One that nobody listens at, and that no other test of this run is given."""
    while True:
        port = next(_ports)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
