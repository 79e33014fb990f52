#!/usr/bin/env python3
"""Those who keep no rule, all at once and over and over. Prints how often each of them was at work, as
one JSON object.

Each kind has a thread, and each time other addresses, so that no limit on one address shields the
server from the rest. A kind counts once its attack came to the end that SECURITY.md promises, which
is mostly that the server hangs up with the right code; anything else is a fault."""

import contextlib
import itertools
import pathlib
import random
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "Interop")]

import frames  # noqa: E402
import sockets  # noqa: E402
from target import Target  # noqa: E402
from visits import Results, Refused, options  # noqa: E402

KINDS = frames.KINDS | sockets.KINDS
# Seconds between two attacks of a kind: together they are to be a nuisance and not the whole load.
PAUSE = 0.4


# Each kind's own. They come round within a minute: what the server remembers of an address must not
# look like a leak.
ADDRESSES = 50


def addresses(index):
    """Loopback addresses, another each time."""
    return (f"127.0.{64 + index}.{1 + turn % ADDRESSES}" for turn in itertools.count())


def work(name, attack, target, sources, results, ends):
    """One attack after the other until the time is over."""
    chance = random.Random(name)
    while time.monotonic() < ends:
        with contextlib.suppress(Refused):
            attack(target, sources, chance)
            results.add(name)
        time.sleep(PAUSE)


def main():
    told = options(__doc__)
    target, ends = Target(told.scheme, told.port), time.monotonic() + told.seconds
    kinds = KINDS | sockets.TLS_KINDS if told.scheme == "https" else KINDS
    results = Results(kinds)

    def task(index, name, attack):
        return lambda: work(name, attack, target, addresses(index), results, ends)

    results.run([(name, task(index, name, kinds[name])) for index, name in enumerate(kinds)])


if __name__ == "__main__":
    main()
