"""Ports for servers that are started again on the same one."""

import random
import socket


def free_port():
    """One that no connection gets by chance while the server that had it starts again: below those
    that the kernel hands out."""
    while True:
        with socket.socket() as probe:
            port = random.randrange(12_000, 30_000)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
