"""SIGHUP has a running server read its configuration again."""

import json
import shutil
import signal
import ssl
import subprocess

import urllib.request

import pytest
from pitclient import StreamClient
from pitclient.stream import is_frame
from pitserver import PATIENCE, until
from test_protocol import hello
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect


def join(pit):
    player = connect(
        pit.socket_url, subprotocols=["stickerpit.v1"], ping_timeout=None, legacy=True,
        open_timeout=PATIENCE,
    )
    player.send(hello())
    return player


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "config.json"

    def write(**values):
        path.write_text(json.dumps(values))
        return path

    return write


def reload(pit, says):
    before = len(pit.lines)
    pit.process.send_signal(signal.SIGHUP)
    return until(lambda: [line for line in pit.lines[before:] if says in line])[-1]


def test_what_can_change_does_and_players_stay(start_pit, file, tmp_path):
    pit = start_pit("--config", file(**{"limits.connections-per-address": 2}), "--scene", "rain")
    players = [join(pit), join(pit)]
    with pytest.raises(InvalidStatus):
        join(pit)
    file(**{"limits.connections-per-address": 3, "max-bodies": 77, "keyword": ["brr=snow"]})
    line = reload(pit, "was read again")
    assert "limits.connections-per-address: 2 → 3" in line
    assert "max-bodies: needs a restart" in line and "keyword: none → brr=snow" in line
    players.append(until(lambda: try_to(join, pit)))
    until(lambda: pit.ask("/api/keywords")["keywords"] == ["brr"])
    words = tmp_path / "words"
    for said in ("hail", "sleet"):
        words.write_text(f"{said}=snow")
        file(**{"limits.connections-per-address": 3, "keyword-file": str(words)})
        assert "other keywords" in reload(pit, "was read again")
        until(lambda: pit.ask("/api/keywords")["keywords"] == [said])
    words.write_text("hail=snow\nfire=dragon")
    line = reload(pit, "nothing changed")
    assert f"{words} (" in line and "config.json: keyword-file): keyword 2: " in line
    assert pit.ask("/api/keywords")["keywords"] == ["sleet"]
    assert pit.health()["people"] == 3
    for player in players:
        assert player.recv(timeout=PATIENCE)
        player.close()
    assert pit.stop() == 0


def test_what_it_does_not_take_over_is_said(start_pit, file, tmp_path):
    key = tmp_path / "token.key"
    key.write_bytes(bytes(range(32)))
    key.chmod(0o600)
    given = {"limits.connections": 10, "limits.connections-per-address": 2, "token-key-file": str(key)}
    pit = start_pit("--config", file(**given))
    given |= {"limits.connections": 20, "limits.connections-per-address": 15, "limits.tilts-per-second": 9}
    file(**given)
    line = reload(pit, "was read again")
    for words in [
        "limits.connections-per-address: 2 → 10", "limits.connections-per-address: 15 needs a restart",
        "limits.connections: needs a restart", "for new connections only: limits.tilts-per-second",
        "not read again before a restart: token-key-file",
    ]:  # fmt: skip
        assert words in line


def try_to(action, *arguments):
    try:
        return action(*arguments)
    except InvalidStatus:
        return None


def test_a_wrong_one_changes_nothing(start_pit, file):
    pit = start_pit("--config", file(**{"limits.connections-per-address": 2}))
    for wrong, says in [
        ({"limits.connections-per-address": 0}, "limits.connections-per-address must be 1 to"),
        ({"limits.conections": 5}, "the nearest is limits.connections"),
        ({"trusted-proxy": ["10.0.0.0/33"]}, "trusted-proxy must be"),
    ]:
        file(**wrong, origin=["https://other.example"])
        line = reload(pit, says)
        assert "nothing changed" in line and "config.json" in line
    file(**{"limits.connections-per-address": 2})
    assert "nothing changed" in reload(pit, "was read again")


def certificate(folder, name, kind=("rsa:2048",)):
    folder.mkdir(exist_ok=True)
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", *kind, "-nodes", "-days", "9", "-subj",
            f"/CN={name}", "-keyout", folder / "key.pem", "-out", folder / "cert.pem",
        ],
        check=True, capture_output=True,
    )


def presented(pit):
    return ssl.get_server_certificate(("127.0.0.1", pit.port), timeout=PATIENCE)


class Follower:
    """A WebSocket with TLS that stays open while the certificate changes."""

    def __init__(self, pit):
        self._pit, self._lax = pit, ssl._create_unverified_context()
        # It reads when it is asked: what has come by then is taken nevertheless, so that the server
        # does not take it for one who has stopped.
        self._player = connect(
            pit.socket_url, subprotocols=["stickerpit.v1"], ssl=self._lax, ping_timeout=None,
            legacy=True, open_timeout=PATIENCE, max_queue=None,
        )
        self._stream = StreamClient()
        self._player.send(hello())

    @property
    def certificate(self):
        """What the server showed it when it came."""
        return ssl.DER_cert_to_PEM_cert(self._player.socket.getpeercert(binary_form=True))

    def follows(self):
        """Reads every frame from the first one on, until a second after this was asked."""
        url = f"https://127.0.0.1:{self._pit.port}/healthz"
        with urllib.request.urlopen(url, timeout=PATIENCE, context=self._lax) as answer:
            until_tick = json.load(answer)["tick"] + 60
        while self._stream.tick is None or self._stream.tick < until_tick:
            message = self._player.recv(timeout=PATIENCE)
            if is_frame(message):
                self._stream.receive(message)
        return bool(self._stream.bodies())

    def close(self):
        self._player.close()


def test_a_renewed_certificate_serves_new_connections(start_pit, tmp_path):
    certificate(tmp_path / "tls", "one")
    flags = ["--tls-cert", tmp_path / "tls/cert.pem", "--tls-key", tmp_path / "tls/key.pem"]
    pit = start_pit(*flags, "--network-threads", 2)
    old = presented(pit)
    before = Follower(pit)
    assert before.certificate == old and before.follows()
    certificate(tmp_path / "tls", "two")
    reload(pit, "another certificate for new connections")
    new = (tmp_path / "tls/cert.pem").read_text()
    until(lambda: all(presented(pit) == new for _ in range(10)))
    assert new != old and before.follows()
    # OpenSSL would keep the old one beside one of another kind.
    certificate(tmp_path / "tls", "three", ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"))
    reload(pit, "another kind of key")
    # A key that belongs to another certificate is no reason to stop.
    (tmp_path / "tls/key.pem").write_text((tmp_path / "tls/cert.pem").read_text())
    reload(pit, "cannot use the private key")
    assert presented(pit) == new
    assert before.certificate == old and before.follows()
    before.close()


def test_what_is_wrong_with_a_certificate_names_its_source(start_pit, file, tmp_path):
    """As at the start, whether a signal has it read again or its files have changed."""
    certificate(tmp_path / "tls", "one")
    certificate_file, key = tmp_path / "tls/cert.pem", tmp_path / "tls/key.pem"
    path = file(**{"tls-cert": str(certificate_file), "tls-key": str(key)})
    pit = start_pit("--config", path)
    source = f"(tls-key is from {path})"
    key.write_text(certificate_file.read_text())
    until(lambda: [line for line in pit.lines if "files changed and are refused" in line and source in line])
    assert source in reload(pit, "nothing changed")


def test_what_is_wrong_with_its_own_certificate_names_its_source(start_pit, file, tmp_path):
    path = file(**{"data": str(tmp_path / "data"), "tls-self-signed": True})
    pit = start_pit("--config", path)
    shutil.rmtree(tmp_path / "data/tls")
    (tmp_path / "data/tls").write_text("no folder")
    assert f"(tls-self-signed is from {path})" in reload(pit, "the configuration was refused")
