"""An edge seen from outside: what it serves, what it refuses, how soon it is there, and how much of it
NATS hears."""

import gzip
import json
import struct
import time
import urllib.request

import pytest
from flood import flood
from natslog import NATSClient
from onlooker import Onlooker, Stalls
from pitserver import PATIENCE, ROOT, PitServer, until
from sharedworld import pass_by
from test_cluster import MACHINE, Bots, metrics
from test_cluster_faults import nats, world  # noqa: F401
from test_protocol import DROP, WELCOME, Client, hello
from websockets.exceptions import InvalidStatus

pytestmark = [pytest.mark.serial, pytest.mark.long]

# Seconds until an edge's first client has a world of 1000 stickers: half of it is promised. It is a
# quarter on an idle machine, and longer by `MACHINE` times what this process had to wait for its turn.
COLD_START = 2


def page(server, path, **headers):
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return dict(answer.headers), answer.read()


@pytest.mark.parametrize("path, file", [("/", "pinned.html"), ("/pit.wasm", "pit.wasm")])
def test_it_serves_the_page(world, path, file):  # noqa: F811
    leader, edge = world.start("--bodies", 10), world.edge()
    content = (ROOT / "web" / file).read_bytes()
    headers, body = page(edge, path)
    assert body == content and "default-src" in headers["Content-Security-Policy"]
    packed, body = page(edge, path, **{"Accept-Encoding": "gzip"})
    if packed.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    assert body == content
    # As the leader does.
    of_leader, _ = page(leader, path)
    for name in "Content-Type", "ETag", "Cache-Control":
        assert headers[name] == of_leader[name]


def test_it_tells_all_metrics_of_a_server(world):  # noqa: F811
    leader, edge = world.start("--bodies", 10), world.edge()
    bots = [Bots(server, 4, count=3) for server in (leader, edge)]
    until(lambda: leader.health()["people"] == edge.health()["people"] == 3)
    pass_by(edge, 60)
    told = []
    for server in leader, edge:
        lines = page(server, "/metrics")[1].decode().splitlines()
        values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        told.append({name: float(value) for name, value in values.items()})
    names = [{name.split("{")[0] for name in each} for each in told]
    assert names[0] == names[1]
    of_edge = told[1]
    assert of_edge["stickerpit_people"] == 3
    assert of_edge["stickerpit_ticks_total"] > 60
    assert sum(v for n, v in of_edge.items() if n.startswith("stickerpit_sent_bytes")) > 0
    for each in bots:
        assert each.report()["errors"] == 0


def test_its_limits_hold_for_its_own_people(world):  # noqa: F811
    world.start("--bodies", 10)
    edge = world.start("--limit", "connections-per-address=3", part="edge")
    with Client(edge) as first, Client(edge) as flooding, Client(edge):
        with pytest.raises(InvalidStatus) as refused:
            Client(edge)
        assert refused.value.response.status_code == 429
        for client in first, flooding:
            client.next(WELCOME)
        flood(flooding.socket, [struct.pack("<BBhh", DROP, 0, 800, 800)] * 50)
        code, reason = flooding.closing()
        assert code == 1008 and "commands" in reason
        # The others play on.
        first.frames(10)
    said = hello()
    with Client(edge, said=said + bytes(200)) as too_long:
        assert too_long.closing()[0] == 1009


def test_it_sends_one_message_of_inputs_a_tick_at_most(world, nats):  # noqa: F811
    world.start("--bodies", 60)
    edges = [world.edge(), world.edge()]
    bots = [Bots(edge, 1000, count=12) for edge in edges]
    until(lambda: all(edge.health()["people"] == 12 for edge in edges))
    pass_by(edges[0], 60)
    stalls = Stalls()
    try:
        with NATSClient(nats.port) as ears:
            ears.listen("pit.test.inputs")
            first = max(world.log.read().records)
            pass_by(edges[0], 300)
            heard = ears.heard()
            ticks = max(world.log.read().records) - first
    finally:
        stalls.stop()
        for each in bots:
            each.process.terminate()
            assert each.report()["errors"] == 0
    numbers, inputs, repeated = {}, {}, 0
    for message in heard:
        version, member, number, _, count = struct.unpack_from("<BIIBH", message)
        assert version == 2
        repeated += number in numbers.setdefault(member, set())
        numbers[member].add(number)
        inputs[member] = inputs.get(member, 0) + count
    told = {
        "ticks": ticks, "messages": [len(each) for each in numbers.values()],
        "inputs": list(inputs.values()), "repeated": repeated,
        "machine_stall_s": round(stalls.longest, 2),
    }  # fmt: skip
    print("\n" + json.dumps(told))
    assert len(numbers) == 2, told
    for member, own in numbers.items():
        # What was under way when this began may be one more.
        assert ticks / 2 < len(own) <= ticks + 1, told
        # One message has what several people did.
        assert inputs[member] > 2 * len(own), told
    assert repeated <= sum(metrics(edge)["repeated_inputs_total"] for edge in edges), told


def test_it_is_there_at_once(world):  # noqa: F811
    world.start("--bodies", 1000)
    # The worst case but for a slow disk: a world was kept, and some seconds of the log are behind it.
    until(lambda: world.log.newest_world() > 0)
    stalls, taken = Stalls(), []
    for _ in range(3):
        began = time.monotonic()
        edge = PitServer("--nats", world.nats.url, "--world", "test", part="edge")
        onlooker = Onlooker(edge)
        taken.append(round(time.monotonic() - began, 2))
        onlooker.stop()
        assert edge.stop() == 0
        time.sleep(1)
    stalls.stop()
    print("\n" + json.dumps({"cold_start_s": taken, "machine_stall_s": round(stalls.longest, 2)}))
    assert min(taken) < COLD_START + MACHINE * stalls.longest, taken
