#!/usr/bin/env python3
"""What sharing a world over NATS costs, and how fast it heals, with a real nats-server, real servers and
a client from outside, all on this machine:

- the way of a tilt: from its sending until the record with the gravity that it changed is there, of a
  server alone, of a leader and of an edge, one after the other in each round;
- the cold start of an edge with 1000 stickers: from its start until a client has the world from it;
- how long the world stands still for an edge's client when the leader is killed beside a standby.

Prints JSON and writes the section "Cluster" of BENCHMARKS.md."""

import argparse
import contextlib
import json
import random
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Tests"), str(ROOT / "Tests/Interop"), str(ROOT / "Benchmarks")]

from natsserver import NATSServer  # noqa: E402
from pitclient import messages, records  # noqa: E402
from pitserver import PitServer, until  # noqa: E402
from report import replace_section  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

TICK_MS = 1000 / 60
# Gravity is smoothed: after so many seconds it has come to rest.
SETTLES = 1.5


class Follower:
    """A client that follows the log at 60 Hz."""

    def __init__(self, pit):
        self.socket = connect(
            pit.socket_url, subprotocols=["stickerpit.v1"], legacy=True, ping_timeout=None,
            max_queue=None,
        )  # fmt: skip
        self.socket.send(messages.hello(60, stream="replica"))
        while True:
            message = self.socket.recv()
            if message[0] == records.SNAPSHOT:
                break
        self.log = records.Log(message)

    def until_gravity(self, holds):
        """Reads on until the gravity does what is wanted; the time then."""
        while True:
            message = self.socket.recv()
            if message[0] not in records.RECORDS:
                continue
            if any("gravity" in record for record in self.log.read(message)):
                if holds(self.log.gravity):
                    return time.monotonic()

    def stands_still(self, seconds):
        """The longest time without a record, of so many seconds."""
        ends, last, longest = time.monotonic() + seconds, time.monotonic(), 0
        while time.monotonic() < ends:
            message = self.socket.recv()
            if message[0] in records.RECORDS:
                longest, last = max(longest, time.monotonic() - last), time.monotonic()
        return longest

    def close(self):
        self.socket.close()


def ways(pit, count, chance):
    """Milliseconds from tilts to their effects."""
    client = Follower(pit)
    taken, side = [], 1
    for _ in range(count):
        client.socket.send(messages.command(messages.TILT, side * 600, 600))
        settled = time.monotonic() + SETTLES + chance.random() * TICK_MS / 1000
        while time.monotonic() < settled:
            message = client.socket.recv()
            if message[0] in records.RECORDS:
                client.log.read(message)
        x, _ = client.log.gravity
        side = -side
        began = time.monotonic()
        client.socket.send(messages.command(messages.TILT, side * 600, 600))
        # Towards the other side, whatever the gravity's last digits did of themselves.
        felt = client.until_gravity(lambda now: (now[0] - x) * side > 8)
        taken.append((felt - began) * 1000)
    client.close()
    return taken


def tilts(options, chance):
    """The tilt's way, in turn."""
    way = {"alone": [], "leader": [], "edge": []}
    with servers(["--bodies", 200]) as start:
        alone = PitServer("--bodies", 200)
        pits = {"alone": alone, "leader": start(), "edge": start(part="edge")}
        until(lambda: pits["edge"].health()["tick"] > 60)
        for _ in range(options.rounds):
            for name, pit in pits.items():
                way[name] += ways(pit, options.tilts, chance)
        alone.stop()
    return {name: figures(values) for name, values in way.items()}


def figures(values):
    ordered = sorted(values)
    return {
        "median_ms": round(statistics.median(values), 2),
        "p90_ms": round(ordered[int(0.9 * len(ordered))], 2),
        "count": len(values),
    }


def cold_starts(options):
    """Seconds from starting an edge until a client has a world of 1000 from it."""
    taken = []
    with servers(["--bodies", 1000]) as start:
        leader = start()
        until(lambda: leader.health()["tick"] > 240)
        for _ in range(options.rounds):
            began = time.monotonic()
            edge = start(part="edge")
            client = Follower(edge)
            taken.append(time.monotonic() - began)
            client.close()
            edge.stop()
    return taken


def failovers(options):
    """Seconds that the world stands still for an edge's client when the leader is killed."""
    taken = []
    for _ in range(options.rounds):
        with servers(["--bodies", 200]) as start:
            leader = start()
            edge, standby = start(part="edge"), start("--standby")
            until(lambda: edge.health()["tick"] > 120 and standby.health()["tick"] > 120)
            client = Follower(edge)
            leader.process.kill()
            taken.append(client.stands_still(6))
            client.close()
    return taken


@contextlib.contextmanager
def servers(flags):
    """Starts servers of one world on a nats-server of their own, and ends them."""
    nats = NATSServer()
    started = []

    def start(*more, part="serve"):
        own = [] if part == "edge" else flags
        started.append(PitServer("--nats", nats.url, "--world", "bench", *own, *more, part=part))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.process.kill()
        server.stop()
    nats.stop()


def section(result):
    rows = [
        f"| {name} | {one['median_ms']} ms | {one['p90_ms']} ms "
        f"| {(one['median_ms'] - result['tilt']['alone']['median_ms']) / TICK_MS:+.2f} ticks |"
        for name, one in result["tilt"].items()
    ]
    return "\n".join([
        "## Cluster",
        "",
        "Servers that share a world over Debian's nats-server, and a client from outside, all on one machine",
        "(`make bench-cluster`). *Way of a tilt*: from its sending, right behind a record, until the client has the record with the",
        f"gravity that it changed; {result['tilt']['edge']['count']} each, in turn.",
        "",
        "| server | way of a tilt, median | p90 | added |",
        "|---|---|---|---|",
        *rows,
        "",
        f"An edge's cold start with 1000 stickers, until a client has the world: "
        f"{spread(result['cold_start_s'])}. The world stands still for an edge's client when the leader is "
        f"killed: {spread(result['standstill_s'])} ({len(result['standstill_s'])} rounds, median and extremes).",
    ])  # fmt: skip


def spread(values):
    return f"{statistics.median(values):.2f} s ({min(values):.2f}–{max(values):.2f})"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tilts", type=int, default=8, help="tilts of each server in a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="leave BENCHMARKS.md as it is")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    result = {"tilt": tilts(options, chance)}
    result["cold_start_s"] = [round(one, 3) for one in cold_starts(options)]
    result["standstill_s"] = [round(one, 3) for one in failovers(options)]
    added = result["tilt"]["edge"]["median_ms"] - result["tilt"]["alone"]["median_ms"]
    result["edge_adds_ticks"] = round(added / TICK_MS, 2)
    print(json.dumps(result, indent=1))
    if not options.keep:
        replace_section("cluster", section(result))


if __name__ == "__main__":
    main()
