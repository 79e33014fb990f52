"""What goes wrong between servers that share a world: real processes on loopback are killed,
paused, started again and cut off, while bots and onlookers follow the log at the servers that serve
people.

Each test prints its figures as a line of JSON: the longest time without a new tick where nothing
else was wrong, ticks that somebody was shown and that the log does not have, how often onlookers
had to come back, and worlds that were not the log's."""

import signal
import time

import pytest
from natslog import NATSClient
from natsserver import NATSServer
from pitserver import PATIENCE, until
from sharedworld import BOTS, World, kill, pass_by, stands_at
from test_cluster import LONGEST_STANDSTILL, MACHINE, metrics, role

pytestmark = [pytest.mark.serial, pytest.mark.long]

# Seconds that the world may stand still where nothing has to be waited for. It is about a tenth; a
# machine that has other things to do gets more, and each bound is longer by `MACHINE` times what
# this process had to wait for its turn: a tick takes several processes' turns.
UNNOTICED = MACHINE / 4
# Bytes that are sent at once to an edge that does not read.
PIECE = 1 << 19
# Seconds for which a leader, and an edge, stand still as a whole.
FROZEN, PAUSED = 10, 7


@pytest.fixture
def nats():
    server = NATSServer()
    yield server
    server.stop()


@pytest.fixture
def world(nats):
    servers = World(nats)
    yield servers
    servers.stop()


def test_nats_is_started_again(world, nats):
    leader, edge = world.start("--bodies", 60), world.edge()
    world.look_on(leader, edge)
    pass_by(edge, 30)
    nats.kill()
    # From then on nothing comes that was on its way.
    until(lambda: metrics(leader)["connected"] == metrics(edge)["connected"] == 0)
    held = until(lambda: stands_at(leader))
    assert edge.health()["tick"] <= held
    since = time.monotonic()
    nats.start()
    resumed = world.resumes(edge, held, since)
    pass_by(edge, 60)
    figures = world.end("NATS is started again", resumed, LONGEST_STANDSTILL)
    # Each lost it once, and nobody was sent away.
    assert figures["nats_disconnects"] >= 2 and figures["reconnects"] == 0
    assert figures["epoch"] == 1


def test_nats_and_the_leader_are_gone_at_once(world, nats):
    leader = world.start("--bodies", 60)
    standby, edge = world.start("--standby"), world.edge()
    world.look_on(edge, standby)
    pass_by(edge, 30)
    nats.kill()
    kill(leader)
    until(lambda: metrics(edge)["connected"] == metrics(standby)["connected"] == 0)
    held = until(lambda: stands_at(edge))
    since = time.monotonic()
    nats.start()
    resumed = world.resumes(edge, held, since)
    assert role(standby) == "leader"
    pass_by(edge, 30)
    world.end("NATS and the leader killed", resumed, LONGEST_STANDSTILL)


def test_those_that_may_lead_take_turns(world):
    world.start("--bodies", 60, "--standby")
    world.start("--standby")
    edge = world.edge()
    world.look_on(edge)
    standstills = []
    for _ in range(2):
        leader = until(lambda: world.leader(standbys=1))
        since = time.monotonic()
        kill(leader)
        world.start("--standby", port=leader.port)
        pass_by(edge, 30)
        standstills.append(world.onlookers[edge.port].standstill(since))
    figures = world.end("leaders killed", max(standstills), LONGEST_STANDSTILL)
    # Nobody was sent away from the edge.
    assert figures["epoch"] >= 3 and figures["reconnects"] == 0


def test_a_leader_that_was_frozen_for_long_comes_back(world):
    leader = world.start("--bodies", 60)
    standby, edge = world.start("--standby"), world.edge()
    world.look_on(edge, standby)
    # What it shows to its own clients when it is back counts as well.
    world.look_on(leader, bots=0)
    pass_by(edge, 30)
    since = time.monotonic()
    leader.process.send_signal(signal.SIGSTOP)
    until(lambda: role(standby) == "leader")
    pass_by(edge, 30)
    standstill = world.onlookers[edge.port].standstill(since)
    time.sleep(max(0, since + FROZEN - time.monotonic()))
    frozen = time.monotonic() - since
    assert leader.process.poll() is None and role(standby) == "leader"
    leader.process.send_signal(signal.SIGCONT)
    # It is told that it leads no more, ends, and is started again as its service would.
    assert leader.process.wait(PATIENCE) == 1
    until(lambda: "another server runs the world" in "".join(leader.lines))
    world.start("--standby", port=leader.port)
    figures = world.end("leader frozen", standstill, LONGEST_STANDSTILL, frozen_s=frozen)
    assert figures["epoch"] == 2


def test_a_leader_that_is_started_again_goes_on(world):
    leader, edge = world.start("--bodies", 60), world.edge()
    world.look_on(edge)
    pass_by(edge, 60)
    since = time.monotonic()
    kill(leader)
    world.start(port=leader.port)
    pass_by(edge, 30)
    standstill = world.onlookers[edge.port].standstill(since)
    figures = world.end("the only leader is started again", standstill, LONGEST_STANDSTILL)
    assert figures["epoch"] == 2 and figures["reconnects"] == 0


def test_a_paused_edge_holds_nobody_up(world):
    world.start("--bodies", 60)
    paused, edge = world.edge(), world.edge()
    world.look_on(edge)
    pass_by(edge, 30)
    since = time.monotonic()
    paused.process.send_signal(signal.SIGSTOP)
    time.sleep(PAUSED)
    standstill = world.onlookers[edge.port].standstill(since)
    paused.process.send_signal(signal.SIGCONT)
    back = time.monotonic()
    until(lambda: abs(paused.health()["tick"] - edge.health()["tick"]) < 30)
    behind = time.monotonic() - back
    figures = world.end("an edge is paused", standstill, UNNOTICED, catching_up_s=behind)
    assert figures["reconnects"] == 0 and figures["epoch"] == 1


@pytest.mark.parametrize("how", ["silent", "deaf", "refused"])
def test_a_leader_that_is_cut_off_is_replaced(world, how):
    line = world.line()
    leader = world.start("--bodies", 60, line=line)
    standby, edge = world.start("--standby"), world.edge()
    world.look_on(edge)
    # What it shows to its own clients counts as well.
    world.look_on(leader, bots=0)
    pass_by(edge, 30)
    since = time.monotonic()
    if how == "silent":
        line.hold()
    elif how == "deaf":
        # What it says is heard, so its tick may be stored; it is not told.
        line.hold(to_nats=False)
    else:
        line.refuse()
    until(lambda: role(standby) == "leader")
    pass_by(edge, 30)
    standstill = world.onlookers[edge.port].standstill(since)
    if how == "silent":
        # It gives the connection up, and what it wrote on it is gone.
        until(lambda: leader.process.poll() is not None or metrics(leader)["connected"] == 0)
    line.go_on()
    line.admit()
    # It is told that it leads no more, ends, and is started again as its service would.
    assert leader.process.wait(PATIENCE) == 1
    until(lambda: "another server runs the world" in "".join(leader.lines))
    world.start("--standby", line=line, port=leader.port)
    world.end(f"leader cut off: {how}", standstill, LONGEST_STANDSTILL)


def test_a_bad_line_is_its_own_edges_trouble(world):
    line = world.line()
    world.start("--bodies", 60)
    beyond, edge = world.edge(line=line), world.edge()
    # So late is a line to another continent, and a bad one at that.
    line.late(0.08, jitter=0.04)
    world.look_on(beyond, edge)
    since = time.monotonic()
    pass_by(beyond, 60)
    # What is held for less than it takes to give the connection up comes late, and all at once.
    line.hold()
    pass_by(edge, 60)
    line.go_on()
    pass_by(beyond, 60)
    # What is held for longer, and what is cut, costs the connection.
    for number, (begin, finish) in enumerate(
        [(line.hold, line.go_on), (line.refuse, line.admit), (line.cut, line.go_on)]
    ):
        begin()
        until(lambda: metrics(beyond)["disconnects_total"] > number)
        finish()
        pass_by(beyond, 30)
    standstill = world.onlookers[edge.port].standstill(since)
    behind = world.onlookers[beyond.port].standstill(since)
    figures = world.end("an edge's bad line", standstill, UNNOTICED, standstill_there_s=behind)
    # Whatever its line does, an edge keeps its people, and catches up by what it asks of the log.
    assert figures["reconnects"] == figures["rejoins"] == 0 and figures["epoch"] == 1


def inboxes(nats):
    """Where members are sent answers, as NATS knows it."""
    connections = nats.tells("connz?subs=1")["connections"]
    subjects = (one for each in connections for one in each.get("subscriptions_list", []))
    return {subject for subject in subjects if subject.endswith(".*.*")}


def test_a_slow_edge_is_cut_off_and_comes_back_by_a_snapshot(world, nats):
    world.start("--bodies", 60)
    edge = world.edge()
    others = inboxes(nats)
    slow = world.edge()
    (inbox,) = inboxes(nats) - others
    world.look_on(edge, slow)
    pass_by(edge, 30)
    since = time.monotonic()
    slow.process.send_signal(signal.SIGSTOP)
    missed = world.log.read().last

    def is_cut_off():
        # The log takes minutes to fill the kernel's buffers: what this edge alone is sent, and does
        # not know, fills them at once.
        with NATSClient(nats.port) as client:
            client.publish(inbox.replace("*", "nothing"), bytes(PIECE))
        return inbox not in inboxes(nats)

    until(is_cut_off)
    # Meanwhile another world is kept.
    until(lambda: world.log.newest_world() > missed)
    standstill = world.onlookers[edge.port].standstill(since)
    # As if it had been away for ten minutes: what it missed is not there any more.
    world.log.read()
    world.log.forget(world.log.newest_world())
    slow.process.send_signal(signal.SIGCONT)
    until(lambda: metrics(slow)["rejoins_total"] >= 1)
    # Who answered nothing for so long may have to send its people away.
    figures = world.end("a slow edge", standstill, UNNOTICED, errors=BOTS)
    assert nats.tells("varz")["slow_consumers"] >= 1 and figures["epoch"] == 1


def test_edges_are_killed_and_started_again(world):
    world.start("--bodies", 60)
    edges = [world.edge(), world.edge()]
    world.look_on(*edges)
    standstills, seconds = [], 0
    for place, other in (0, 1), (1, 0):
        port = edges[place].port
        # Who came back has been shown the world again: what it missed before does not count.
        tick, looking = edges[other].health()["tick"], world.onlookers[edges[other].port]
        until(lambda: looking.newest >= tick)
        since = time.monotonic()
        kill(edges[place])
        pass_by(edges[other], 30)
        edges[place] = world.edge(port=port)
        until(world.are_all_here)
        seconds += time.monotonic() - since
        standstills.append(looking.standstill(since))
    # Each bot says once a kill that its connection broke, and each second that nobody is there.
    errors = BOTS * (2 + int(seconds))
    figures = world.end("edges killed", max(standstills), UNNOTICED, errors, away_s=seconds)
    assert figures["reconnects"] == 2 and figures["rejoins"] == 0 and figures["epoch"] == 1


def test_a_leader_far_from_nats_goes_on_more_slowly(world):
    line = world.line()
    leader = world.start("--bodies", 60, line=line)
    edge = world.edge()
    world.look_on(edge)
    since = time.monotonic()
    pass_by(edge, 60)
    line.late(0.03, jitter=0.03)
    began, tick = time.monotonic(), edge.health()["tick"]
    pass_by(edge, 24)
    seconds = time.monotonic() - began
    rate = (edge.health()["tick"] - tick) / seconds
    line.late(0)
    pass_by(edge, 30)
    standstill = world.onlookers[edge.port].standstill(since)
    figures = world.end("the leader's line is late", standstill, UNNOTICED, ticks_per_s=rate)
    # One tick is under way at a time, for 60 to 120 ms. It leads all the time: its claim is renewed
    # in time, and what it sends twice stands in the log once.
    assert rate < 1 / 0.06 and figures["epoch"] == 1
    assert metrics(leader)["ticks_held_total"] > 0
