"""Servers that share a world prove to NATS who they are, and want it to prove who it is."""

import subprocess

import pytest
from natsserver import NATSServer
from natsusers import ACCOUNT, Key, Operator
from pitserver import ROOT, PitServer
from test_cluster import metrics, role


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run([ROOT / "scripts/certificate", folder], check=True)
    return folder


@pytest.fixture
def start_nats():
    servers = []

    def start(lines):
        servers.append(NATSServer(lines))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def encrypted(start_nats, certificate):
    return start_nats(
        f"""
        tls {{
          cert_file: "{certificate}/certificate.pem"
          key_file: "{certificate}/key.pem"
        }}
        authorization {{ users: [{{ user: pit, password: secret }}] }}
        """
    )


def share_a_world(*flags):
    """A leader and an edge, whose client's world goes on."""
    leader = PitServer("--world", "test", *flags)
    try:
        edge = PitServer("--world", "test", *flags, part="edge")
        try:
            edge.wait_for_tick(edge.health()["tick"] + 60)
            assert (role(leader), role(edge)) == ("leader", "edge")
            assert metrics(edge)["mismatches_total"] == 0
        finally:
            assert edge.stop() == 0
    finally:
        assert leader.stop() == 0
    return "".join(leader.lines + edge.lines)


def refused(*flags):
    """What a server says that does not start."""
    with pytest.raises(RuntimeError) as caught:
        PitServer("--world", "test", *flags).stop()
    return str(caught.value)


def test_over_tls_with_a_password(encrypted, certificate):
    authority = ["--nats-ca", certificate / "certificate.pem"]
    said = share_a_world("--nats", f"tls://pit:secret@127.0.0.1:{encrypted.port}", *authority)
    assert "secret" not in said
    wrong = refused("--nats", f"tls://pit:guessed@127.0.0.1:{encrypted.port}", *authority)
    assert "NATS at" in wrong and "Authentication" in wrong and "guessed" not in wrong
    # The certificate is nobody's that this machine trusts.
    unknown = refused("--nats", f"tls://pit:secret@127.0.0.1:{encrypted.port}")
    assert "NATS at" in unknown and "secret" not in unknown


def test_who_asks_for_tls_says_nothing_without_it(start_nats):
    plain = start_nats("authorization { users: [{ user: pit, password: secret }] }")
    said = refused("--nats", f"tls://pit:secret@127.0.0.1:{plain.port}")
    assert "NATS at" in said and "secret" not in said


def test_with_credentials_of_an_operator(start_nats, tmp_path):
    operator = Operator()
    nats = start_nats(operator.lines)
    (tmp_path / "pit.creds").write_text(operator.credentials())
    share_a_world("--nats", nats.url, "--nats-credentials", tmp_path / "pit.creds")
    (tmp_path / "other.creds").write_text(operator.credentials(Key(ACCOUNT)))
    for file in "other.creds", "missing.creds":
        said = refused("--nats", nats.url, "--nats-credentials", tmp_path / file)
        assert "NATS at" in said or file in said
    assert "NATS at" in refused("--nats", nats.url)
