"""A saved world of the physics, as somebody who joins gets it: its caches were dropped."""

from .errors import require
from .fields import Fields

MARK = 0x53500005
CIRCLE, CAPSULE, POLYGON = 0, 1, 3
PRISMATIC = 4
# Of the head.
DROPPED, LEAVES_OUT = 1, 4
# Of a joint.
LIMITS, HELD_BACK = 1, 32
EXISTS, ASLEEP, JUMPED = 1, 2, 4
# Of a boundary, besides `EXISTS`.
JOINED_AT_START, JOINED_AT_END, SIBLINGS = 4, 8, 16
TOUCHED, BACK = 1, 8
# How many impulses a pair remembers.
IMPULSES = (0, 2, 4)
CAPACITY_AT_MOST = 16384


def _flag(fields, most=1):
    value = fields.take("B")
    require(value <= most, "flags that nobody knows")
    return value


def _count(fields):
    """So many things, of a byte each at least."""
    count = fields.take("I")
    require(count <= fields.left, "more things than there are bytes")
    return count


def _many(fields, letter, count):
    values = fields.take(f"{count}{letter}")
    return values if isinstance(values, tuple) else (values,)


def _configuration(fields):
    require(0 < fields.take("I") <= CAPACITY_AT_MOST, "a capacity out of range")
    fields.numbers(5)
    _flag(fields)
    fields.take("2fB")


def _shape(fields):
    """Whether it is left out, as those that bodies have are: their stickers' kinds and sizes tell them."""
    if _flag(fields):
        return True
    kind = _flag(fields, POLYGON)
    fields.numbers(3)
    corners = fields.take("B")
    allowed = {POLYGON: range(3, 9), CIRCLE: (0, 1), CAPSULE: (0, 2)}
    require(corners in allowed.get(kind, (0,)), "corners of what has none")
    fields.numbers(2 * corners)
    return False


def _properties(fields):
    _flag(fields)
    _flag(fields)
    fields.numbers(6)
    fields.take("2I")


def _bodies(fields, shapes, properties):
    """The names of the bodies, in the order of their rows. Those of stickers have shapes that are left out."""
    slots, forces_are_set = _count(fields), _flag(fields)
    generations = _many(fields, "H", slots)
    states = _many(fields, "B", slots)
    require(all(state <= EXISTS | ASLEEP | JUMPED for state in states), "a state that nobody knows")
    rows = _many(fields, "H", _count(fields))
    # Gaps are closed where caches are dropped.
    there = [slot for slot, state in enumerate(states) if state & EXISTS]
    require(sorted(rows) == there, "rows that are not those of the bodies")
    for _ in rows:
        _, _, cosine, sine = fields.numbers(4)
        require(abs(cosine**2 + sine**2 - 1) < 0.01, "an angle that is none")
    fields.numbers(3 * len(rows))
    for slot in rows:
        _, shape, like, _ = fields.take("BHHI")
        require(shape < len(shapes) and like < properties, "a shape or properties that there are not")
        require(shapes[shape], "a shape that is not left out")
        if forces_are_set:
            fields.numbers(4)
        if states[slot] & ASLEEP:
            require(states[fields.take("H")] & ASLEEP, "a group that does not sleep")
    return [(slot, generations[slot]) for slot in rows]


def _boundary(fields):
    flags = _flag(fields, 2 * SIBLINGS - 1)
    if not flags & EXISTS:
        require(flags == 0, "flags of a boundary that is gone")
        return
    fields.take("iI")
    fields.numbers(6 + 1)
    for joined in (JOINED_AT_START, JOINED_AT_END):
        if flags & joined:
            fields.numbers(2)


def _joint(fields, bodies):
    exists, _ = _flag(fields), fields.take("H")
    if not exists:
        return 0
    _flag(fields, PRISMATIC)
    _flag(fields)
    flags = fields.take("B")
    require(flags & ~(LIMITS | HELD_BACK) == 0, "flags of a joint that no pit has")
    slots = {slot for slot, _ in bodies}
    require(fields.take("H") in slots, "a joint of nobody")
    require(fields.take("i") in slots | {-1}, "a joint with nobody")
    # Anchors, axis; length to friction; impulses; the anchor's way.
    fields.numbers(6 + 8 + 6 + 2)
    _flag(fields)
    if flags & HELD_BACK:
        fields.number()
    return 1


def _ended(fields):
    slot, _ = fields.take("HH")
    require(slot < CAPACITY_AT_MOST, "a slot out of range")
    fields.take("i" if _flag(fields) else "HH")
    fields.numbers(4)


def _memory(fields):
    """What pairs remember: of bodies, then of bodies and boundaries."""
    pairs = _many(fields, "B", _count(fields))
    edges = _many(fields, "B", _count(fields))
    codes = [code & ~TOUCHED for code in pairs] + [code & ~(TOUCHED | BACK) for code in edges]
    require(all(code in IMPULSES for code in codes), "a code that nobody knows")
    _many(fields, "H", sum(codes))
    return len(pairs), len(edges)


def read_physics(data):
    """A saved world; every byte of it is read."""
    fields = Fields(data)
    require(fields.word() == MARK, "no world, or of another layout")
    require(fields.take("B") == DROPPED | LEAVES_OUT, "caches that were not dropped, or shapes")
    _configuration(fields)
    world = {"tick": fields.wide(), "gravity": fields.point()}
    require(fields.number() >= 0, "a square below 0")
    shapes = [_shape(fields) for _ in range(_count(fields))]
    properties = [_properties(fields) for _ in range(_count(fields))]
    world["bodies"] = _bodies(fields, shapes, len(properties))
    world["boundaries"] = [_boundary(fields) for _ in range(_count(fields))]
    world["joints"] = sum(_joint(fields, world["bodies"]) for _ in range(_count(fields)))
    for _ in range(_count(fields)):
        _ended(fields)
    world["pairs"] = _memory(fields)
    fields.end()
    return world
