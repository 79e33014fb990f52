"""NATS servers with the very file of deploy/ that three of them share: they join, and a fourth one
that lacks a password or a certificate of theirs neither hears them nor is heard."""

import os
import re
import ssl
import tempfile
import time

import pytest
from natslog import NATSClient
from natsserver import NATS_SERVER, NATSServer
from natsusers import Operator
from pitserver import PitServer, until
from ports import free_port
from programs import DEPLOY, replaced, run
from test_cluster import metrics, role

GUIDE = (DEPLOY / "CLUSTER.md").read_text()
PASSWORD = {"user": "pit", "pass": "secret"}
# Seconds for which a fourth server tries to join: it does at once, and each second again.
TRIES = 4


def environment():
    """What nats.env has, as a shell reads it."""
    lines = (DEPLOY / "nats/nats.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def uncommented(text):
    """The configuration with both `tls` blocks turned on."""
    text, blocks = re.subn(
        r"^( *)# tls \{\n(?:\1#.*\n)*?\1# \}\n",
        lambda found: re.sub(r"^( *)# ", r"\1", found[0], flags=re.MULTILINE),
        text, flags=re.MULTILINE,
    )  # fmt: skip
    assert blocks == 2
    return text


class Shipped(NATSServer):
    """A nats-server with nats.conf and nats.env, at ports of this test. `certificates` is a folder;
    with it TLS is turned on. `changes` are made to the file besides."""

    def __init__(self, number, port, routes, password=None, certificates=None, changes=None):
        self._number, self._route, self._routes = number, port, routes
        self._password = password or environment()["PIT_ROUTES_PASSWORD"]
        self._certificates, self._changes = certificates, changes or {}
        super().__init__()

    def _configuration(self):
        text = (DEPLOY / "nats/nats.conf").read_text()
        if self._certificates:
            text = replaced(uncommented(text), {"/etc/nats/": f"{self._certificates}/"})
        places = {
            "port: 4222": f"port: {self.port}", "port: 6222": f"port: {self._route}",
            "127.0.0.1:8222": f"127.0.0.1:{self._monitoring}",
            "/var/lib/nats": f"{self.folder}/streams",
        }  # fmt: skip
        return replaced(text, places | self._changes)

    def _environment(self):
        variables = environment() | {
            "PIT_NATS_NAME": f"pit-{self._number}", "PIT_NATS_ADDRESS": "127.0.0.1",
            "PIT_ROUTES_PASSWORD": self._password,
        }  # fmt: skip
        for place, port in enumerate(self._routes, 1):
            url = f"nats://routes:{self._password}@127.0.0.1:{port}"
            variables[f"PIT_ROUTE_{place}"] = url
        return variables

    @property
    def joined(self):
        """The identities of the servers that it has joined."""
        routes = self.tells("routez").get("routes") or []
        return {route.get("remote_id", "nobody") for route in routes}

    @property
    def identity(self):
        return self.tells("varz")["server_id"]

    def client(self):
        trust = None
        if self._certificates:
            trust = ssl.create_default_context(cafile=self._certificates / "ca.crt")
        return NATSClient(self.port, trust, **PASSWORD)


class Three:
    """Three of them, which have joined."""

    def __init__(self, certificates=None, changes=None):
        self.certificates = certificates
        self.routes = [free_port() for _ in range(3)]
        self.servers = []
        try:
            for number, port in enumerate(self.routes, 1):
                server = Shipped(
                    number, port, self.routes, certificates=certificates, changes=changes
                )
                self.servers.append(server)
            until(self.are_joined)
        except BaseException:
            self.stop()
            raise

    def are_joined(self):
        all_three = {server.identity for server in self.servers}
        return all(server.joined == all_three - {server.identity} for server in self.servers)

    def have_a_leader(self):
        """Whether one decides where streams are, and the others follow."""
        return any(
            sum(other["current"] for other in told.get("replicas", [])) >= 2
            for told in (server.tells("jsz")["meta_cluster"] for server in self.servers)
        )

    def stop(self):
        for server in self.servers:
            server.stop()


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """As the guide makes them, twice: those of the three, and those of another authority."""
    (block,) = (each for each in blocks() if "-addext" in each)
    block = replaced(block, {"10.0.0.1": "127.0.0.1"})
    folders = []
    for name in "pit", "other":
        folders.append(tmp_path_factory.mktemp(name))
        made = run("sh", "-ec", block, cwd=folders[-1])
        assert made.returncode == 0, made.stderr
        for kind in "crt", "key":
            (folders[-1] / f"127.0.0.1.{kind}").rename(folders[-1] / f"server.{kind}")
    return folders


@pytest.fixture(scope="module", params=["a password", "TLS"])
def three(request, certificates):
    servers = Three(certificates[0] if request.param == "TLS" else None)
    yield servers
    servers.stop()


def blocks():
    return re.findall(r"^```sh\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def has_joined(three, **options):
    """Whether a fourth server joins; then it hears what is said at the three, or they hear it."""
    fourth = Shipped(4, free_port(), three.routes, **options)
    try:
        first = three.servers[0]
        with fourth.client() as outside, first.client() as inside, first.client() as say:
            outside.listen("pit.>")
            inside.listen("pit.>")
            ends = time.monotonic() + TRIES
            while time.monotonic() < ends:
                say.publish("pit.hall.inputs", b"of the three")
                with fourth.client() as there:
                    there.publish("pit.hall.inputs", b"of the fourth")
                time.sleep(0.05)
                heard = outside.heard() + [each for each in inside.heard() if b"fourth" in each]
                if b"of the three" in heard or heard.count(b"of the fourth") > 1:
                    return True
            assert three.are_joined(), [server.joined for server in three.servers]
            return False
    finally:
        fourth.stop()


# What the fourth server has in its own file, so that it asks nobody for a password.
OPEN = {
    "authorization {\n  user: pit\n  password: $PIT_PASSWORD\n}": "",
    "  authorization {\n    user: routes\n    password: $PIT_ROUTES_PASSWORD\n  }": "",
}


def test_a_fourth_server_without_the_password_stays_outside(three):
    assert not has_joined(
        three, password="guessed", certificates=three.certificates, changes=OPEN
    )
    said = "".join(server.said for server in three.servers)
    assert "Authorization Violation" in said or "Authentication" in said, said[-3000:]


def test_a_fourth_server_without_a_certificate_stays_outside(three, certificates):
    if three.certificates is None:
        # Nobody asks for one: the password is enough, so this test sees who joins.
        assert has_joined(three, changes=OPEN)
        until(three.are_joined)
        return
    assert not has_joined(three, changes=OPEN)
    assert not has_joined(three, certificates=certificates[1], changes=OPEN)
    # With both it joins.
    assert has_joined(three, certificates=certificates[0], changes=OPEN)
    until(three.are_joined)


def test_without_a_password_of_their_own_anybody_joins():
    """Whatever members need. Else the tests above would find nothing."""
    of_servers = list(OPEN)[1]
    three = Three(changes={of_servers: ""})
    try:
        assert has_joined(three, password="guessed", changes=OPEN)
    finally:
        three.stop()


def test_a_world_runs_on_the_three(three):
    scheme, flags = "nats", []
    if three.certificates:
        scheme, flags = "tls", ["--nats-ca", three.certificates / "ca.crt"]
    share_a_world(three, f"{scheme}://pit:secret@", *flags)


def test_credentials_take_the_place_of_the_password(tmp_path):
    """As the guide says it, but for nsc, which makes the same lines."""
    operator, line = Operator(), re.search(r"`(include \S+)`", GUIDE)[1]
    (tmp_path / "resolver.conf").write_text(operator.lines)
    (tmp_path / "pit.creds").write_text(operator.credentials())
    of_members, of_servers = OPEN
    # nats-server takes it for a path from the folder of its own file, which is such a one.
    folder = os.path.join(tempfile.gettempdir(), "one")
    path = os.path.relpath(tmp_path / "resolver.conf", folder)
    included = replaced(line, {"nats/resolver.conf": path})
    three = Three(changes={of_members: included, of_servers: of_servers})
    try:
        share_a_world(three, "nats://", "--nats-credentials", tmp_path / "pit.creds")
    finally:
        three.stop()


def share_a_world(three, begin, *flags):
    """A leader and an edge at the three, whose addresses begin so."""
    until(three.have_a_leader)
    url = ",".join(f"{begin}127.0.0.1:{each.port}" for each in three.servers)
    flags = ["--nats", url, "--world", "hall", *flags]
    leader = until(lambda: started(*flags, "--nats-replicas", 3))
    try:
        edge = until(lambda: started(*flags, part="edge"))
        try:
            edge.wait_for_tick(edge.health()["tick"] + 60)
            assert (role(leader), role(edge)) == ("leader", "edge")
            assert metrics(edge)["mismatches_total"] == 0
        finally:
            assert edge.stop() == 0
    finally:
        assert leader.stop() == 0


def started(*flags, **options):
    """As its service would start it: who comes before the three have agreed on the streams tries
    again."""
    try:
        return PitServer(*flags, **options)
    except RuntimeError as error:
        assert "NATS at" in str(error), error
        return None


@pytest.mark.parametrize("left_out", ["PIT_PASSWORD", "PIT_ROUTES_PASSWORD", "PIT_ROUTE_3"])
def test_a_variable_that_is_missing_ends_the_start(left_out):
    variables = {name: value for name, value in environment().items() if name != left_out}
    done = run(
        NATS_SERVER, "-t", "-c", DEPLOY / "nats/nats.conf", env=os.environ | variables
    )
    assert done.returncode != 0 and left_out in done.stdout + done.stderr


# As far as it matters of Debian's.
UNIT = """[Service]
Type=simple
ExecStart=/usr/sbin/nats-server -c /etc/nats-server.conf
User=root
"""


@pytest.mark.parametrize("mistake", [None, "StateDirectory="])
def test_systemd_takes_what_is_added_to_the_unit(tmp_path, mistake):
    units = tmp_path / "etc/systemd/system"
    added = (DEPLOY / "nats/unit.conf").read_text()
    if mistake:
        added = replaced(added, {mistake: "StateDirector="})
    files = {
        units / "nats-server.service": UNIT,
        units / "nats-server.service.d/unit.conf": added,
        tmp_path / "usr/sbin/nats-server": "#!/bin/sh\n",
    } | {
        tmp_path / f"usr/lib/systemd/system/{name}.target": "[Unit]\n"
        for name in ("network-online", "basic", "sysinit", "shutdown")
    }  # fmt: skip
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755 if "sbin" in str(file) else 0o644)
    checked = run(
        "systemd-analyze", "verify", f"--root={tmp_path}", "--man=no", "nats-server.service"
    )
    said = (checked.stdout + checked.stderr).strip()
    assert bool(said) == bool(mistake), said


def test_the_lone_one_for_docker_protects_a_world_alike():
    done = run(NATS_SERVER, "-t", "-c", DEPLOY / "nats/alone.conf")
    assert done.returncode == 0, done.stderr
    alone, one = ((DEPLOY / "nats" / name).read_text() for name in ("alone.conf", "nats.conf"))
    for key in "write_deadline", "max_pending", "ping_interval", "ping_max", "max_file_store":
        (line,) = re.findall(rf"^ *{key}: .*$", alone, re.MULTILINE)
        assert line in one
    compose = (DEPLOY / "docker/cluster.yml").read_text()
    assert "../nats/alone.conf:/etc/nats/alone.conf:ro" in compose
