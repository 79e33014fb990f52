"""Every message but the frames: client messages both ways, server messages read (PROTOCOL.md).

A message is told as a dictionary: `type` is its first byte, the other names are those of the
golden files.
"""

import struct

from .errors import Malformed, require

VERSION = 9
STREAMS, PROFILES, RATES = ("state", "replica"), ("strict", "visual"), (60, 30, 20, 10)
# What a hello adds to the stream's number for a client that only watches.
WATCHING = 2

HELLO, TILT, DROP, THROW, CLOCK = 0x01, 0x02, 0x03, 0x04, 0x05
GRAB, MOVE, RELEASE, SNAP, SAY, STREAM = 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B
AIMED, REPORT = 0x0C, 0x0D
WELCOME, EVENTS, CLOCK_ECHO, NOTICE, RECEIPT = 0x81, 0x85, 0x86, 0x87, 0x89
COME_BACK, LATE_TILT = 0x8B, 0x8C
AIMABLE = (TILT, DROP, THROW, GRAB, MOVE, RELEASE, SNAP, SAY)
OUTCOMES = ("carriedOut", "refused", "leftOut")

CLIENT_LIMIT, SERVER_LIMIT = 128, 1 << 20
SLOTS, NAME_LIMIT, WORDS_LIMIT, ANNOUNCEMENT_LIMIT = 16384, 32, 64, 120
# With this code a connection ends whose person the host removed, or whose address it keeps out.
REMOVED = 4003
PEOPLE_LIMIT, EVENT_LIMIT, RECEIPT_LIMIT = 12, 64, 64


class _Reader:
    """Fields one after the other; ending inside one, or after the last, is malformed."""

    def __init__(self, message, limit):
        require(0 < len(message) <= limit, "a message of a wrong length")
        self.message, self.at = message, 0

    def take(self, layout):
        size = struct.calcsize("<" + layout)
        require(self.at + size <= len(self.message), "a message ends inside a field")
        fields = struct.unpack_from("<" + layout, self.message, self.at)
        self.at += size
        return fields[0] if len(fields) == 1 else fields

    def named(self, layout, *names):
        fields = self.take(layout)
        return dict(zip(names, fields if isinstance(fields, tuple) else (fields,)))

    def text(self, length, limit):
        require(length <= limit, "a text too long")
        try:
            return self.take(f"{length}s").decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed("a text that is not UTF-8") from None

    @property
    def left(self):
        return len(self.message) - self.at

    def end(self):
        require(self.left == 0, "a message goes on after its end")


# Client messages of fixed length: case, layout and names of the fields.
_FIXED = {
    TILT: ("tilt", "hh", ("x", "y")),
    DROP: ("drop", "Bhh", ("kind", "x", "y")),
    THROW: ("throwSticker", "hhhh", ("x", "y", "velocityX", "velocityY")),
    CLOCK: ("clock", "I", ("stamp",)),
    GRAB: ("grab", "HHhh", ("slot", "generation", "x", "y")),
    MOVE: ("move", "Hhh", ("slot", "x", "y")),
    RELEASE: ("release", "Hhh", ("slot", "velocityX", "velocityY")),
    SNAP: ("snap", "HHhh", ("slot", "generation", "x", "y")),
    REPORT: ("report", "HHHH", ("rollbacks", "replayedTicks", "corrections", "wrongWorlds")),
}

# Kinds of events: case, layout and names of the numbers.
_EVENTS = {
    1: ("floorWarning", "", ()),
    2: ("floorOpened", "", ()),
    3: ("floorClosed", "", ()),
    4: ("rainBegan", "BH", ("keyword", "client")),
    5: ("contactBegan", "HHhh", ("slot", "other", "x", "y")),
    6: ("contactEnded", "HHhh", ("slot", "other", "x", "y")),
    7: ("grabRefused", "HH", ("slot", "holder")),
}


def hello(
    rate=60, profile="strict", token=b"", stream="state", version=VERSION, known_tick=None,
    watching=False,
):
    kind = STREAMS.index(stream) + (WATCHING if watching else 0)
    head = (HELLO, version, kind, rate, PROFILES.index(profile))
    known = b"" if known_tick is None else struct.pack("<I", known_tick)
    return struct.pack("<BHBBB", *head) + token + known


def stream(rate, profile, kind="state"):
    """Asks for a stream, or for the beginning of the one that is here."""
    return struct.pack("<BBBB", STREAM, STREAMS.index(kind), rate, PROFILES.index(profile))


def aimed(tick, message):
    """A tilt or a command for a tick."""
    return struct.pack("<BI", AIMED, tick) + message


def say(words):
    return bytes([SAY]) + words.encode()


def command(kind, *fields):
    """A client message of fixed length."""
    return struct.pack("<B" + _FIXED[kind][1], kind, *fields)


def encode_client(meaning):
    """The bytes of a client message that a dictionary tells."""
    kind = meaning["type"]
    if kind == HELLO:
        token = bytes.fromhex(meaning.get("resumeToken", ""))
        wanted = (meaning[name] for name in ("rate", "profile"))
        known = meaning.get("knownTick")
        watching = meaning["isWatching"]
        return hello(*wanted, token, meaning["stream"], meaning["version"], known, watching)
    if kind == AIMED:
        message = meaning["message"]
        return aimed(meaning["at"], encode_client({"type": _type_of(message["case"]), **message}))
    if kind == SAY:
        return say(meaning["value"])
    if kind == STREAM:
        return stream(meaning["rate"], meaning["profile"], meaning["kind"])
    return command(kind, *(meaning[name] for name in _FIXED[kind][2]))


def decode_client(message):
    reader = _Reader(message, CLIENT_LIMIT)
    kind = reader.take("B")
    if kind == HELLO:
        meaning = _hello(reader)
    elif kind == SAY:
        require(reader.left > 0, "no words")
        meaning = {"case": "say", "value": reader.text(reader.left, WORDS_LIMIT)}
    elif kind == STREAM:
        kinds = reader.take("B")
        require(kinds < len(STREAMS), "an unknown stream")
        meaning = {"case": "stream", "kind": STREAMS[kinds], **_rate_and_profile(reader)}
    elif kind == AIMED:
        meaning = {"case": "aimed", "at": reader.take("I")}
        message = decode_client(reader.take(f"{reader.left}s"))
        require(message.pop("type") in AIMABLE, "a message that no tick can be named for")
        meaning["message"] = message
    elif kind in _FIXED:
        case, layout, names = _FIXED[kind]
        meaning = {"case": case, **reader.named(layout, *names)}
        require(meaning.get("slot", 0) < SLOTS, "a slot out of range")
        require(kind != DROP or meaning["kind"] < 16, "a kind out of range")
    else:
        raise Malformed("an unknown type")
    reader.end()
    return {"type": kind, **meaning}


def _hello(reader):
    version, kind = reader.take("HB")
    require(kind < len(STREAMS) + WATCHING, "an unknown stream")
    meaning = {"case": "hello", "version": version, "stream": STREAMS[kind % WATCHING]}
    meaning["isWatching"] = kind >= WATCHING
    meaning |= _rate_and_profile(reader)
    if reader.left:
        meaning["resumeToken"] = reader.take("16s").hex(" ")
    if reader.left:
        meaning["knownTick"] = reader.take("I")
    return meaning


def _type_of(case):
    return next((kind for kind in _FIXED if _FIXED[kind][0] == case), SAY)


def _rate_and_profile(reader):
    rate, profile = reader.take("BB")
    require(rate in RATES, "a rate that is not offered")
    require(profile < len(PROFILES), "an unknown profile")
    return {"rate": rate, "profile": PROFILES[profile]}


def decode_server(message):
    """A server message that is no frame."""
    reader = _Reader(message, SERVER_LIMIT)
    kind = reader.take("B")
    readers = {
        WELCOME: _welcome, EVENTS: _events, CLOCK_ECHO: _clock_echo, NOTICE: _notice,
        RECEIPT: _receipt, COME_BACK: _come_back, LATE_TILT: _late_tilt,
    }
    require(kind in readers, "an unknown type")
    meaning = readers[kind](reader)
    reader.end()
    return {"type": kind, **meaning}


def _colour(reader):
    blue, green, red = reader.take("BBB")
    return red << 16 | green << 8 | blue


def _welcome(reader):
    meaning = {"case": "welcome", **reader.named("HH", "version", "clientID")}
    meaning["colour"] = _colour(reader)
    meaning["name"] = reader.text(reader.take("B"), NAME_LIMIT)
    meaning["token"] = reader.take("16s").hex(" ")
    names = ("tick", "tickRate", "worldWidth", "worldHeight", "scene", "bodyCap", "commandsBefore")
    meaning |= reader.named("IBHHBHI", *names)
    if reader.left:
        name = {"digest": reader.take("Q"), "name": reader.text(reader.take("B"), NAME_LIMIT)}
        meaning["stickers"] = name
    return meaning


def _clock_echo(reader):
    return {"case": "clockEcho", **reader.named("III", "stamp", "tick", "microseconds")}


def _notice(reader):
    kind = reader.take("B")
    if kind == 1:
        return {"case": "notice", "value": reader.take("B")}
    if kind == 2:
        flags = reader.take("B")
        require(flags & ~3 == 0, "unknown flags")
        announcement = reader.text(reader.take("B"), ANNOUNCEMENT_LIMIT)
        return {
            "case": "notice", "isFrozen": bool(flags & 1), "isLocked": bool(flags & 2),
            "announcement": announcement,
        }
    if kind == 3:
        return {"case": "notice", **_person(reader)}
    if kind == 4:
        rule = reader.take("B")
        require(rule <= 2, "an unknown tilt rule")
        if rule < 2:
            return {"case": "notice", "value": ("everybody", "nobody")[rule]}
        ticks = reader.take("H")
        return {"case": "notice", "ticksLeft": ticks, "0": _person(reader)}
    if kind == 5:
        return {"case": "notice", "value": _tilts(reader)}
    require(kind == 0, "an unknown notice")
    count, listed = reader.take("HB")
    require(listed <= PEOPLE_LIMIT, "too many people")
    return {"case": "notice", "count": count, "listed": [_person(reader) for _ in range(listed)]}


def _tilts(reader):
    count = reader.take("B")
    require(count <= PEOPLE_LIMIT, "too many people")
    tilts = [reader.named("Hbb", "person", "x", "y") for _ in range(count)]
    for tilt in tilts:
        require(tilt["x"] ** 2 + tilt["y"] ** 2 <= 65**2, "a tilt that is too long")
    people = [tilt["person"] for tilt in tilts]
    require(people == sorted(set(people)), "people out of order")
    return tilts


def _person(reader):
    person = {"id": reader.take("H"), "colour": _colour(reader)}
    person["name"] = reader.text(reader.take("B"), NAME_LIMIT)
    return person


def _receipt(reader):
    tick, count = reader.take("IB")
    require(count <= RECEIPT_LIMIT, "too many commands")
    commands = []
    for _ in range(count):
        number, outcome = reader.take("IB")
        require(outcome < len(OUTCOMES), "an unknown outcome")
        commands.append({"number": number, "outcome": OUTCOMES[outcome]})
    return {"case": "receipt", "tick": tick, "commands": commands}


def _come_back(reader):
    return {"case": "comeBack", "afterMilliseconds": reader.take("H")}


def _late_tilt(reader):
    return {"case": "lateTilt", **reader.named("II", "meant", "taken")}


def _events(reader):
    tick, count = reader.take("IB")
    require(count <= EVENT_LIMIT, "too many events")
    events = []
    for _ in range(count):
        kind = reader.take("B")
        require(kind in _EVENTS, "an unknown event")
        case, layout, names = _EVENTS[kind]
        # An event without numbers is told by its name alone.
        events.append({"case": case, **reader.named(layout, *names)} if names else case)
    return {"case": "events", "tick": tick, "events": events}
