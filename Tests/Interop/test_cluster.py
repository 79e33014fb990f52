"""Servers that share a world over a real nats-server: leader, standby and edges, and what happens to
them. What can be simulated is in ServerTests/Cluster; here are real processes, sockets and files."""

import json
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from natsserver import NATSServer
from onlooker import Stalls
from pitserver import PATIENCE, ROOT, STICKERPIT, PitServer, until

pytestmark = pytest.mark.serial

# Seconds that the world may stand still when its leader is gone, as people are promised. A machine that
# has other things to do gets `MACHINE` times more than this process had to wait for its turn there: it
# takes several processes' turns until another one leads. On an idle machine that is a hundredth.
LONGEST_STANDSTILL = 2
MACHINE = 4


@pytest.fixture
def nats():
    server = NATSServer()
    yield server
    server.stop()


class Cluster:
    """Servers of one world; all that are still there are stopped at the end."""

    def __init__(self, nats):
        self.nats = nats
        self.flags = ["--nats", nats.url, "--world", "test"]
        self.servers = []

    def start(self, *flags, part="serve"):
        self.servers.append(PitServer(*self.flags, *flags, part=part))
        return self.servers[-1]

    def stop(self):
        for server in self.servers:
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.process.kill()
            server.stop()


@pytest.fixture
def cluster(nats):
    servers = Cluster(nats)
    yield servers
    servers.stop()


def metrics(server):
    """What /metrics says of the cluster, by name and labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=PATIENCE) as page:
        lines = page.read().decode().splitlines()
    prefix = "stickerpit_cluster_"
    return {
        name.removeprefix(prefix): float(value)
        for name, value in (line.rsplit(" ", 1) for line in lines if line.startswith(prefix))
    }


def role(server):
    return next(
        name.split('"')[1] for name, value in metrics(server).items()
        if name.startswith("role{") and value == 1
    )  # fmt: skip


class Bots:
    """Bots that compare every hash of the log, under way."""

    def __init__(self, server, seconds, count=4, stream="replica"):
        self.process = subprocess.Popen(
            [STICKERPIT, "bots", "--url", server.socket_url, "--count", str(count), "--seconds",
             str(seconds), "--stream", stream, "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def report(self):
        out, err = self.process.communicate(timeout=PATIENCE)
        assert out, err
        return json.loads(out)


class Watch:
    """Looks at a server's tick all the time: how long the world stood still, as its clients see it,
    and how long this machine let everybody wait meanwhile."""

    def __init__(self, server):
        self.server = server
        self.longest = 0
        self._stalls = Stalls()
        self._tick = server.health()["tick"]
        self._since = time.monotonic()

    def look(self, seconds):
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            tick = self.server.health()["tick"]
            now = time.monotonic()
            assert tick >= self._tick, "a tick that was shown is gone"
            if tick > self._tick:
                self.longest = max(self.longest, now - self._since)
                self._tick, self._since = tick, now
            time.sleep(0.01)
        self.longest = max(self.longest, time.monotonic() - self._since)
        return self.longest

    def look_until(self, condition):
        """Looks until a condition holds."""

        def holds():
            self.look(0.25)
            return condition()

        until(holds)

    def stop(self):
        """How much longer than on an idle machine the world may have stood still, in seconds."""
        self._stalls.stop()
        return MACHINE * self._stalls.longest


def worlds_agree(*servers):
    """Whether all tell the same world of the same tick. One that is not there yet, or that has the
    tick no more, is asked again."""
    tick = min(server.health()["tick"] for server in servers) - 5
    try:
        worlds = [server.ask(f"/api/world?tick={tick}") for server in servers]
    except urllib.error.HTTPError:
        return False
    return all(world == worlds[0] for world in worlds)


def test_an_edge_is_a_whole_server(cluster):
    leader = cluster.start("--bodies", 60)
    began = time.monotonic()
    edges = [cluster.start(part="edge"), cluster.start(part="edge")]
    until(lambda: all(edge.health()["tick"] > 0 for edge in edges))
    print(f"two edges showed the world after {time.monotonic() - began:.2f} s")
    bots = [Bots(server, 5) for server in [leader, *edges]] + [Bots(edges[0], 5, stream="state")]
    for report in (bot.report() for bot in bots):
        assert report["errors"] == 0 and report["mismatches"] == 0 and report["gaps"] == 0, report
        assert report["frames"] > 60
    until(lambda: worlds_agree(leader, *edges))
    # What was dropped at the edges is in everybody's world.
    assert edges[1].world()["bodies"] and len(edges[1].world()["bodies"]) > 60
    assert (role(leader), role(edges[0]), role(edges[1])) == ("leader", "edge", "edge")
    for edge in edges:
        until(lambda edge=edge: metrics(edge)["members"] == 3)
        seen = metrics(edge)
        assert seen["mismatches_total"] == 0 and seen["malformed_total"] == 0
        assert seen["rejoins_total"] == 0
    for server in [*edges, leader]:
        assert server.stop() == 0


def test_the_document_lists_every_metric(cluster):
    leader = cluster.start()
    told = {name.split("{")[0] for name in metrics(leader)}
    text = (ROOT / "METRICS.md").read_text(encoding="utf-8")
    assert told == set(re.findall(r"^\| `stickerpit_cluster_(\w+)`", text, re.MULTILINE))


def test_people_are_counted_in_all(cluster, stickerpit):
    leader = cluster.start()
    edge = cluster.start(part="edge")
    here, there = Bots(leader, 6, count=3), Bots(edge, 6, count=2)
    until(lambda: leader.health()["people"] == 3 and edge.health()["people"] == 2)
    until(lambda: leader.health()["cluster"]["people"] == edge.health()["cluster"]["people"] == 5)
    assert here.report()["errors"] == 0 and there.report()["errors"] == 0


@pytest.mark.parametrize("how", ["killed", "frozen"])
def test_a_standby_takes_over(cluster, how):
    leader = cluster.start("--bodies", 60)
    edge = cluster.start(part="edge")
    standby = cluster.start("--standby")
    until(lambda: role(standby) == "standby" and edge.health()["tick"] > 60)
    time.sleep(1)
    bots = [Bots(edge, 14), Bots(standby, 14)]
    until(lambda: edge.health()["people"] == 4 and standby.health()["people"] == 4)
    watch = Watch(edge)
    watch.look(1)
    leader.process.send_signal(signal.SIGKILL if how == "killed" else signal.SIGSTOP)
    tick = edge.health()["tick"]
    watch.look_until(lambda: role(standby) == "leader" and edge.health()["tick"] > tick + 120)
    standstill, stalled = watch.longest, watch.stop()
    print(f"leader {how}: the world stood still for {standstill:.2f} s (machine {stalled:.2f} s)")
    assert standstill < LONGEST_STANDSTILL + stalled
    if how == "frozen":
        # It comes back, finds out that it leads no more, and ends.
        leader.process.send_signal(signal.SIGCONT)
        assert leader.process.wait(PATIENCE) == 1
        assert "another server runs the world" in "".join(leader.lines)
    for bot in bots:
        report = bot.report()
        assert report["errors"] == 0 and report["mismatches"] == 0 and report["lost"] == 0, report
        assert report["reconnects"] == 0
    until(lambda: worlds_agree(edge, standby))
    assert metrics(edge)["mismatches_total"] == 0 and metrics(edge)["rejoins_total"] == 0


def test_only_one_leads(cluster):
    cluster.start()
    with pytest.raises(RuntimeError, match="another server runs the world 'test'"):
        PitServer(*cluster.flags)


def test_the_world_is_for_the_leader_to_change(cluster, tmp_path):
    token = tmp_path / "host.token"
    token.write_text("0123456789abcdef0123456789abcdef\n")
    token.chmod(0o600)
    leader = cluster.start("--admin-token-file", token)
    standby = cluster.start("--standby", "--admin-token-file", token)
    edge = cluster.start("--admin-token-file", token, part="edge")

    def freeze(server):
        url = f"http://127.0.0.1:{server.port}/api/host/freeze"
        headers = {"Authorization": f"Bearer {token.read_text().strip()}"}
        request = urllib.request.Request(url, headers=headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as refusal:
            return refusal.code

    until(lambda: role(standby) == "standby")
    assert (freeze(standby), freeze(edge), freeze(leader)) == (409, 409, 200)
    # What was refused is not done when that server leads.
    tick = leader.health()["tick"]
    leader.process.kill()
    until(lambda: role(standby) == "leader" and standby.health()["tick"] > tick + 60)


def test_passwords_are_for_nobody_to_read(stickerpit):
    address = ["--nats", "nats://pit:secret@127.0.0.1:1", "--world", "test"]
    failed = stickerpit("edge", *address)
    assert failed.returncode == 1 and "nats://pit:***@127.0.0.1:1" in failed.stderr
    printed = stickerpit("serve", *address, "--print-config")
    assert printed.returncode == 0 and "nats://pit:***@127.0.0.1:1" in printed.stdout
    assert "secret" not in failed.stderr + printed.stdout + printed.stderr


def test_bad_starts_say_why(nats, stickerpit):
    world = ["--world", "test"]
    for arguments, words, code in [
        (["edge"], "an edge needs --nats and --world", 2),
        (["serve", "--nats", nats.url], "--nats needs --world", 2),
        (["serve", *world], "--world needs --nats", 2),
        (["serve", "--standby"], "--standby needs --nats", 2),
        (["serve", "--nats", nats.url, "--world", "a b"], "1 to 32 letters", 2),
        (["serve", "--nats", "http://127.0.0.1", *world], "nats://127.0.0.1:4222", 2),
        (["serve", "--nats", nats.url, *world, "--data", "/tmp/x"], "don't go together", 2),
        (["edge", "--nats", nats.url, *world, "--bodies", "3"], "is the leader's to decide", 2),
        (["edge", "--nats", "nats://127.0.0.1:1", *world], "NATS at nats://127.0.0.1:1", 1),
        (["edge", "--nats", nats.url, *world, "--port", "0"], "no server runs a world 'test'", 1),
    ]:
        result = stickerpit(*arguments)
        assert result.returncode == code and words in result.stderr, (arguments, result.stderr)
