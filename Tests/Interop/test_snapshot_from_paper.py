"""What PROTOCOL.md says that a snapshot holds is what it holds, to the last byte: read by a client that
was written from it alone."""

import base64
import json

import pytest
from pitclient import Malformed
from pitclient.packing import unpack
from pitclient.records import HEAD_BYTES, SNAPSHOT, Log
from pitclient.savedpit import PIT, RAIN, read_pit
from pitserver import ROOT, until
from test_host import act, hosted, token_file  # noqa: F401  (two of them are fixtures)
from test_protocol import Client, hello

FRUIT = ROOT / "sets/fruit"
JOINS = json.loads((ROOT / "Tests/SimulationTests/Golden/joins.json").read_text())
BURST = 24


def read(message):
    """What is known of the log, and the world."""
    return Log(message), read_pit(unpack(message[HEAD_BYTES:]))


def message_of(run):
    return bytes([SNAPSHOT]) + base64.b64decode(run["snapshot"])


@pytest.mark.parametrize("run", JOINS, ids=lambda run: str(run["scene"]))
def test_golden_snapshots(run):
    log, pit = read(message_of(run))
    assert pit["scene"] == run["scene"]
    assert (pit["tick"], pit["gravity"]) == (log.tick, log.gravity)
    assert "host" not in pit and "kinds" not in pit
    assert len(pit["stickers"]) == len(pit["animator"]["physics"]["bodies"]) > 0


def test_golden_snapshots_show_hands_flights_and_rain():
    pits = {run["scene"]: read(message_of(run))[1] for run in JOINS}
    assert any(pit["hands"] for pit in pits.values())
    assert any(pit["flights"] for pit in pits.values())
    assert all(pit["animator"]["physics"]["pairs"][1] for pit in pits.values() if pit["scene"] == PIT)
    rain, tick = pits[RAIN]["rules"], pits[RAIN]["tick"]
    assert rain["burstLeft"] < BURST
    assert rain["burstBegan"] <= rain["heard"] <= tick


def test_a_word_more_or_less_is_no_world():
    for run in JOINS:
        world = unpack(message_of(run)[HEAD_BYTES:])
        read_pit(world)
        for other in (world[:-4], world + bytes(4)):
            with pytest.raises(Malformed):
                read_pit(other)


def test_damaged_bytes_are_not_unpacked():
    packed = message_of(JOINS[0])[HEAD_BYTES:]
    for place in (0, 4, 8, len(packed) // 2):
        damaged = bytearray(packed)
        damaged[place] ^= 0x11
        with pytest.raises(Malformed):
            unpack(bytes(damaged))


def joined(pit):
    with Client(pit, hello(stream=1)) as client:
        return read(client.next(SNAPSHOT))


def thousandths(percent):
    """A place in the manifest, from the picture's corner, as one from its middle."""
    return round(10 * percent) - 500


def told(kind):
    """A kind of a manifest as a snapshot tells it."""
    shape = dict(kind["shape"])
    rounding = round(10 * shape.pop("rounding", 0))
    form, sizes = shape.popitem()
    if form == "disc":
        shape = {"disc": round(10 * sizes)}
    elif form == "box":
        shape = {"box": [round(10 * size) for size in sizes], "rounding": rounding}
    else:
        corners = [tuple(map(thousandths, corner)) for corner in sizes]
        shape = {"outline": corners, "rounding": rounding}
    numbers = {name: round(100 * kind[name]) for name in ("density", "friction", "elasticity")}
    return {"size": kind["size"], "shape": shape} | numbers


def test_a_set_is_in_the_snapshot(start_pit):
    kinds = json.loads((FRUIT / "stickers.json").read_text())["stickers"]
    _, pit = joined(start_pit("--stickers", FRUIT, "--bodies", 12))
    assert pit["kinds"] == [told(kind) for kind in kinds]
    assert {item["kind"] for item in pit["animator"]["items"].values()} <= set(range(len(kinds)))


def test_what_the_host_decided_is_in_the_snapshot(hosted):  # noqa: F811
    server = hosted("--bodies", 12, "--stickers", FRUIT)
    act(server, "gravity", percent=150)
    act(server, "limits", bodies=9)

    def host():
        return joined(server)[1].get("host")

    rules = {"isFrozen": False, "frozenTicks": 0, "percent": 150, "mostBodies": 9}
    until(lambda: host() == rules)
    act(server, "freeze")
    log, pit = until(lambda: (now := joined(server))[1]["host"]["frozenTicks"] and now)
    assert pit["host"]["isFrozen"] and "kinds" in pit
    # The log counts on while the scene's own time stands still.
    assert pit["tick"] + pit["host"]["frozenTicks"] == log.tick
