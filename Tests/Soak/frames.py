"""Hostile senders who got their WebSocket: frames that RFC 6455 forbids, messages that PROTOCOL.md
does not know, and too much of what it does."""

import struct
import time

from attacker import CLOSE, PING, Attacker
from flood import masked
from pitclient import messages
from visits import Refused

HELLO = messages.hello()
TILT = messages.command(messages.TILT, 0, 16384)

# Each breaks the framing in another way and is answered with 1002.
FORBIDDEN = (
    dict(payload=TILT, masked=False),
    dict(payload=TILT, length=2),
    dict(payload=TILT, length=8),
    dict(payload=TILT, reserved=4),
    dict(payload=TILT, opcode=0x3),
    dict(payload=TILT, opcode=0x0),
    dict(payload=b"", opcode=PING, final=False),
    dict(payload=bytes(126), opcode=PING),
    dict(payload=b"\x03", opcode=CLOSE),
    dict(payload=struct.pack(">H", 1005), opcode=CLOSE),
)
# Each is a frame like any other that holds no message, and is answered with 1002 too.
MALFORMED = (
    b"",
    b"\xff",
    bytes([messages.SAY]),
    bytes([messages.SAY]) + b"\xff" * 10,
    messages.hello(rate=59),
    struct.pack("<BBBB", messages.STREAM, 2, 60, 0),
    struct.pack("<BI", messages.AIMED, 9),
    struct.pack("<BBhh", messages.DROP, 16, 0, 0),
    HELLO,
)
# More of each in one piece than any allowance holds; the close frame may be overrun by it.
FLOODS = (
    masked(TILT) * 10_000,
    masked(messages.command(messages.DROP, 1, 100, 100)) * 2000,
    masked(messages.command(messages.MOVE, 3, 100, 100)) * 10_000,
    masked(messages.say("happy birthday")) * 200,
    masked(messages.command(messages.CLOCK, 1)) * 2000,
    masked(messages.aimed(100, TILT)) * 10_000,
    b"\x89\x80\0\0\0\0" * 20_000,
)

# The server waits 15 s for a sign of life (`silence-seconds`) and 20 s for somebody to take something
# (`stalled-seconds`).
SILENCE_SECONDS = 22
# Within so many seconds of silence the server has noticed that somebody is gone, as PROTOCOL.md says
# of the limits that are set by default; and what a busy machine may add.
NOTICED_SECONDS = 15
GRACE_SECONDS = 1
# The server asks for a sign before it gives somebody up (`ping-seconds`).
ASKED_SECONDS = 10


def player(target, sources, token=b""):
    """A connection that has said hello."""
    attacker = Attacker(target, source=next(sources))
    assert (status := attacker.shake_hands()) == 101, f"no WebSocket but {status}"
    attacker.frame(messages.hello(token=token))
    return attacker


def expect(attacker, *codes):
    """The server says goodbye with one of the codes, or hangs up without any if None is one. Then this
    side is gone, and doesn't answer the close, for which the server must not wait for long."""
    code, reason = None, "nothing"
    for opcode, payload in attacker.frames():
        if opcode == CLOSE and len(payload) >= 2:
            code, reason = struct.unpack(">H", payload[:2])[0], payload[2:].decode()
            break
    if code == 1013:
        raise Refused
    assert code in codes, f"closed with {code} {reason} and not with {codes}"


def forbidden_frames(target, sources, chance):
    with player(target, sources) as attacker:
        attacker.frame(**chance.choice(FORBIDDEN))
        expect(attacker, 1002)


def malformed_messages(target, sources, chance):
    with player(target, sources) as attacker:
        attacker.frame(chance.choice(MALFORMED))
        expect(attacker, 1002)


def wrong_utf8(target, sources, chance):
    with player(target, sources) as attacker:
        attacker.frame(struct.pack(">H", 1000) + b"\xff\xfe" + chance.randbytes(9), opcode=CLOSE)
        expect(attacker, 1007)


def text(target, sources, _):
    with player(target, sources) as attacker:
        attacker.frame(b"hello", opcode=1)
        # Stays until the server is tired of waiting for an answer to its close.
        code, reason = attacker.closing()
    if code == 1013:
        raise Refused
    assert code == 1003, f"closed with {code} {reason}"


def oversize(target, sources, chance):
    with player(target, sources) as attacker:
        match chance.randrange(3):
            case 0:
                attacker.frame(bytes(chance.choice([129, 60_000, 70_000])))
            case 1:
                attacker.send(struct.pack(">BBQ", 0x82, 0xFF, 2**63 - 1) + b"\0\0\0\0abc")
            case 2:
                for index in range(200):
                    if not attacker.frame(b"\x02", opcode=0 if index else 2, final=False):
                        break
        # Who goes on sending may have overrun the close.
        expect(attacker, 1009, None)


def noise_as_frames(target, sources, chance):
    with Attacker(target, source=next(sources)) as attacker:
        assert attacker.shake_hands() == 101
        attacker.send(chance.randbytes(2000))
        attacker.all()


def flood(target, sources, chance):
    with player(target, sources) as attacker:
        attacker.send(chance.choice(FLOODS))
        expect(attacker, 1008, None)


def guessed_tokens(target, sources, chance):
    """A token that nobody has brings somebody new, who then leaves without a word."""
    with player(target, sources, token=chance.randbytes(16)) as attacker:
        for opcode, payload in attacker.frames():
            if opcode == CLOSE:
                raise Refused
            if payload[0] == messages.WELCOME:
                return
        raise AssertionError("no welcome")


def never_reads(target, sources, _):
    """Takes nothing and answers no ping for longer than the server bears; whatever is still in the
    pipe then is all that there is."""
    with Attacker(target, source=next(sources), receive_buffer=4096) as attacker:
        assert attacker.shake_hands() == 101
        attacker.frame(HELLO)
        time.sleep(SILENCE_SECONDS)
        attacker.all()


def out_of_reach(target, sources, _):
    """Says hello and then nothing more, neither a pong nor an end, like a phone that left the radio's
    reach. What it is sent is read only to see when the server gives it up."""
    with player(target, sources) as attacker:
        since = time.monotonic()
        opcodes, code = set(), None
        for opcode, payload in attacker.frames():
            opcodes.add(opcode)
            if opcode == CLOSE and len(payload) >= 2:
                code = struct.unpack(">H", payload[:2])[0]
                if code == 1013:
                    raise Refused
        silent = time.monotonic() - since
    assert PING in opcodes, "it was never asked for a sign of life"
    assert ASKED_SECONDS < silent <= NOTICED_SECONDS + GRACE_SECONDS, (
        f"given up after {silent:.2f} s of silence (close code {code}) and not within {NOTICED_SECONDS} s"
    )


def says_no_hello(target, sources, _):
    with Attacker(target, source=next(sources)) as attacker:
        assert attacker.shake_hands() == 101
        attacker.all()


KINDS = {
    "forbidden frames": forbidden_frames,
    "malformed messages": malformed_messages,
    "wrong UTF-8": wrong_utf8,
    "text": text,
    "oversize": oversize,
    "noise as frames": noise_as_frames,
    "flood": flood,
    "guessed tokens": guessed_tokens,
    "never reads": never_reads,
    "out of reach": out_of_reach,
    "says no hello": says_no_hello,
}
