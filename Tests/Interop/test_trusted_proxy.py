"""Behind a trusted proxy each client counts by its own address, and nobody else can claim another's:
nginx says it by X-Forwarded-For, balancers by the PROXY protocol."""

import contextlib
import socket
import struct
import urllib.error
import urllib.request

import pytest
from pitserver import PATIENCE, until
from proxy import Proxy
from test_protocol import hello
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

FORWARDED = "proxy_set_header X-Forwarded-For $http_x_test_for;"


def line(address):
    return f"PROXY TCP4 {address} 127.0.0.1 4711 8080\r\n".encode()


def binary(address):
    addresses = socket.inet_aton(address) + socket.inet_aton("127.0.0.1")
    body = addresses + struct.pack(">HH", 4711, 8080) + b"\x03\0\x04abcd"
    return b"\r\n\r\n\0\r\nQUIT\n\x21\x11" + struct.pack(">H", len(body)) + body


def dial(pit, header=b"", source="127.0.0.1"):
    client = socket.create_connection(
        ("127.0.0.1", pit.port), timeout=PATIENCE, source_address=(source, 0)
    )
    client.sendall(header)
    return client


def play(pit, client):
    player = connect(
        "ws://localhost/ws", sock=client, subprotocols=["stickerpit.v1"], ping_timeout=None,
        legacy=True,
    )
    player.send(hello())
    return player


def status(pit, client):
    try:
        play(pit, client).close()
        return 101
    except InvalidStatus as refused:
        return refused.response.status_code


@pytest.fixture
def pit(start_pit):
    return start_pit("--trusted-proxy", "127.0.0.1/32", "--max-per-address", 2)


@pytest.mark.parametrize("header", [line, binary], ids=["line", "binary"])
def test_players_count_by_the_address_that_their_balancer_names(pit, header):
    players = [play(pit, dial(pit, header(f"203.0.113.{number}"))) for number in range(5)]
    crowd = [play(pit, dial(pit, header("198.51.100.1"))) for _ in range(2)]
    assert status(pit, dial(pit, header("198.51.100.1"))) == 429
    until(lambda: pit.health()["people"] == 7)
    for player in players + crowd:
        player.close()


def test_the_same_bytes_of_a_stranger_are_a_bad_request(pit):
    for header in (line("203.0.113.1"), binary("203.0.113.1")):
        client = dial(pit, header + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "127.0.0.9")
        assert client.recv(100).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "header", [b"PROXY TCP4 nonsense\r\n", binary("1.2.3.4")[:15] + b"\x01x", b"PROXY TCP4 1.2"]
)
def test_a_malformed_header_ends_the_connection_and_is_logged(pit, header):
    client = dial(pit, header)
    # What was sent and not read makes the end a hard one, which may come before anything is done.
    with contextlib.suppress(OSError):
        client.shutdown(socket.SHUT_WR)
        assert client.recv(100) == b""
    until(lambda: any("PROXY header is refused" in line for line in pit.lines))


@pytest.fixture
def proxy(pit):
    """nginx, which passes on as X-Forwarded-For what a test gives it."""
    proxy = Proxy(pit, extra=FORWARDED)
    yield proxy
    proxy.stop()


def through(proxy, forwarded):
    player = connect(
        "ws://localhost/ws", sock=proxy.connect(), subprotocols=["stickerpit.v1"],
        ping_timeout=None, legacy=True, additional_headers={"X-Test-For": forwarded},
    )
    player.send(hello())
    return player


def test_players_behind_nginx_count_by_their_own_address(pit, proxy):
    players = [through(proxy, f"1.2.3.4, 203.0.113.{number}") for number in range(5)]
    # What a client writes before the proxy's entry is not believed, nor is a port part of it.
    crowd = [through(proxy, f"9.9.9.{number}, 198.51.100.1:{number}") for number in range(2)]
    with pytest.raises(InvalidStatus) as refused:
        through(proxy, "203.0.113.77, 198.51.100.1")
    assert refused.value.response.status_code == 429
    until(lambda: pit.health()["people"] == 7)
    for player in players + crowd:
        player.close()


def test_requests_of_one_client_do_not_use_up_anothers(start_pit):
    pit = start_pit(
        "--trusted-proxy", "127.0.0.1", "--limit", "traffic.requests-burst-per-address=5",
        "--limit", "traffic.requests-per-second-per-address=1",
    )

    def ask(address):
        request = urllib.request.Request(
            f"http://127.0.0.1:{pit.port}/api/keywords", headers={"X-Forwarded-For": address}
        )
        try:
            return urllib.request.urlopen(request, timeout=PATIENCE).status
        except urllib.error.HTTPError as refused:
            return refused.code

    assert 429 in [ask("203.0.113.1") for _ in range(20)]
    assert [ask(f"203.0.113.{number}") for number in range(2, 22)] == [200] * 20
