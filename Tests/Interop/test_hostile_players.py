"""Players who break the rules of the game; honest ones from other addresses notice nothing."""

import random
import struct

import pytest
from attacker import Attacker, honest_bots
from pitclient import messages
from pitserver import until

HELLO = messages.hello()
TILT, DROP, THROW, GRAB, MOVE, RELEASE, SNAP, SAY = 2, 3, 4, 6, 7, 8, 9, 10
STREAM, AIMED = 0x0B, 0x0C
WELCOME, RECEIPT = 0x81, 0x89


@pytest.fixture(scope="module")
def pit(start_module_pit):
    return start_module_pit("--bodies", "60")


@pytest.fixture(scope="module")
def start_module_pit():
    from pitserver import PitServer

    servers = []

    def start(*flags):
        servers.append(PitServer(*flags))
        return servers[-1]

    yield start
    for server in servers:
        assert server.stop() == 0


@pytest.fixture(scope="module", autouse=True)
def crowd(pit):
    with honest_bots(pit):
        yield


def player(pit, source="127.0.0.2", token=b""):
    attacker = Attacker(pit, source=source)
    assert attacker.shake_hands() == 101
    attacker.frame(HELLO + token)
    for _, payload in attacker.frames():
        if payload[0] == WELCOME:
            length = payload[8]
            attacker.number = struct.unpack_from("<H", payload, 3)[0]
            attacker.token = payload[9 + length : 25 + length]
            return attacker
    raise AssertionError(f"no welcome: {attacker.closing()}")


def drop_everything(attacker, message, count):
    """Sends one message over and over; gives the close."""
    for _ in range(count):
        if not attacker.frame(message):
            break
    return attacker.closing()


@pytest.mark.parametrize(
    "message, count, limit",
    [
        (struct.pack("<Bhh", TILT, 1, 1), 10_000, "tilt"),
        (struct.pack("<BBhh", DROP, 1, 100, 100), 1000, "commands"),
        (struct.pack("<BHhh", MOVE, 3, 100, 100), 10_000, "moves"),
        (struct.pack("<B", SAY) + b"happy birthday", 100, "words"),
        (struct.pack("<BI", 5, 1), 1000, "clock"),
        (struct.pack("<BBBB", STREAM, 0, 60, 0), 100, "stream"),
        (struct.pack("<BIBhh", AIMED, 100, TILT, 1, 1), 10_000, "tilt"),
        (struct.pack("<BIBBhh", AIMED, 100, DROP, 1, 100, 100), 1000, "commands"),
    ],
    ids=["tilt", "drop", "move", "say", "clock", "stream", "aimed tilt", "aimed drop"],
)
def test_too_much_of_anything_closes_with_the_limits_name(pit, message, count, limit):
    with player(pit) as attacker:
        # In one piece, so that no close comes between two of them.
        frame = struct.pack(">BB", 0x82, 0x80 | len(message)) + bytes(4) + message
        attacker.send(frame * count)
        code, reason = attacker.closing()
    assert code in (1008, None)
    assert code is None or limit in reason or "frames" in reason or "bytes" in reason


def test_commands_outside_the_world_do_nothing_bad(pit):
    rng = random.Random(1)
    extremes = [-32768, -1, 0, 1, 32767]

    def number():
        return rng.choice([rng.choice(extremes), rng.randrange(-32768, 32768)])

    with player(pit) as attacker:
        for index in range(300):
            attacker.frame(struct.pack("<BBhh", DROP, rng.randrange(16), number(), number()))
            attacker.frame(struct.pack("<Bhhhh", THROW, *(number() for _ in range(4))))
            slot = rng.choice([0, 1, rng.randrange(80), 16383])
            attacker.frame(struct.pack("<BHHhh", GRAB, slot, rng.randrange(3), number(), number()))
            attacker.frame(struct.pack("<BHhh", MOVE, slot, number(), number()))
            attacker.frame(struct.pack("<BHhh", RELEASE, slot, number(), number()))
            attacker.frame(struct.pack("<BHHhh", SNAP, slot, rng.randrange(3), number(), number()))
            # Within the limits: five commands, a quarter of a second's allowance.
            pit.wait_for_tick(pit.health()["tick"] + 15) if index % 3 == 2 else None
            if index == 29:
                break
    for body in pit.world()["bodies"]:
        assert -1600 < body["x"] < 16 * 2000 and -1600 < body["y"] < 16 * 2000


@pytest.mark.parametrize("message", [b"", b"\xff", bytes([SAY]), bytes([SAY]) + b"\xff" * 10,
                                     messages.hello(rate=59),
                                     struct.pack("<BBBB", STREAM, 2, 60, 0),
                                     struct.pack("<BI", AIMED, 9),
                                     struct.pack("<BIBI", AIMED, 9, 5, 1),
                                     struct.pack("<BIBIBhh", AIMED, 9, AIMED, 9, TILT, 0, 0),
                                     struct.pack("<BBhh", DROP, 16, 0, 0),
                                     struct.pack("<BHhh", MOVE, 16384, 0, 0), HELLO], ids=repr)
def test_malformed_messages_close_with_1002(pit, message):
    with player(pit) as attacker:
        attacker.frame(message)
        assert attacker.closing()[0] == 1002


def test_guessed_tokens_are_nobodys(pit):
    names = set()
    for seed in range(20):
        with player(pit, token=random.Random(seed).randbytes(16)) as stranger:
            names.add(stranger.number)
            assert stranger.token != random.Random(seed).randbytes(16)
    assert names


def test_a_stolen_token_changes_hands_and_cannot_be_fought_over_for_free(pit):
    first = player(pit, source="127.0.5.1")
    second = player(pit, source="127.0.5.2", token=first.token)
    assert second.number == first.number
    assert first.closing()[0] == 4002
    first.socket.close()
    # Two that take it from each other again and again are slowed down or sent away.
    holder, refused = second, False
    for turn in range(200):
        rival = Attacker(pit, source=f"127.0.5.{turn % 2 + 1}")
        if rival.shake_hands() != 101:
            refused = True
            break
        rival.frame(HELLO + second.token)
        answer = next((payload for _, payload in rival.frames()), b"")
        holder.socket.close()
        holder = rival
        if not answer or answer[0] != WELCOME:
            refused = True
            break
    holder.socket.close()
    assert refused


def test_what_others_hold_stays_theirs(pit):
    """Somebody takes a sticker; a rival tries everything for two seconds."""
    with player(pit, source="127.0.6.1") as owner, player(pit, source="127.0.6.2") as rival:

        def taken():
            """The sticker in the owner's hand; without one it grabs one that is free just now. By the
            time that a grab arrives it may be elsewhere, gone, or in a bot's hand."""
            world = pit.world()
            holders = {held["slot"]: held["client"] for held in world["holders"]}
            for body in world["bodies"]:
                if holders.get(body["slot"]) == owner.number:
                    return body
            body = next(body for body in world["bodies"] if body["slot"] not in holders)
            place = body["x"] // 2, body["y"] // 2
            owner.frame(struct.pack("<BHHhh", GRAB, body["slot"], body["generation"], *place))
            return None

        body = until(taken, every=0.3)
        x, y = body["x"] // 2, body["y"] // 2
        slot, generation = body["slot"], body["generation"]

        def holder():
            return {held["slot"]: held["client"] for held in pit.world()["holders"]}.get(slot)

        for _ in range(8):
            rival.frame(struct.pack("<BHHhh", GRAB, slot, generation, x, y))
            rival.frame(struct.pack("<BHhh", MOVE, slot, 0, 0))
            rival.frame(struct.pack("<BHhh", RELEASE, slot, 9999, 9999))
            rival.frame(struct.pack("<BHHhh", SNAP, slot, generation, 0, 0))
        pit.wait_for_tick(pit.health()["tick"] + 30)
        assert holder() == owner.number
    until(lambda: slot not in {held["slot"] for held in pit.world()["holders"]})


def test_receipts_tell_what_became_of_commands(pit):
    with player(pit) as client:
        client.frame(struct.pack("<BBhh", DROP, 1, 800, 800))
        client.frame(struct.pack("<BHHhh", GRAB, 16000, 7, 0, 0))
        outcomes = {}
        for _, payload in client.frames():
            if payload[0] == RECEIPT:
                for index in range(payload[5]):
                    number, outcome = struct.unpack_from("<IB", payload, 6 + 5 * index)
                    outcomes[number] = outcome
            if len(outcomes) == 2:
                break
        assert outcomes == {1: 0, 2: 1}
