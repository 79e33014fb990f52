"""Hostile senders who never get a WebSocket: requests that are half, slow, forged or noise, sockets
that say nothing or vanish, and garbage where TLS is expected."""

import socket
import struct
import time

from attacker import Attacker
from pitserver import PATIENCE

# How many sockets those have who come as a crowd.
CROWD = 30
# Whoever closes with this set sends a reset, as a phone does whose network is gone.
RESET = struct.pack("ii", 1, 0)

FORGED = (
    ("GET /api/keywords HTTP/1.1", "Content-Length: 45"),
    ("GET /api/keywords HTTP/1.1", "Transfer-Encoding: chunked"),
    ("CONNECT x HTTP/1.1",),
    ("POST / HTTP/1.1",),
    ("GET http://elsewhere/ HTTP/1.1",),
    ("GET / HTTP/9.9",),
    ("GET /\x01 HTTP/1.1",),
    ("GET / HTTP/1.1", "Host: evil.example"),
    ("GET /../../etc/passwd HTTP/1.1", "Connection: close"),
)


def bare(target, sources):
    """A TCP connection and nothing more, not even TLS."""
    made = socket.socket()
    made.settimeout(PATIENCE)
    made.bind((next(sources), 0))
    made.connect(("127.0.0.1", target.port))
    return made


def wait_for_the_end(made):
    """Reads until the server has hung up; raises if it doesn't."""
    try:
        while made.recv(65536):
            pass
    except ConnectionError:
        pass


def half_requests(target, sources, chance):
    """A request that breaks off: by a proper end, by a reset, or not at all."""
    whole = b"GET /index.html HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nX-Long: "
    with Attacker(target, source=next(sources)) as attacker:
        attacker.send(whole[: chance.randrange(1, len(whole))])
        match chance.randrange(3):
            case 0:
                attacker.socket.shutdown(socket.SHUT_WR)
                attacker.all()
            case 1:
                attacker.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            case 2:
                attacker.all()


def slow_loris(target, sources, _):
    """A crowd that sends a byte of its requests now and then, until the server has enough of all."""
    slow = [Attacker(target, source=next(sources)) for _ in range(CROWD)]
    ends = time.monotonic() + PATIENCE
    for attacker in slow:
        attacker.send(b"GET / HTTP/1.1\r\nX-")
    while slow:
        assert time.monotonic() < ends, f"{len(slow)} slow visitors are still there"
        for attacker in list(slow):
            if not attacker.send(b"a"):
                attacker.socket.close()
                slow.remove(attacker)
        time.sleep(0.5)


def half_open(target, sources, _):
    """A crowd that connects and says nothing; the server ends all of them in its time."""
    silent = [bare(target, sources) for _ in range(CROWD)]
    for made in silent:
        wait_for_the_end(made)
        made.close()


def comes_and_goes(target, sources, _):
    """A crowd that is gone before it can be let in."""
    for _ in range(CROWD):
        made = bare(target, sources)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        made.close()


def noise(target, sources, chance):
    with Attacker(target, source=next(sources)) as attacker:
        attacker.send(chance.randbytes(4096))
        attacker.all()


def forged_requests(target, sources, chance):
    with Attacker(target, source=next(sources)) as attacker:
        attacker.request(*chance.choice(FORGED))
        attacker.send(b"GET /api/keywords HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        everything = attacker.all()
    assert not everything.startswith(b"HTTP/1.1 2"), everything[:60]
    assert everything.count(b"HTTP/1.1 ") <= 1, everything[:60]


def bad_handshakes(target, sources, chance):
    wrong = [dict(key=""), dict(key="A" * 24), dict(version=8), dict(host="evil.example")]
    with Attacker(target, source=next(sources)) as attacker:
        status = attacker.shake_hands(**chance.choice(wrong))
        assert status != 101, "it was let in"


def asks_and_reads_nothing(target, sources, _):
    """Asks for a large file again and again and goes away when no more of it fits."""
    with Attacker(target, source=next(sources), receive_buffer=4096) as attacker:
        for _ in range(5):
            attacker.request("GET /pit.wasm HTTP/1.1")
        time.sleep(1)


def requests_without_end(target, sources, chance):
    """What a page asks for, many times, on one connection."""
    paths = ["/", "/index.html", "/api/keywords", "/api/world", "/healthz", "/metrics", "/nothing"]
    with Attacker(target, source=next(sources)) as attacker:
        for _ in range(20):
            attacker.request(f"GET {chance.choice(paths)} HTTP/1.1")
            status, _ = attacker.answer()
            # 429 and 503: this address, or the server, has done enough for now.
            assert status in (200, 404, 429, 503), status


def garbage_for_tls(target, sources, chance):
    """Plain HTTP, noise, a ClientHello that is half or spoilt, where a handshake is expected."""
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + chance.randbytes(506)
    match chance.randrange(4):
        case 0:
            sent = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        case 1:
            sent = chance.randbytes(600)
        case 2:
            sent = hello[: chance.randrange(1, len(hello))]
        case 3:
            sent = hello
    with bare(target, sources) as made:
        made.sendall(sent)
        wait_for_the_end(made)


KINDS = {
    "half requests": half_requests,
    "slow loris": slow_loris,
    "half-open sockets": half_open,
    "comes and goes": comes_and_goes,
    "noise": noise,
    "forged requests": forged_requests,
    "bad handshakes": bad_handshakes,
    "asks and reads nothing": asks_and_reads_nothing,
    "requests without end": requests_without_end,
}
TLS_KINDS = {"garbage for TLS": garbage_for_tls}
