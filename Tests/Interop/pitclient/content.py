"""A frame's content (§4): gravity, scenery, who leaves, who moved, who comes."""

from .cells import FreeCells
from .errors import require
from .models import START
from .moves import FARTHEST, decode_moves
from .world import Body


def decode_content(bits, world, frames, coarse_factor, keyframe=False):
    _gravity(bits, world)
    if not bits.bit(START["SCENERY_STAYS"]):
        _scenery(bits, world)
    bodies_stay = bits.bit(START["BODIES_STAY"])
    if not bodies_stay:
        _removed(bits, world)
    decode_moves(bits, world, frames, coarse_factor)
    if not bodies_stay:
        _added(bits, world, keyframe)


def _gravity(bits, world):
    if bits.bit(START["GRAVITY_STAYS"]):
        return
    for axis in range(2):
        changed = world.gravity[axis] + bits.signed(START["GRAVITY"])
        world.gravity[axis] = (changed + 32768) % 65536 - 32768


def _scenery(bits, world):
    def signed():
        return bits.plain_signed(16)

    def entries(count_bits, most, what):
        count = bits.plain(count_bits)
        require(count <= most, f"{count} {what}")
        return range(count)

    if not bits.bit(START["BOUNDARIES_STAY"]):
        world.boundaries = [
            dict(id=bits.plain(8), a=[signed(), signed()], b=[signed(), signed()])
            for _ in entries(6, 32, "boundaries")
        ]
        _ascend([entry["id"] for entry in world.boundaries], strictly=True)
    if not bits.bit(START["HOLDERS_STAY"]):
        world.holders = [
            dict(slot=bits.plain(16), client=bits.plain(16)) for _ in entries(9, 256, "holders")
        ]
        _ascend([entry["slot"] for entry in world.holders], strictly=True)
    if not bits.bit(START["RODS_STAY"]):
        world.rods = [
            dict(slot=bits.plain(16), anchor=[signed(), signed()], attach=[signed(), signed()])
            for _ in entries(7, 64, "rods")
        ]
        _ascend([entry["slot"] for entry in world.rods], strictly=False)


def _ascend(keys, strictly):
    for one, next_one in zip(keys, keys[1:]):
        require(one < next_one or (one == next_one and not strictly), "scenery out of order")


def _removed(bits, world):
    following = 0
    for _ in range(bits.number(START["REMOVED_COUNT"])):
        slot = following + bits.number(START["REMOVED_SLOT"])
        require(slot in world.bodies, "a body leaves that is not there")
        del world.bodies[slot]
        following = slot + 1


def _added(bits, world, keyframe):
    looks = list(_added_looks(bits, world))
    cells = FreeCells(world) if keyframe else None
    smallest = min((size for *_, size in looks), default=0)
    for slot, generation, kind, size in looks:
        x, y = _place(bits, world, cells)
        if cells:
            cells.occupy(x, y, size + smallest)
        require(max(abs(x), abs(y)) <= FARTHEST, "a body too far away")
        world.bodies[slot] = Body(slot, generation, kind, size, x, y, bits.plain(10))


def _added_looks(bits, world):
    following, size = 0, 40
    for _ in range(bits.number(START["ADDED_COUNT"])):
        slot = following + bits.number(START["ADDED_SLOT"])
        require(slot < world.slots and slot not in world.bodies, "a body comes to a wrong slot")
        generation = bits.number(START["GENERATION"])
        require(generation <= 65535, "a generation out of range")
        kind = bits.tree(START["KIND"], 5)
        if bits.bit(START["OTHER_SIZE"]):
            size = bits.tree(START["SIZE"], 8)
            require(size > 0, "a body without size")
        yield slot, generation, kind, size
        following = slot + 1


def _place(bits, world, cells):
    if bits.bit(START["BEYOND_WORLD"]):
        return bits.plain(20) - 2**19, bits.plain(20) - 2**19
    if cells and not bits.bit(START["CROWDED"]):
        return cells.decode_place(bits)
    q = world.steps_per_point
    return bits.uniform(world.width * q + 1), bits.uniform(world.height * q + 1)
