"""Where bodies of a keyframe may be (§4a): cells that are free while no body is near."""

from .errors import require
from .models import START

MOST_CELLS = 512


class FreeCells:
    def __init__(self, world):
        self._q = q = world.steps_per_point
        edge = 8 * q
        while max(world.width, world.height) * q // edge + 1 > MOST_CELLS:
            edge *= 2
        self._edge = edge
        self._columns = world.width * q // edge + 1
        self._rows = world.height * q // edge + 1
        # The free cells of each block, in the order in which they are counted.
        self._free = [{} for _ in range(64)]
        for row in range(self._rows):
            for column in range(self._columns):
                self._free[self._block(column, row)][column, row] = True

    def _block(self, column, row):
        return 8 * (row * 8 // self._rows) + column * 8 // self._columns

    def decode_place(self, bits):
        cells = self._free[bits.tree(START["BLOCK"], 6)]
        require(cells, "a place in a block without a free cell")
        column, row = list(cells)[bits.uniform(len(cells))]
        return (
            column * self._edge + bits.uniform(self._edge),
            row * self._edge + bits.uniform(self._edge),
        )

    def occupy(self, x, y, sizes):
        """Cells nearer than two bodies of these sizes together are free no more."""
        edge = self._edge
        reach = sizes * self._q // 2 - 3 * edge // 4
        if reach <= 0:
            return
        around = reach // edge + 1
        for row in range(y // edge - around, y // edge + around + 1):
            for column in range(x // edge - around, x // edge + around + 1):
                dx, dy = column * edge + edge // 2 - x, row * edge + edge // 2 - y
                inside = 0 <= row < self._rows and 0 <= column < self._columns
                if inside and dx * dx + dy * dy < reach * reach:
                    self._free[self._block(column, row)].pop((column, row), None)
