"""Where the bodies that stay have gone (§5): steps, residuals, and what is learnt from them."""

import math

from .errors import require
from .models import START
from .neighbours import Around, Neighbourhood
from .prediction import blend, candidates, learn

FARTHEST = 524287
RESIDUAL = (START["RESIDUAL_X"], START["RESIDUAL_Y"], START["RESIDUAL_ANGLE"])
MOVED, SIGN = START["MOVED"], START["SIGN"]
MANTISSA, TAIL = START["MANTISSA"], START["TAIL"]


def decode_moves(bits, world, frames, coarse_factor):
    """Moves every body; `coarse_factor` is `k` of the document, for the visual profile's steps."""
    ticks = frames * world.interval
    q = world.steps_per_point
    factor = world.magnitude * q * ticks * ticks / (16384 * 3600)
    fall = (world.gravity[0] * factor, world.gravity[1] * factor, 0.0)
    for place, near in Neighbourhood(world):
        body, around = place.body, Around(near)
        steps = _steps(world, body, coarse_factor / ticks)
        moves = [
            _Move(body.axes[axis], around.motion[axis] * around.share, fall[axis], steps[axis])
            for axis in range(3)
        ]
        residuals = _residuals(bits, body, around, moves)
        for move, residual in zip(moves, residuals):
            move.finish(residual)
        place.sizes = tuple(abs(residual) for residual in residuals)
        place.motion = tuple(move.change for move in moves)
        body.steps = (steps[0], steps[2])


class _Move:
    """One axis on its way: foretold, then put where the residual says."""

    __slots__ = (
        "axis", "places", "blended", "fall", "step", "nearest", "fraction", "change", "velocity",
    )

    def __init__(self, axis, acceleration, fall, step):
        self.axis, self.fall, self.step = axis, fall, step
        self.velocity = axis.velocity
        self.places = candidates(axis, acceleration, fall)
        self.blended = blend(axis, self.places)
        u = self.blended / step
        self.nearest = math.floor(u + 0.5)
        self.fraction = u - self.nearest

    def finish(self, residual):
        x = (self.nearest + residual) * self.step
        require(abs(x) <= FARTHEST, "a body too far away")
        self.change = (x - self.axis.position) - self.velocity
        learn(self.axis, x, self.places, self.blended, self.fall, self.step)


def _steps(world, body, factor):
    """The lattice steps of the three axes: coarser for what moves fast, in the visual profile."""
    if world.profile == 0:
        return (1, 1, 1)
    q = world.steps_per_point
    x, y, angle = (abs(axis.velocity) for axis in body.axes)
    speed = (x + y) * factor
    spin = angle * factor
    place = 8 if speed > 8 * q else 4 if speed > 4 * q else 2 if speed > q else 1
    m = max(speed, spin * 0.1227184630308513 * q)
    turn = 8 if m > 8 * q else 4 if m > 4 * q else 2 if m > 2 * q else 1
    return (place, place, turn)


def level(value, top):
    """About two steps for each doubling of the value."""
    whole = min(max(int(value), 1), 1_000_000)
    octave = whole.bit_length() - 1
    half = whole >> (octave - 1) & 1 if octave else 0
    return min(2 * octave + half, top)


def _calmness(calm):
    return 0 if calm == 0 else 1 if calm <= 2 else 2 if calm <= 5 else 3 if calm <= 15 else 4


def _residuals(bits, body, around, moves):
    """How far each axis is from the nearest lattice place to its prediction, in steps."""
    noise = [move.axis.noise / move.step for move in moves]
    a = level((noise[0] + noise[1] + noise[2]) * 8, 15)
    widest = max(abs(move.fraction) for move in moves)
    d = min(int(16 * widest), 7)
    context = ((a * 5 + around.stir) * 5 + _calmness(body.calm)) * 8 + d
    if bits.bit(MOVED + context):
        body.last = [0, 0, 0]
        body.calm += 1
        return (0, 0, 0)
    told = sum(body.last)
    residuals, known = [], 0
    for axis, move in enumerate(moves):
        expected = (
            noise[axis] * 0.4
            + around.sizes[axis] * (around.share * 2)
            + abs(move.velocity) / move.step * 0.0625
            + (told * 0.3 + 2.4)
        )
        z = level(expected, 19)
        if axis == 0:
            context = 2 * z + (1 if abs(move.fraction) > 0.25 else 0)
        else:
            context = 7 * z + min((2 * known).bit_length(), 6)
        model = RESIDUAL[axis] + 8 * context
        # A body that moved with neither x nor y has turned.
        may_be_zero = axis < 2 or known > 0
        if may_be_zero and bits.bit(model):
            residual = 0
        else:
            residual = _nonzero(bits, axis, model, z, move.fraction)
        residuals.append(residual)
        known += abs(residual)
    body.last = [abs(residual) for residual in residuals]
    body.calm = 0
    return residuals


def _nonzero(bits, axis, model, z, fraction):
    sign = (axis * 4 + min(z // 4, 3)) * 8 + min(math.floor(fraction * 8 + 4), 7)
    negative = bits.bit(SIGN + sign)
    doublings = 0
    while doublings < 22:
        more = model + 1 + doublings if doublings < 7 else TAIL + axis * 24 + min(doublings, 23)
        if not bits.bit(more):
            break
        doublings += 1
    size = 1
    for i in range(doublings):
        if i < 2:
            bit = bits.bit(MANTISSA + (axis * 2 + i) * 12 + min(doublings, 11))
        else:
            bit = bits.plain(1)
        size = 2 * size + bit
    return -size if negative else size
