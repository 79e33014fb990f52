"""A saved animator: its items, behaviours and boundaries, and the physics' world in it."""

from .errors import require
from .fields import Fields
from .savedphysics import read_physics

MARK = 0x44590004
GRAVITY, COLLISION, ITEM, PUSH, ATTACHMENT, SNAP, FIELD, COMPOSITE = range(8)
CHANGED, DRAGGED = 1, 2
# Words of a region's operations: infinite, circle, rectangle, inverse, union, difference, intersection.
_REGION = (0, 1, 2, 0, 0, 0, 0)


def _member(fields):
    return {"item": fields.name(), "place": fields.point(), "turn": fields.point()}


def _rest(fields):
    place, turn, velocity = fields.point(), fields.point(), fields.point()
    return {"place": place, "turn": turn, "velocity": velocity, "spin": fields.number()}


def _item(fields):
    head = fields.word((1 << 17) - 1)
    if not head & 1:
        return None
    tag = fields.word(0xFFFF)
    item = {"generation": head >> 1, "kind": tag & 255, "size": tag >> 8}
    item["members"] = fields.list(lambda: _member(fields))
    has_body = fields.flag()
    return item | ({"body": fields.name()} if has_body else {"rest": _rest(fields)})


# Behaviours: each reads what its kind keeps, and returns its items.


def _items(fields):
    return fields.list(fields.name)


def _gravity(fields):
    items = _items(fields)
    fields.numbers(4)
    return items


def _boundary(fields):
    fields.signed()
    kind = fields.word(2)
    if kind == 1:
        fields.list(fields.point)
        fields.flag()
    else:
        fields.numbers(4)


def _collision(fields):
    fields.word(2)
    items = _items(fields)
    fields.flag()
    fields.numbers(4)
    fields.list(lambda: _boundary(fields))
    return items


def _properties(fields):
    items = _items(fields)
    fields.word(255)
    fields.numbers(6)
    fields.flag()
    fields.flag()
    return items


def _push(fields):
    fields.word(1)
    items = _items(fields)
    offsets = fields.list(fields.point)
    require(len(offsets) == len(items), "a push without a point for each item")
    fields.flag()
    fields.numbers(4)
    return items


def _attachment(fields):
    fields.word(4)
    items = _items(fields)
    require(len(items) in (1, 2), "an attachment of so many items")
    # Offsets, axis and anchor; length, frequency, damping, friction.
    fields.numbers(8 + 4)
    fields.flag()
    fields.numbers(2)
    # The joint's name, the anchor at the last step, whether it jumped.
    fields.name()
    fields.point()
    fields.flag()
    return items


def _snap(fields):
    items = _items(fields)
    require(len(items) == 1, "a snap of so many items")
    fields.numbers(3)
    return items


def _field(fields):
    fields.word(255)
    items = _items(fields)
    fields.numbers(3)
    fields.list(lambda: fields.numbers(_REGION[fields.word(len(_REGION) - 1)]))
    fields.numbers(6)
    fields.word()
    return items


_BEHAVIOURS = {
    GRAVITY: _gravity, COLLISION: _collision, ITEM: _properties, PUSH: _push,
    ATTACHMENT: _attachment, SNAP: _snap, FIELD: _field, COMPOSITE: lambda _: [],
}  # fmt: skip


def _behaviour(fields):
    head = fields.word((1 << 17) - 1)
    if not head & 1:
        return None
    composite, channel = fields.signed(), fields.signed()
    require(composite >= -1 and channel >= -1, "no composite or channel")
    kind = fields.word(COMPOSITE)
    return {"generation": head >> 1, "kind": kind, "items": _BEHAVIOURS[kind](fields)}


def _owner(fields):
    life, name, has_id, number = fields.word(2), fields.name(), fields.flag(), fields.signed()
    require(has_id or number == 0, "the number of a boundary that has none")
    return life, name


def _dragged(fields):
    return fields.word(), fields.point(), fields.number()


def _named(records):
    """Those that exist, by their names."""
    return {(slot, one["generation"]): one for slot, one in enumerate(records) if one}


def read_animator(data):
    """A saved animator; every byte of it is read."""
    fields = Fields(data)
    require(fields.word() == MARK, "no animator, or of another layout")
    animator = {"bounds": fields.numbers(4), "steps": fields.wide(), "isPaused": fields.flag()}
    flags = fields.word(CHANGED | DRAGGED)
    fields.word()
    items = _named(fields.list(lambda: _item(fields)))
    behaviours = _named(fields.list(lambda: _behaviour(fields)))
    order = fields.list(fields.word)
    require(sorted(order) == [slot for slot, _ in behaviours], "behaviours that are not in order once")
    owners = fields.list(lambda: _owner(fields))
    if flags & DRAGGED:
        require(fields.list(lambda: _dragged(fields)), "dragged items, but none")
    physics = read_physics(fields.block())
    fields.end()
    _link(items, behaviours, owners, physics)
    kinds = {name: one["kind"] for name, one in behaviours.items()}
    return animator | {"items": items, "behaviours": kinds, "physics": physics}


def _link(items, behaviours, owners, physics):
    """Names are those of what there is."""
    for one in behaviours.values():
        require(set(one["items"]) <= set(items), "a behaviour of an item that there is not")
    # A boundary that is gone keeps its place, and the name of whoever had it.
    for life, name in owners:
        is_right = life != 1 or behaviours.get(name, {}).get("kind") == COLLISION
        require(is_right, "a boundary of what has none")
    tied = sum(one["kind"] == ATTACHMENT for one in behaviours.values())
    require(tied == physics["joints"], "joints that are not those of the attachments")
    bodies = [item["body"] for item in items.values() if "body" in item]
    require(sorted(bodies) == sorted(physics["bodies"]), "bodies that are not those of the items")
