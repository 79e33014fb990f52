"""HTTP from somebody who means harm; honest clients from other addresses notice nothing."""

import socket

import pytest
from attacker import Attacker, honest_bots
from pitserver import until

HEALTH = "GET /healthz HTTP/1.1"


@pytest.fixture(scope="module", autouse=True)
def crowd(pit):
    with honest_bots(pit):
        yield


def ends(attacker):
    """The server hangs up, whatever it says before."""
    attacker.all()


@pytest.mark.parametrize("seed", range(20))
def test_noise_ends_its_own_connection(pit, seed):
    with Attacker(pit) as attacker:
        attacker.send(Attacker.noise(seed, 4096))
        ends(attacker)


@pytest.mark.parametrize("name", ["X", "X-A", "Sec-WebSocke", "Hos", "Conten"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_header_whose_name_begins_like_another_hides_nothing(pit, name, method):
    with Attacker(pit) as attacker:
        attacker.request(f"{method} /api/keywords HTTP/1.1", f"{name}: 1", "Connection: close")
        assert attacker.all().startswith(b"HTTP/1.1 200")
    with Attacker(pit) as attacker:
        # The body that the next header tells of is not swallowed with it.
        attacker.request(HEALTH, f"{name}: 1", "Content-Length: 5")
        attacker.send(b"GET /")
        status, _ = attacker.answer()
        assert status in (400, 413)
        ends(attacker)


@pytest.mark.parametrize(
    "lines",
    [
        ["Content-Length: 45"],
        ["Transfer-Encoding: chunked"],
        ["Transfer-Encoding: xchunked"],
        ["Content-Length: 45", "Transfer-Encoding: chunked"],
        ["Content-Length: 0", "Content-Length: 45"],
        ["Content-Length: +45"],
        ["Content-Length : 45"],
    ],
)
def test_a_request_within_a_body_is_never_answered(pit, lines):
    with Attacker(pit) as attacker:
        attacker.request("GET /api/keywords HTTP/1.1", *lines)
        attacker.send(b"GET /api/keywords HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        everything = attacker.all()
    assert everything.count(b"HTTP/1.1 ") == 1
    assert not everything.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "head",
    [
        "CONNECT x HTTP/1.1",
        "OPTIONS * HTTP/1.1",
        "POST / HTTP/1.1",
        "PRI * HTTP/2.0",
        "BREW / HTTP/1.1",
        "GET http://elsewhere/ HTTP/1.1",
        "GET / HTTP/9.9",
        "GET /\x01 HTTP/1.1",
        "GET  / HTTP/1.1",
    ],
)
def test_what_is_no_plain_get_ends(pit, head):
    with Attacker(pit) as attacker:
        attacker.request(head)
        everything = attacker.all()
        assert not everything.startswith(b"HTTP/1.1 2")


@pytest.mark.parametrize("first", [True, False])
def test_an_unknown_upgrade_is_answered_once(pit, first):
    with Attacker(pit) as attacker:
        if not first:
            attacker.request("GET /api/keywords HTTP/1.1")
            assert attacker.answer()[0] == 200
        attacker.request(
            "GET /api/keywords HTTP/1.1", "Upgrade: foo", "Connection: Upgrade, close")
        assert attacker.all().count(b"HTTP/1.1 ") <= 1


def test_pipelined_requests_are_answered_in_order(pit):
    with Attacker(pit) as attacker:
        paths = ["/api/keywords", "/nothing", "/index.html", "/api/keywords"]
        attacker.send(
            "".join(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" for path in paths).encode()
        )
        assert [attacker.answer()[0] for _ in paths] == [200, 404, 200, 200]


def test_who_asks_and_reads_nothing_costs_nothing(pit):
    def computed():
        """Seconds for which the server computes in 120 ticks, two seconds."""
        before, tick = pit.processor_seconds(), pit.health()["tick"]
        pit.wait_for_tick(tick + 120)
        return pit.processor_seconds() - before

    # What the world and its players cost depends on the machine.
    without = computed()
    with Attacker(pit, receive_buffer=4096) as attacker:
        attacker.send(b"GET /pit.wasm HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /")
        # A loop that spins would compute for all of the two seconds.
        assert computed() - without < 1


def test_strange_hosts_get_nothing(pit):
    for host in "evil.example", "127.0.0.1.evil.example", "evil.example:80", "", "a b", "[::1":
        with Attacker(pit) as attacker:
            attacker.request(HEALTH, "Connection: close", host=host)
            assert not attacker.all().startswith(b"HTTP/1.1 200"), host
        with Attacker(pit) as attacker:
            assert attacker.shake_hands(host=host) != 101, host
    with Attacker(pit) as attacker:
        attacker.request(HEALTH, "Host: evil.example", "Connection: close")
        assert attacker.all().startswith(b"HTTP/1.1 400"), "two hosts are none"


def test_slow_heads_end(pit):
    """A thousand visitors who never finish their request; others are served meanwhile."""
    slow = [Attacker(pit, source=f"127.0.1.{index % 250 + 1}") for index in range(1000)]
    for attacker in slow:
        attacker.send(b"GET / HTTP/1.1\r\nX-")
    with Attacker(pit, source="127.0.3.1") as honest:
        honest.request("GET /index.html HTTP/1.1", "Connection: close")
        assert honest.all().startswith(b"HTTP/1.1 200")
    for round in range(100):
        slow = [attacker for attacker in slow if attacker.send(b"a") and not is_over(attacker)]
        if not slow:
            return
        pit.wait_for_tick(pit.health()["tick"] + 30)
    raise AssertionError(f"{len(slow)} are still there")


def is_over(attacker):
    """Whether the server has hung up; reads nothing that is still to come."""
    attacker.socket.setblocking(False)
    try:
        return attacker.socket.recv(65536) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    finally:
        attacker.socket.setblocking(True)


def test_silent_sockets_keep_nobody_out(pit):
    """As many visitors as they like from five addresses: a newcomer gets page and socket."""
    held = []
    for index in range(4500):
        attacker = socket.socket()
        attacker.bind((f"127.0.2.{index % 5 + 1}", 0))
        attacker.setblocking(False)
        attacker.connect_ex(("127.0.0.1", pit.port))
        held.append(attacker)
    try:
        def newcomer():
            with Attacker(pit, source="127.0.3.2") as honest:
                try:
                    return honest.shake_hands() == 101
                except AssertionError:
                    return False

        until(newcomer)
    finally:
        for attacker in held:
            attacker.close()


def test_connect_gives_no_lasting_socket(pit):
    tunnels = []
    for _ in range(50):
        attacker = Attacker(pit)
        attacker.send(b"CONNECT x HTTP/1.1\r\n\r\n")
        tunnels.append(attacker)
    for attacker in tunnels:
        with attacker:
            ends(attacker)
