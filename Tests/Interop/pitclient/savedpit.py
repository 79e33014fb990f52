"""A saved pit: what a snapshot holds besides the animator, and how its parts name each other."""

from .errors import require
from .fields import Fields
from .savedanimator import ATTACHMENT, COLLISION, GRAVITY, ITEM, PUSH, SNAP, read_animator

MARK = 0x50490005
PIT, RAIN, GALLERY, DRAG, TOSS = range(5)
HOST, STICKERS = 256, 512
KINDS_AT_MOST, CORNERS_AT_MOST = 16, 8
LEDGES = 6


def _host(fields):
    return {
        "isFrozen": fields.flag(), "frozenTicks": fields.word(), "percent": fields.word(300),
        "mostBodies": fields.optional(),
    }  # fmt: skip


def _form(fields):
    kind = fields.word(2 + CORNERS_AT_MOST)
    if kind == 0:
        return {"disc": fields.word(1000)}
    if kind == 1:
        return {"box": [fields.word(1000), fields.word(1000)], "rounding": fields.word(500)}
    require(kind >= 5, "an outline of fewer than three corners")
    rounding = fields.word(500)
    corners = [fields.halves() for _ in range(kind - 2)]
    require(all(abs(place) <= 500 for corner in corners for place in corner), "a corner outside")
    return {"outline": corners, "rounding": rounding}


def _kind(fields):
    return {
        "size": fields.word(200), "density": fields.word(400), "friction": fields.word(200),
        "elasticity": fields.word(90), "shape": _form(fields),
    }  # fmt: skip


def _hand(fields):
    return {
        "sticker": fields.name(), "client": fields.word(0xFFFF), "attachment": fields.name(),
        "margin": fields.number(), "finger": fields.point(), "hand": fields.point(),
    }  # fmt: skip


def _flight(fields):
    return {"sticker": fields.name(), "snap": fields.name(), "ends": fields.word()}


# The scenes' rules


def _ground(fields):
    return {"gravity": fields.name(), "collision": fields.name(), "item": fields.name()}


def _pit(fields):
    rules = _ground(fields) | {"waiting": fields.word(16384)}
    sizes = fields.word(0xFFFF)
    return rules | {"sizes": (sizes & 255, sizes >> 8)}


def _ledge(fields):
    return {
        "isThere": fields.flag(), "toucher": fields.optional(fields.name),
        "touched": fields.word(), "left": fields.optional(),
    }  # fmt: skip


def _rain(fields):
    return _ground(fields) | {
        "keyword": fields.optional(), "heard": fields.word(), "next": fields.word(),
        "burstLeft": fields.word(), "burstBegan": fields.word(), "count": fields.word(),
        "closes": fields.optional(), "ledges": [_ledge(fields) for _ in range(LEDGES)],
    }  # fmt: skip


def _gallery(fields):
    rules = {"gravity": fields.name(), "squares": fields.list(fields.name)}
    return rules | {
        "pushes": [fields.name() for _ in rules["squares"]],
        "lift": fields.optional(fields.name), "rod": fields.optional(fields.name),
        "returns": fields.optional(),
    }  # fmt: skip


def _drag(fields):
    rods = fields.list(lambda: (fields.name(), fields.name()))
    return {"squares": [rod[0] for rod in rods], "attachments": [rod[1] for rod in rods]}


def _card(fields):
    return {
        "item": fields.name(), "home": fields.point(), "push": fields.name(),
        "sets off": fields.optional(), "start": fields.point(), "angle": fields.number(),
    }  # fmt: skip


def _toss(fields):
    return {"cards": fields.list(lambda: _card(fields))}


_RULES = {PIT: _pit, RAIN: _rain, GALLERY: _gallery, DRAG: _drag, TOSS: _toss}


def read_pit(data):
    """A saved pit as a dictionary; every byte of it is read."""
    fields = Fields(data)
    require(fields.word() == MARK, "no pit, or of another layout")
    word = fields.word()
    require(word & 255 in _RULES and word < 2 * STICKERS, "a scene that nobody knows")
    pit = {"scene": word & 255, "gravity": fields.halves()}
    if word & HOST:
        pit["host"] = _host(fields)
    if word & STICKERS:
        pit["kinds"] = fields.list(lambda: _kind(fields))
        require(0 < len(pit["kinds"]) <= KINDS_AT_MOST, "a set of too many kinds, or none")
    pit["animator"] = read_animator(fields.block())
    pit |= {"chance": fields.wide(), "seed": fields.wide(), "tick": fields.word()}
    pit["stickers"] = fields.list(fields.name)
    pit["hands"] = fields.list(lambda: _hand(fields))
    pit["flights"] = fields.list(lambda: _flight(fields))
    pit["rules"] = _RULES[pit["scene"]](fields)
    fields.end()
    _link(pit)
    return pit


def _link(pit):
    """Names are those of items and of behaviours of the right kind."""
    animator, rules = pit["animator"], pit["rules"]
    stickers = pit["stickers"]
    require(sorted(stickers) == sorted(animator["items"]), "stickers that are not all items")
    held = [one["sticker"] for one in pit["hands"] + pit["flights"]]
    squares = rules.get("squares", []) + [card["item"] for card in rules.get("cards", [])]
    require(set(held + squares) <= set(stickers), "a sticker that there is not")
    named = {
        GRAVITY: [rules.get("gravity")], COLLISION: [rules.get("collision")],
        ITEM: [rules.get("item")], SNAP: [flight["snap"] for flight in pit["flights"]],
        PUSH: rules.get("pushes", []) + [card["push"] for card in rules.get("cards", [])]
        + [rules.get("lift")],
        ATTACHMENT: [hand["attachment"] for hand in pit["hands"]]
        + rules.get("attachments", []) + [rules.get("rod")],
    }  # fmt: skip
    for kind, names in named.items():
        for name in names:
            is_right = name is None or animator["behaviours"].get(name) == kind
            require(is_right, "a behaviour that there is not, or of another kind")
