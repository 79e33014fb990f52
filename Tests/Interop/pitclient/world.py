"""What a client keeps: bodies with their predictors, gravity and scenery (§3)."""

STILL_ERRORS = (0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 4.0, 4.0)


class Axis:
    """One of a body's three coordinates, and what predicts its next place."""

    __slots__ = ("position", "before", "noise", "error", "level", "slope", "age")

    def __init__(self, position, velocity, still=False):
        self.position = position
        self.before = position - velocity
        self.noise = 0.1 if still else 1.0
        self.error = list(STILL_ERRORS) if still else [1.0] * 8
        self.level = [float(position)] * 4
        self.slope = [float(velocity)] * 4
        self.age = [2.0] * 4

    @property
    def velocity(self):
        return self.position - self.before


class Body:
    __slots__ = ("slot", "generation", "kind", "size", "axes", "last", "calm", "steps")

    def __init__(self, slot, generation, kind, size, x, y, angle):
        self.slot, self.generation, self.kind, self.size = slot, generation, kind, size
        self.axes = [Axis(x, 0), Axis(y, 0), Axis(angle, 0)]
        self.last = [0, 0, 0]
        self.calm = 0
        # Not state: the lattice steps of the last frame, which bound a visual client's error.
        self.steps = (1, 1)

    @property
    def is_circle(self):
        return self.kind < 16 and self.kind % 2 == 0

    def restart(self, frames):
        """§6: predictors begin anew from position and velocity alone."""
        x, y, angle = self.axes
        turned = angle.position % 1024
        spin = (angle.velocity + 512) % 1024 - 512
        velocities = (x.velocity, y.velocity, spin)
        still = not any(velocities)
        self.axes = [
            Axis(position, velocity * frames, still)
            for position, velocity in zip((x.position, y.position, turned), velocities)
        ]
        self.last = [0, 0, 0]
        self.calm = 20 if still else 0


class World:
    """Everything at the client's last tick, in the units of the wire."""

    def __init__(self, interval, profile, width, height, magnitude, slots):
        self.interval, self.profile = interval, profile
        self.width, self.height = width, height
        self.magnitude, self.slots = magnitude, slots
        self.gravity = [0, 16384]
        self.boundaries, self.holders, self.rods = [], [], []
        self.bodies = {}

    @property
    def steps_per_point(self):
        return 16 if self.profile == 0 else 12

    def restart(self, frames):
        for body in self.bodies.values():
            body.restart(frames)
