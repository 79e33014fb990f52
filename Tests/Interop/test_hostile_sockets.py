"""WebSockets that break RFC 6455 or overdo it; honest clients from other addresses notice nothing."""

import struct

import pytest
from attacker import CLOSE, KEY, PING, PONG, Attacker, honest_bots
from pitclient import messages
from pitserver import until

HELLO = messages.hello()
TILT = struct.pack("<Bhh", 0x02, 0, 16384)


@pytest.fixture(scope="module", autouse=True)
def crowd(pit):
    with honest_bots(pit):
        yield


@pytest.fixture
def attacker(pit):
    with Attacker(pit) as attacker:
        assert attacker.shake_hands() == 101
        attacker.frame(HELLO)
        yield attacker


@pytest.mark.parametrize(
    "frame",
    [
        dict(payload=TILT, masked=False),
        dict(payload=TILT, length=2),
        dict(payload=TILT, length=8),
        dict(payload=TILT, reserved=4),
        dict(payload=TILT, reserved=1),
        dict(payload=TILT, opcode=0x3),
        dict(payload=TILT, opcode=0xB),
        dict(payload=TILT, opcode=0x0),
        dict(payload=b"", opcode=PING, final=False),
        dict(payload=bytes(126), opcode=PING),
        dict(payload=b"\x03", opcode=CLOSE),
        dict(payload=struct.pack(">H", 999), opcode=CLOSE),
        dict(payload=struct.pack(">H", 1005), opcode=CLOSE),
    ],
    ids=str,
)
def test_what_the_rfc_forbids_closes_with_1002(attacker, frame):
    attacker.frame(**frame)
    assert attacker.closing()[0] == 1002


def test_bad_utf8_in_a_close_reason(attacker):
    attacker.frame(struct.pack(">H", 1000) + b"\xff\xfe", opcode=CLOSE)
    assert attacker.closing()[0] == 1007


def test_a_new_message_within_another(attacker):
    attacker.frame(TILT[:2], final=False)
    attacker.frame(TILT)
    assert attacker.closing()[0] == 1002


def test_a_proper_close_is_answered_alike(attacker):
    attacker.frame(struct.pack(">H", 1000) + b"bye", opcode=CLOSE)
    assert attacker.closing()[0] == 1000


@pytest.mark.parametrize("size", [129, 60_000, 70_000])
def test_oversize(attacker, size):
    attacker.frame(bytes(size))
    assert attacker.closing()[0] == 1009


def test_a_length_of_eight_exabytes(attacker):
    attacker.send(struct.pack(">BBQ", 0x82, 0xFF, 2**63 - 1) + b"\0\0\0\0abc")
    assert attacker.closing()[0] == 1009


def test_oversize_in_fragments(attacker):
    for index in range(200):
        if not attacker.frame(b"\x02", opcode=0 if index else 2, final=False):
            break
    assert attacker.closing()[0] == 1009


def test_text_is_refused(attacker):
    attacker.frame(b"hello", opcode=1)
    assert attacker.closing()[0] == 1003


def test_a_message_in_fragments_with_pings_between(attacker):
    attacker.frame(struct.pack("<B", 0x05), final=False)
    attacker.frame(b"are you there?", opcode=PING)
    attacker.frame(b"\x07\0", opcode=0, final=False)
    attacker.frame(b"\0\0", opcode=0)
    seen = set()
    for opcode, payload in attacker.frames():
        if opcode == PONG:
            seen.add(payload)
        elif payload[:5] == struct.pack("<BI", 0x86, 7):
            seen.add("echo")
        if {b"are you there?", "echo"} <= seen:
            return
    raise AssertionError(f"hung up after {seen}")


@pytest.mark.parametrize("seed", range(20))
def test_noise_after_the_handshake(pit, seed):
    with Attacker(pit) as attacker:
        assert attacker.shake_hands() == 101
        attacker.send(Attacker.noise(seed, 2000))
        attacker.socket.shutdown(1)
        attacker.all()


@pytest.mark.parametrize(
    "flood",
    [
        dict(opcode=PING),
        dict(opcode=PONG),
        dict(payload=bytes(125), opcode=PING),
        dict(opcode=0, final=False),
    ],
    ids=["pings", "pongs", "long pings", "empty fragments"],
)
def test_a_flood_that_says_nothing_ends(attacker, flood):
    if flood.get("opcode") == 0:
        attacker.frame(TILT[:1], final=False)
    for _ in range(200_000):
        if not attacker.frame(**flood):
            break
    else:
        raise AssertionError("all of it was taken")
    code, reason = attacker.closing()
    # Whoever floods may have overrun the close frame; the end is what counts.
    assert code in (1008, None), reason


@pytest.mark.parametrize(
    "key", ["", "x", "AAAA", KEY + "=", KEY[:-2], "AAAAAAAAAAAAAAAAAAAAAA!=", "A" * 24]
)
def test_malformed_keys(pit, key):
    with Attacker(pit) as attacker:
        assert attacker.shake_hands(key=key) == 400


@pytest.mark.parametrize("version", [0, 8, 14, "13, 13", "x"])
def test_other_websockets(pit, version):
    with Attacker(pit) as attacker:
        assert attacker.shake_hands(version=version) in (400, 426)


@pytest.mark.parametrize(
    "line", [f"Sec-WebSocket-Key: {KEY}", "Sec-WebSocket-Version: 13", "Host: 127.0.0.1"]
)
def test_a_handshake_that_says_it_twice(pit, line):
    with Attacker(pit) as attacker:
        assert attacker.shake_hands(line) == 400


def test_frames_before_the_answer(pit):
    """Nobody may speak WebSocket before the server agreed to."""
    with Attacker(pit) as attacker:
        head = (
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{pit.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: stickerpit.v1\r\n\r\n"
        )
        attacker.send(head.encode() + struct.pack(">BB", 0x82, 0x80 | len(HELLO)) + bytes(4) + HELLO)
        everything = attacker.all()
    assert everything.count(b"HTTP/1.1") <= 1


def test_handshakes_without_end_leave_room(pit):
    """One address shakes hands as fast as it can; another still gets in."""
    for _ in range(1500):
        try:
            with Attacker(pit, source="127.0.4.1") as attacker:
                attacker.send(b"GET /ws HTTP/1.1\r\n")
        except OSError:
            break

    def newcomer():
        with Attacker(pit, source="127.0.4.2") as honest:
            return honest.shake_hands() == 101

    until(newcomer)
