"""How many clients one and two network threads carry, each on a fifth of a core.

Two whole cores would need a third one for the load. So the kernel gives each network thread a fifth
of a core only (the cpu controller's quota): then these threads are what is short, and the load has
the rest of the two cores.
"""
import contextlib
import os
import sys
from pathlib import Path

from engines import NETWORK_THREAD

CONTROLLER = Path("/sys/fs/cgroup/cpu")
# Short periods, so that a thread waits for its next share for less than a tick.
PERIOD_US = 10_000
SHARE = 0.2
# Clients a second that come: more would keep a fifth of a core so busy that newcomers are refused.
CONNECTS = 60
# Frames of 60 that the median client must get, and the one that gets the fewest.
MEDIAN, LEAST = 59, 57
# The first step of the search and the last, clients.
STEPS = [256, 128, 64, 32, 16]


def is_possible():
    """The first version of control groups, and the right to make some."""
    probe = CONTROLLER / f"fanout-{os.getpid()}"
    try:
        probe.mkdir()
        is_usable = (probe / "cpu.cfs_quota_us").exists()
        probe.rmdir()
    except OSError:
        return False
    return is_usable


@contextlib.contextmanager
def narrowed(server, threads):
    """Gives each of a server's network threads, of which there are so many, its share of a core, in a
    control group of its own."""
    groups = []
    try:
        for task in Path(f"/proc/{server.pid}/task").iterdir():
            if (task / "comm").read_text().strip() != NETWORK_THREAD:
                continue
            group = CONTROLLER / f"fanout-{task.name}"
            group.mkdir()
            groups.append(group)
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(int(PERIOD_US * SHARE)))
            (group / "tasks").write_text(task.name)
        assert len(groups) == threads, f"{len(groups)} threads are named {NETWORK_THREAD}, not {threads}"
        yield
    finally:
        server.stop()  # a group with a thread in it can't be removed
        for group in groups:
            group.rmdir()


def measured(start, serve, clients, threads):
    """What so many clients got; None if the measurement failed twice. Then somebody was refused or cut
    off, which is too much. Once it may also be something else that the machine was busy with."""
    for attempt in "first", "second":
        server = start(clients)
        with narrowed(server, threads):
            try:
                return serve(server, clients)
            except RuntimeError as error:
                print(f"fanout: {clients} clients, {attempt} attempt: {error}", file=sys.stderr)
    return None


def carried(start, serve, threads):
    """The most clients that get their frames from so many network threads: `start(clients)` gives a
    server, `serve(server, clients)` what was measured. Goes up by the first step until it is too much,
    then by smaller ones."""

    def is_enough(clients):
        result = measured(start, serve, clients, threads)
        if result is None:
            return False
        median, least = result["frames_per_second_median"], result["frames_per_second_least"]
        return median >= MEDIAN and least >= LEAST

    fits = 0
    while is_enough(fits + STEPS[0]):
        fits += STEPS[0]
    for step in STEPS[1:]:
        if is_enough(fits + step):
            fits += step
    return fits
