"""Velocities after frames that positions alone don't tell them from (§7)."""

import math

from .models import START
from .neighbours import Around, Neighbourhood

VELOCITY = START["VELOCITY"]


def code(velocity):
    size = abs(velocity)
    if size >= 4:
        shift = size.bit_length() - 2
        size = 2 * shift + (size >> shift)
    return -size if velocity < 0 else size


def value(coded):
    size = abs(coded)
    if size >= 4:
        m = min(size, 49)
        shift = m // 2 - 1
        size = (m - 2 * shift) * 2**shift + 2**shift // 2
    return -size if coded < 0 else size


def decode_velocities(bits, world, frames):
    for place, near in Neighbourhood(world):
        body, around = place.body, Around(near)
        moved = [axis.velocity for axis in body.axes]
        is_new = not any(moved)
        stir = min(around.stir, 3)
        sizes, motion = [], []
        for index, axis in enumerate(body.axes):
            even = around.motion[index] * around.share if is_new else moved[index] / frames
            variant = (8 if index == 2 else 0) + (4 if is_new else 0) + stir
            number = bits.signed_of(VELOCITY, variant)
            velocity = value(code(math.floor(even + 0.5)) + number)
            axis.before = axis.position - velocity
            sizes.append(abs(number))
            motion.append(velocity)
        place.sizes, place.motion = tuple(sizes), tuple(motion)
