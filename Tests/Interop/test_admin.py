"""Monitoring asks on a port of its own."""

import http.client
import json
import re
import ssl
import urllib.error
import urllib.request

import pytest
from pitserver import PATIENCE, until
from ports import free_port
from test_reload import certificate, presented, reload


def ask(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
        return answer.read().decode()


def admin_port(pit):
    return int(until(lambda: re.search(r"monitoring .*:(\d+)/metrics", "".join(pit.lines)))[1])


def test_metrics_are_on_the_admin_port_only(start_pit):
    pit = start_pit("--admin-listen", "127.0.0.1:0")
    port = admin_port(pit)
    assert "stickerpit_ticks_total" in ask(port, "/metrics")
    until(lambda: pit.health()["tick"] > 0)
    assert ask(port, "/readyz") == ask(pit.port, "/readyz") == "ready\n"
    assert '"status"' in ask(port, "/healthz")
    for where, path in [(pit.port, "/metrics"), (port, "/"), (port, "/api/world")]:
        with pytest.raises(urllib.error.HTTPError) as refused:
            ask(where, path)
        assert refused.value.code == 404
    assert pit.stop() == 0


def status(port, host):
    """What a port answers to a client that calls it by a name."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/healthz", headers={"Host": host})
    try:
        return connection.getresponse().status
    finally:
        connection.close()


def test_names_change_on_both_ports(start_pit, tmp_path):
    file = tmp_path / "config.json"

    def allow(name):
        file.write_text(json.dumps({"allowed-host": [name]}))

    allow("old.example")
    pit = start_pit("--config", file, "--admin-listen", "127.0.0.1:0")
    ports = pit.port, admin_port(pit)

    def answers(name):
        return [status(port, name) for port in ports]

    assert answers("old.example") == [200, 200] and answers("new.example") == [421, 421]
    allow("new.example")
    assert "allowed-host: old.example → new.example" in reload(pit, "was read again")
    until(lambda: answers("new.example") == [200, 200])
    until(lambda: answers("old.example") == [421, 421])
    assert pit.stop() == 0


def test_a_port_that_is_taken_is_told(start_pit, stickerpit, pit):
    taken = start_pit("--admin-listen", "127.0.0.1:0")
    port = admin_port(taken)
    ended = stickerpit("serve", "--port", 0, "--admin-listen", f"127.0.0.1:{port}", "--web", "web")
    assert ended.returncode == 1
    assert f"--admin-listen: port {port} on 127.0.0.1 is already in use" in ended.stderr
    ended = stickerpit("serve", "--admin-listen", "9090")
    assert ended.returncode != 0 and "--admin-listen must be HOST:PORT" in ended.stderr


def test_handshakes_are_counted(start_pit, tmp_path):
    certificate(tmp_path / "tls", "one")
    pit = start_pit(
        "--tls-cert", tmp_path / "tls/cert.pem", "--tls-key", tmp_path / "tls/key.pem",
        "--admin-listen", "127.0.0.1:0",
    )
    port = admin_port(pit)
    for _ in range(5):
        presented(pit)
    with pytest.raises(ssl.SSLError):
        with __import__("socket").create_connection(("127.0.0.1", pit.port)) as client:
            strict = ssl.create_default_context()
            strict.check_hostname = False
            strict.wrap_socket(client)

    def count(result):
        name = f'stickerpit_tls_handshakes_total{{result="{result}"}} '
        return float(re.search(re.escape(name) + r"(\d+)", ask(port, "/metrics"))[1])

    until(lambda: count("done") >= 5 and count("failed") >= 1, every=0.5)
    took = re.search(r"handshake_duration_seconds_count (\d+)", ask(port, "/metrics"))
    assert int(took[1]) >= 5
