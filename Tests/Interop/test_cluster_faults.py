"""What goes wrong between servers that share a world: real processes on loopback are killed,
paused, started again and cut off, while bots and onlookers follow the log at the servers that serve
people.

Each test prints its figures as a line of JSON: the longest time without a new tick where nothing
else was wrong, ticks that somebody was shown and that the log does not have, how often onlookers
had to come back, and worlds that were not the log's."""

import json
import signal
import time

import pytest
from lossy import Line
from natslog import NATSClient, SharedLog
from natsserver import NATSCluster, NATSServer
from onlooker import Onlooker, Stalls
from pitserver import PATIENCE, PitServer, until
from test_cluster import LONGEST_STANDSTILL, MACHINE, Bots, Cluster, metrics, role, worlds_agree

pytestmark = pytest.mark.serial

# Seconds that the world may stand still where nothing has to be waited for. It is about a tenth; a
# machine that has other things to do gets more, and each bound is longer by `MACHINE` times what
# this process had to wait for its turn: a tick takes several processes' turns.
UNNOTICED = MACHINE / 4
# Seconds until the servers of a stream agree on another leader when theirs was killed: nats-server
# waits for four to nine, by chance, before one stands for election, and once more if two do. That
# is more than people are promised otherwise, and nats-server has no setting for it.
ELECTION = 2 * 9
BOTS = 2
# Bytes that are sent at once to an edge that does not read.
PIECE = 1 << 19


class World(Cluster):
    """Servers of one world, lines between them and NATS, and who looks on at them."""

    def __init__(self, nats):
        super().__init__(nats)
        self.log = SharedLog(nats)
        self._stalls = Stalls()
        self._lines, self._bots = [], []
        # By their server's port, which it keeps when it is started again: who looks on there, and
        # how many people there are.
        self.onlookers, self._people = {}, {}
        # And the line to NATS, if it has one.
        self._ways = {}

    def line(self, **options):
        self._lines.append(Line(self.nats.port, **options))
        return self._lines[-1]

    def start(self, *flags, part="serve", line=None, port=0):
        url = line.url if line else self.nats.url
        flags = ["--nats", url, "--world", "test", *flags]
        server = PitServer(*flags, part=part, port=port)
        self.servers.append(server)
        self._ways[server.port] = line
        return server

    def start_as_service(self, *flags, **options):
        """Starts it until it runs, as its service would: NATS servers that have yet to agree on who
        leads a new stream may take longer to answer than a server waits."""

        def started():
            try:
                return self.start(*flags, **options)
            except RuntimeError as error:
                assert "NATS at" in str(error), error

        return until(started)

    def edge(self, **options):
        return self.start(part="edge", **options)

    def look_on(self, *servers, bots=BOTS):
        """Has bots and an onlooker follow the log at each of these until the end."""
        for server in servers:
            if bots:
                # They go on until they are told to end: a slow machine takes its time.
                self._bots.append(Bots(server, 1000, count=bots))
            self.onlookers[server.port] = Onlooker(server)
            self._people[server.port] = bots + 1
        until(self.are_all_here)

    @property
    def running(self):
        return [server for server in self.servers if server.process.poll() is None]

    def serve_again(self):
        """Starts again who ended because somebody else leads, as its service would: on a machine
        with too much to do, that may happen to a leader of which nobody heard for a second."""
        ports = {server.port for server in self.running}
        for server in list(self.servers):
            if server.process.poll() == 1 and server.port not in ports:
                self.start("--standby", line=self._ways[server.port], port=server.port)

    def states(self):
        """What the metrics of all say; None unless one and the same leads for all."""
        self.serve_again()
        try:
            states = {server: metrics(server) for server in self.running}
        except OSError:
            # One that leads no more was about to end.
            return None
        terms = {state["epoch"] for state in states.values()}
        leaders = sum(state['role{role="leader"}'] for state in states.values())
        return states if leaders == len(terms) == 1 else None

    def leader(self, standbys=0):
        """Who leads, while so many at least stand by; None if nobody does."""
        states = self.states() or {}
        if sum(state['role{role="standby"}'] for state in states.values()) < standbys:
            return None
        return next((one for one in states if states[one]['role{role="leader"}'] == 1), None)

    def are_all_here(self):
        return all(
            server.health()["people"] == self._people.get(server.port, 0) for server in self.running
        )

    def agrees(self):
        """Whether one leads, all tell the same world of the same tick, and everybody is here."""
        try:
            return self.states() and worlds_agree(*self.running) and self.are_all_here()
        except OSError:
            # One was about to end, or is behind: it lacks the tick, or others have it no more.
            return False

    def end(self, fault, standstill, bound, errors=0, **more):
        """Holds what was shown against the log, prints the figures and `more` of them, and judges
        them. `bound` is how long the world may have stood still, `errors` how many bots may have
        had because their server was gone."""
        until(self.agrees)
        reports = []
        for bots in self._bots:
            bots.process.send_signal(signal.SIGTERM)
            reports.append(bots.report())
        for onlooker in self.onlookers.values():
            onlooker.stop()
        self.log.read()
        states = list(until(self.states).values())
        onlookers = self.onlookers.values()
        figures = {
            "fault": fault,
            "standstill_s": round(standstill, 2),
            "machine_stall_s": round(self._stalls.longest, 2),
            "ticks_lost": sum(one.lost(self.log) + one.changed for one in onlookers),
            "ticks_shown": sum(len(one.records) for one in onlookers),
            "reconnects": sum(one.reconnects for one in onlookers),
            "bot_errors": sum(report["errors"] for report in reports),
            "nats_disconnects": sum(int(state["disconnects_total"]) for state in states),
            "rejoins": sum(int(state["rejoins_total"]) for state in states),
            "mismatches": sum(report["mismatches"] for report in reports)
            + sum(int(state["mismatches_total"]) for state in states),
            "epoch": int(states[0]["epoch"]),
        } | {name: round(value, 2) for name, value in more.items()}
        print("\n" + json.dumps(figures))
        assert standstill < bound + MACHINE * self._stalls.longest, figures
        assert figures["ticks_lost"] == figures["mismatches"] == 0, figures
        assert figures["bot_errors"] <= errors, [report["messages"] for report in reports]
        for report in reports:
            assert report["gaps"] == report["keyframe_requests"] == 0, report
            assert report["hashes_compared"] > 0, report
        assert all(state["malformed_total"] == 0 for state in states)
        return figures

    def stop(self):
        self._stalls.stop()
        for onlooker in self.onlookers.values():
            onlooker.stop()
        for bots in self._bots:
            if bots.process.poll() is None:
                bots.process.kill()
                bots.process.communicate()
        super().stop()
        for line in self._lines:
            line.close()


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


@pytest.fixture
def three():
    servers = NATSCluster()
    yield servers
    servers.stop()


def kill(server):
    server.process.kill()
    server.process.wait(timeout=PATIENCE)


def pass_by(server, ticks):
    """Waits until so many more ticks were shown."""
    server.wait_for_tick(server.health()["tick"] + ticks)


def test_two_of_three_nats_servers_are_enough(three):
    world = World(three)
    streams = ["PIT_test", "PIT_test_WORLDS", "PIT_test_LEADER", "PIT_test_BLOCKS"]

    def is_whole():
        return all(three.leader_of(stream) and three.is_whole(stream) for stream in streams)

    try:
        flags = ["--standby", "--nats-replicas", 3]
        world.start_as_service("--bodies", 60, *flags)
        world.start_as_service(*flags)
        edge = world.start_as_service(part="edge")
        world.look_on(edge)
        standstills = {}
        for how in "ended", "killed":
            until(is_whole)
            gone = until(lambda: three.leader_of("PIT_test"))
            since = time.monotonic()
            gone.end() if how == "ended" else gone.kill()
            pass_by(edge, 60)
            standstills[how] = world.onlookers[edge.port].standstill(since)
            gone.start()
        until(is_whole)
        # One that ends in order gives what it leads to the others.
        assert standstills["ended"] < LONGEST_STANDSTILL * MACHINE, standstills
        world.end(
            "one NATS server of three killed", standstills["killed"], MACHINE + ELECTION,
            ended_standstill_s=standstills["ended"],
        )  # fmt: skip
    finally:
        world.stop()


def test_nats_and_the_leader_are_gone_at_once(world, nats):
    leader = world.start("--bodies", 60)
    standby, edge = world.start("--standby"), world.edge()
    world.look_on(edge, standby)
    pass_by(edge, 30)
    nats.kill()
    kill(leader)
    until(lambda: metrics(edge)["connected"] == metrics(standby)["connected"] == 0)
    nats.start()
    since = time.monotonic()
    until(lambda: role(standby) == "leader")
    pass_by(edge, 30)
    standstill = world.onlookers[edge.port].standstill(since)
    world.end("NATS and the leader killed", standstill, LONGEST_STANDSTILL * MACHINE)


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
    figures = world.end("leaders killed", max(standstills), LONGEST_STANDSTILL * MACHINE)
    # Nobody was sent away from the edge.
    assert figures["epoch"] >= 3 and figures["reconnects"] == 0


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
    world.end(f"leader cut off: {how}", standstill, LONGEST_STANDSTILL * MACHINE)


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
