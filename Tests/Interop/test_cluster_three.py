"""Three NATS servers keep the log of a world: one of them may fail, also together with the leader; with
two of them gone the world stands still until one is back."""

import time
from urllib.error import HTTPError

import pytest
from natsserver import NATSCluster
from pitserver import until
from sharedworld import World, kill, pass_by, stands_at
from test_cluster import LONGEST_STANDSTILL, MACHINE, metrics, role

pytestmark = [pytest.mark.serial, pytest.mark.long]

# Seconds until the servers of a stream agree on another leader when theirs was killed: nats-server
# waits for four to nine, by chance, before one stands for election, and once more if two do. That
# is more than people are promised otherwise, and nats-server has no setting for it.
ELECTION = 2 * 9
STREAMS = ["PIT_test", "PIT_test_WORLDS", "PIT_test_LEADER", "PIT_test_BLOCKS"]
FLAGS = ["--standby", "--nats-replicas", 3]


@pytest.fixture
def three():
    servers = NATSCluster()
    yield servers
    servers.stop()


@pytest.fixture
def world(three):
    servers = World(three)
    yield servers
    servers.stop()


@pytest.fixture
def edge(world, three):
    """Two servers that may lead, and an edge where people are, once all three have everything."""
    world.start_as_service("--bodies", 60, *FLAGS)
    world.start_as_service(*FLAGS)
    edge = world.start_as_service(part="edge")
    world.look_on(edge)
    until(lambda: is_whole(three))
    return edge


def is_whole(three):
    return all(three.leader_of(stream) and three.is_whole(stream) for stream in STREAMS)


def test_two_of_three_nats_servers_are_enough(world, three, edge):
    standstills = {}
    for how in "ended", "killed":
        until(lambda: is_whole(three))
        gone = until(lambda: three.leader_of("PIT_test"))
        since = time.monotonic()
        gone.end() if how == "ended" else gone.kill()
        pass_by(edge, 60)
        standstills[how] = world.onlookers[edge.port].standstill(since)
        gone.start()
    until(lambda: is_whole(three))
    # One that ends in order gives what it leads to the others.
    assert standstills["ended"] < LONGEST_STANDSTILL * MACHINE, standstills
    world.end(
        "one NATS server of three killed", standstills["killed"], MACHINE + ELECTION,
        ended_standstill_s=standstills["ended"],
    )  # fmt: skip


def test_the_leaders_machine_is_gone_and_a_nats_server_with_it(world, three, edge):
    leader = until(lambda: world.leader(standbys=1))
    (standby,) = (each for each in world.running if each not in (leader, edge))
    gone = until(lambda: three.leader_of("PIT_test"))
    since = time.monotonic()
    gone.kill()
    kill(leader)
    until(lambda: role(standby) == "leader")
    pass_by(edge, 60)
    standstill = world.onlookers[edge.port].standstill(since)
    gone.start()
    world.start_as_service(*FLAGS, port=leader.port)
    until(lambda: is_whole(three))
    figures = world.end("the leader's machine, with NATS", standstill, MACHINE + ELECTION)
    assert figures["epoch"] >= 2 and figures["reconnects"] == 0


def test_with_two_of_three_nats_servers_gone_the_world_waits(world, three, edge):
    leader = until(world.leader)
    gone = three.servers[:2]
    for server in gone:
        server.kill()
    held = until(lambda: stands_at(edge))
    time.sleep(ELECTION / 2)
    # One alone decides nothing, however long it waits.
    assert edge.health()["tick"] == held
    # What the guide says of it.
    assert metrics(leader)["waiting_ticks"] == 30
    for server in leader, edge:
        with pytest.raises(HTTPError, match="503"):
            server.ask("/readyz")
    since = time.monotonic()
    gone[0].start()
    resumed = world.resumes(edge, held, since)
    pass_by(edge, 60)
    gone[1].start()
    until(lambda: is_whole(three))
    figures = world.end("two NATS servers of three killed", resumed, MACHINE + ELECTION)
    assert figures["reconnects"] == 0
