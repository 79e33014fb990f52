"""The order in which bodies are coded, and who counts as whose neighbour (§5, Order)."""

CELL = 44


class Neighbourhood:
    """Bodies by cells at the positions that they have when this is made."""

    def __init__(self, world):
        q = world.steps_per_point
        columns = min(world.width // CELL + 2, 128)
        rows = min(world.height // CELL + 2, 128)
        scale = 1 / (CELL * q)
        placed = []
        for body in world.bodies.values():
            x, y = body.axes[0].position, body.axes[1].position
            column = min(max(int(x * scale), 0), columns - 1)
            row = min(max(int(y * scale), 0), rows - 1)
            radius = body.size * (0.525 if body.is_circle else 0.65) * q
            placed.append((row, column, body.slot, _Place(x, y, radius, body)))
        placed.sort(key=lambda entry: entry[:3])
        self._placed = placed
        self._cells = {}

    def __iter__(self):
        """Each body in coding order, with its place and the places of its neighbours."""
        cells = self._cells
        for row, column, _, place in self._placed:
            near = []
            for cell in (
                (row - 1, column - 1), (row - 1, column), (row - 1, column + 1),
                (row, column - 1), (row, column),
            ):
                for other in cells.get(cell, ()):
                    dx, dy = place.x - other.x, place.y - other.y
                    reach = place.radius + other.radius
                    if dx * dx + dy * dy < reach * reach:
                        near.append(other)
            yield place, near
            # Only now is it one of those before another.
            cells.setdefault((row, column), []).append(place)


class _Place:
    """A body's place before it is decoded, and afterwards what its neighbours learn from it."""

    __slots__ = ("x", "y", "radius", "body", "sizes", "motion")

    def __init__(self, x, y, radius, body):
        self.x, self.y, self.radius, self.body = x, y, radius, body
        self.sizes, self.motion = (0, 0, 0), (0.0, 0.0, 0.0)


class Around:
    """What the neighbours of one body say together."""

    __slots__ = ("count", "share", "sizes", "motion")

    def __init__(self, near):
        self.count = len(near)
        self.share = 1 / len(near) if near else 0.0
        sizes, motion = [0, 0, 0], [0.0, 0.0, 0.0]
        for place in near:
            for axis in range(3):
                sizes[axis] += place.sizes[axis]
                motion[axis] += place.motion[axis]
        self.sizes, self.motion = sizes, motion

    @property
    def stir(self):
        """`b` of the document: how much the neighbours were off, in five steps."""
        if self.count == 0:
            return 0
        total = sum(self.sizes)
        if total == 0:
            return 1
        return 2 if total < self.count else 3 if total < 4 * self.count else 4
