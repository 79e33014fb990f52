"""The log of the world: a snapshot, then what each tick depended on (PROTOCOL.md, 0x8A and 0x90)."""

import struct

from .errors import require

SNAPSHOT, RECORDS = 0x8A, range(0x90, 0xA0)
GRAVITY, COMMANDS, HASH, RARE = 1, 2, 4, 8
TILTING, DROPS_CACHES, ACTS, TILT_RULE, DROP_NOTICE = 1, 2, 4, 8, 16
MOST_ACTS = 16
EVERYBODY, NOBODY, ONE_PERSON = range(3)
# Bytes of a snapshot before the tilt rule: the type, tick, gravities and people who tilt; and before
# the packed world.
RULE_STARTS = 1 + 4 + 8 + 2
HEAD_BYTES = RULE_STARTS + 7
WIDTHS = (3, 7, 11, 16)

# Fields of a command after its client, its number and its kind.
_COMMANDS = (
    ("drop", "x y kind8"), ("throwSticker", "x y velocityX velocityY"),
    ("grab", "x y slot generation"), ("move", "x y slot"), ("release", "velocityX velocityY slot"),
    ("snap", "x y slot generation"), ("say", "keyword8"), ("leave", ""),
)

# Fields of what the host does, after its kind, with their bits.
_ACTS = (
    ("begin", {"scene": 8, "bodies": 16, "maxBodies": 16, "shape": 8, "seed": 64}), ("clear", {}),
    ("freeze", {}), ("unfreeze", {}), ("gravity", {"percent": 16}), ("mostBodies", {"count": 16}),
)


class _Bits:
    """The bits of a message, the lowest of a byte first."""

    def __init__(self, message):
        self.message, self.at = message, 0

    @property
    def left(self):
        return 8 * len(self.message) - self.at

    def take(self, count):
        require(count <= self.left, "a record ends inside a field")
        value = 0
        for place in range(count):
            value |= (self.message[self.at >> 3] >> (self.at & 7) & 1) << place
            self.at += 1
        return value

    def signed(self, count):
        value = self.take(count)
        return value - (1 << count) if value >> (count - 1) else value

    def varying(self):
        value, place = 0, 0
        while True:
            group = self.take(5)
            value |= (group & 15) << place
            require(value < 1 << 32, "a number of more than 32 bits")
            if group < 16:
                require(group > 0 or place == 0, "a number that is longer than it need be")
                return value
            place += 4

    def fill(self):
        require(self.take(-self.at % 8) == 0, "a record goes on after its end")


class Log:
    """What a replica knows of the log: tick, gravity and whose tilts it is made of, and what comes
    next."""

    def __init__(self, snapshot):
        require(snapshot[0] == SNAPSHOT and len(snapshot) > HEAD_BYTES, "no snapshot")
        self.tick, *numbers, self.tilting = struct.unpack_from("<IhhhhH", snapshot, 1)
        self.gravity, self._earlier = tuple(numbers[:2]), tuple(numbers[2:])
        self.tilt_rule = _tilt_rule(_Bits(snapshot[RULE_STARTS:HEAD_BYTES]))

    def read(self, message):
        """The records of a message."""
        bits, records = _Bits(message), []
        while bits.left:
            records.append(self._next(bits))
        return records

    def split(self, message):
        """The records of a message as they came: their bytes, by their ticks."""
        bits, records = _Bits(message), {}
        while bits.left:
            begins = bits.at // 8
            tick = self._next(bits)["tick"]
            records[tick] = message[begins : bits.at // 8]
        return records

    def _next(self, bits):
        flags = bits.take(4)
        require(bits.take(4) == 9, "no record")
        rare = bits.take(8) if flags & RARE else 0
        require(rare < 32 and bool(rare) == bool(flags & RARE), "flags that nobody knows")
        self.tick = (self.tick + 1) & 0xFFFFFFFF
        record = {"tick": self.tick, "dropsCaches": bool(rare & DROPS_CACHES), "commands": []}
        before = self.gravity
        if flags & GRAVITY:
            width = WIDTHS[bits.take(2)]
            self.gravity = tuple(
                _wrapped(2 * now - earlier + bits.signed(width))
                for now, earlier in zip(self.gravity, self._earlier)
            )
            record["gravity"] = self.gravity
        self._earlier = before
        if rare & TILTING:
            record["tilting"] = self.tilting = bits.varying()
        if rare & TILT_RULE:
            record["tiltRule"] = self.tilt_rule = _tilt_rule(bits)
        if rare & DROP_NOTICE:
            record["dropNotice"] = bits.take(8)
            require(record["dropNotice"] > 0, "a notice of what is done already")
        if rare & ACTS:
            count = bits.varying()
            require(0 < count <= MOST_ACTS, "more acts than a host does in a tick, or none")
            record["acts"] = [_act(bits) for _ in range(count)]
        if flags & COMMANDS:
            record["commands"] = [_command(bits) for _ in range(bits.varying())]
            require(record["commands"], "commands, but none")
        if flags & HASH:
            record["hash"] = bits.take(64)
        bits.fill()
        return record


def _wrapped(value):
    return (value + 0x8000) % 0x10000 - 0x8000


def _tilt_rule(bits):
    """Whose tilts count, and from which tick on the pit is the next one's."""
    rule = {"rule": bits.take(8), "person": bits.take(16), "ends": bits.take(32)}
    is_empty = rule["person"] == rule["ends"] == 0
    is_known = rule["rule"] == ONE_PERSON or (rule["rule"] in (EVERYBODY, NOBODY) and is_empty)
    require(is_known, "a tilt rule that nobody knows")
    return rule


def _act(bits):
    kind = bits.take(4)
    require(kind < len(_ACTS), "an act that nobody knows")
    name, fields = _ACTS[kind]
    return {"case": name, **{field: bits.take(width) for field, width in fields.items()}}


def _command(bits):
    command = {"client": bits.varying(), "sequence": bits.varying()}
    require(command["client"] < 1 << 16, "a client's number out of range")
    kind = bits.take(4)
    require(kind < len(_COMMANDS), "a command that nobody knows")
    command["case"], fields = _COMMANDS[kind]
    for field in fields.split():
        if field.endswith("8"):
            command[field[:-1]] = bits.take(8)
        elif field in ("slot", "generation"):
            command[field] = bits.take(16)
        else:
            command[field] = bits.signed(16)
    return command
