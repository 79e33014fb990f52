"""The log of the world, read by a client that has no world of its own."""

import random
import struct

import pytest
from pitclient import Malformed, messages
from pitclient.records import RECORDS, SNAPSHOT, Log
from pitserver import PATIENCE, until
from websockets.sync.client import connect

DOWN = struct.pack("<BIhhhhH", SNAPSHOT, 7, 0, 16384, 0, 16384, 0) + b"a world"


class Follower:
    """A client of the replica stream."""

    def __init__(self, pit, rate=60, token=b"", known_tick=None, log=None):
        self.socket = connect(
            pit.socket_url, subprotocols=["stickerpit.v1"], legacy=True, open_timeout=PATIENCE,
            ping_timeout=None, max_size=messages.SERVER_LIMIT,
        )
        hello = messages.hello(rate=rate, token=token, stream="replica", known_tick=known_tick)
        self.socket.send(hello)
        welcome = messages.decode_server(self._next(lambda type: type == messages.WELCOME))
        self.id, self.token = welcome["clientID"], bytes.fromhex(welcome["token"])
        # Whoever has the world goes on with the log that it has.
        self.snapshot = None if log else self._next(lambda type: type == SNAPSHOT)
        self.log = log or Log(self.snapshot)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _next(self, is_wanted):
        while True:
            message = self.socket.recv(timeout=PATIENCE)
            # No frames and no events: what follows the log sees for itself.
            assert message[0] < 0xC0 and message[0] not in (0x82, 0x83, 0x88, messages.EVENTS)
            if is_wanted(message[0]):
                return message

    def records(self):
        return self.log.read(self._next(lambda type: type in RECORDS))

    def until(self, is_wanted):
        """Every record up to the first one that is wanted."""
        seen = []
        while True:
            for record in self.records():
                seen.append(record)
                if is_wanted(record):
                    return seen


def test_the_documents_example():
    log = Log(DOWN)
    records = log.read(bytes.fromhex("90 91 29 f8 91 04 92 61 d0 00 40 0b 20 03 06"))
    assert [record["tick"] for record in records] == [8, 9, 10, 11]
    assert records[1]["gravity"] == (10, 16380) and records[2]["gravity"] == (21, 16376)
    drop = dict(case="drop", client=3, sequence=20, kind=6, x=2880, y=800)
    assert records[3]["commands"] == [drop]


def test_any_bytes_are_records_or_malformed():
    chance = random.Random(5)
    for _ in range(20_000):
        bytes_ = bytes([chance.choice(RECORDS)]) + chance.randbytes(chance.randrange(30))
        try:
            Log(DOWN).read(bytes_)
        except Malformed:
            pass


def assert_each_once(records):
    """Whoever reads counts the ticks; the server's hashes come in every thirtieth."""
    hashed = [record["tick"] for record in records if "hash" in record]
    assert hashed and hashed == [r["tick"] for r in records if r["tick"] % 30 == 0]


def test_every_tick_is_in_the_log_once(pit):
    with Follower(pit) as follower:
        first = follower.log.tick
        seen = []
        while len(seen) < 150:
            seen += follower.records()
        assert [record["tick"] for record in seen] == list(range(first + 1, first + 1 + len(seen)))
        assert_each_once(seen)


def test_what_somebody_does_is_in_the_log_for_everybody(start_pit):
    pit = start_pit("--bodies", 5)
    with Follower(pit) as one, Follower(pit, rate=10) as other:
        one.socket.send(messages.command(messages.DROP, 6, 2880, 800))
        # Nobody holds slot 3: a refusal is in the log as well.
        one.socket.send(messages.command(messages.RELEASE, 3, 0, 0))
        one.socket.send(messages.command(messages.TILT, -16384, 0))

        def given(record):
            return [c for c in record["commands"] if c["client"] == one.id]

        for follower in (one, other):
            seen = []
            while sum(len(given(record)) for record in seen) < 2:
                seen += follower.records()
            drop, release = [command for record in seen for command in given(record)]
            assert (drop["case"], drop["kind"], drop["x"], drop["y"]) == ("drop", 6, 2880, 800)
            assert release["case"] == "release" and release["sequence"] == drop["sequence"] + 1
            follower.until(lambda record: record.get("gravity", (0, 0))[0] < -8000)
        assert pit.health()["bodies"] == 6


def test_the_gravity_is_the_worlds(pit):
    with Follower(pit) as follower:
        for step in range(40):
            follower.socket.send(messages.command(messages.TILT, 400 * step, 16000 - 300 * step))
            follower.records()
        tick = follower.log.tick
        until(lambda: pit.health()["tick"] >= tick)
        world = pit.ask(f"/api/world?tick={tick}")
        assert tuple(world["gravity"]) == follower.log.gravity


def test_a_request_brings_another_snapshot(pit):
    with Follower(pit) as follower:
        follower.records()
        follower.socket.send(messages.stream(60, "strict", "replica"))
        again = Log(follower._next(lambda type: type == SNAPSHOT))
        assert again.tick > follower.log.tick - 1
        follower.log = again
        assert len(follower.records()) >= 1


def test_the_log_goes_on_at_another_rate(pit):
    with Follower(pit) as follower:
        follower.socket.send(messages.stream(10, "strict", "replica"))
        while len(follower.records()) < 6:
            pass
        seen = [record for _ in range(10) for record in follower.records()]
        assert_each_once(seen)


def test_who_comes_back_with_a_world_gets_the_records_since(pit):
    with Follower(pit) as first:
        token = first.token
        tick = first.records()[-1]["tick"]
    pit.wait_for_tick(tick + 60)
    with Follower(pit, token=token, known_tick=tick, log=first.log) as again:
        assert again.id == first.id and again.snapshot is None
        records = again.records()
        assert len(records) >= 60
        assert_each_once(records)
    # And one who names a tick that is too old, or a person that nobody knows, a snapshot.
    for other, known in ((token, (tick - 10_000) % 2**32), (bytes(16), tick)):
        with Follower(pit, token=other, known_tick=known) as stranger:
            assert stranger.log.tick > tick


@pytest.mark.parametrize("rate", [30, 20, 10])
def test_a_lower_rate_brings_the_same_records_later(pit, rate):
    with Follower(pit) as fast, Follower(pit, rate=rate) as slow:
        slow.records()
        runs = [slow.records() for _ in range(10)]
        assert sum(map(len, runs)) >= 10 * (60 // rate)
        wanted = {record["tick"]: record for run in runs for record in run}
        last = max(wanted)
        theirs = {record["tick"]: record for record in fast.until(lambda r: r["tick"] == last)}
        shared = wanted.keys() & theirs.keys()
        assert shared and all(wanted[tick] == theirs[tick] for tick in shared)
