"""The fields of a saved world, one after the other ("What a snapshot holds" in PROTOCOL.md)."""

import math
import struct

from .errors import require


class Fields:
    """Ending inside a field, or after the last, is malformed."""

    def __init__(self, data):
        self.data, self.at = data, 0

    @property
    def left(self):
        return len(self.data) - self.at

    def take(self, layout):
        """The values of a layout as `struct` writes it; the value itself if it is one. Floats are
        numbers."""
        layout = "<" + layout
        size = struct.calcsize(layout)
        require(size <= self.left, "a saved world ends inside a field")
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += size
        require(all(map(math.isfinite, values)), "a number that is none")
        return values[0] if len(values) == 1 else values

    def end(self):
        require(self.left == 0, "a saved world goes on after its end")

    # Words

    def word(self, most=0xFFFFFFFF):
        value = self.take("I")
        require(value <= most, "a word out of range")
        return value

    def signed(self):
        return self.take("i")

    def wide(self):
        return self.take("Q")

    def number(self):
        return self.take("f")

    def numbers(self, count):
        return self.take(f"{count}f")

    def point(self):
        return self.take("2f")

    def flag(self):
        return bool(self.word(most=1))

    def name(self):
        """The slot and the generation."""
        word = self.word()
        return word >> 16, word & 0xFFFF

    def halves(self):
        """Two signed numbers of 16 bits in a word, the upper one first."""
        y, x = self.take("hh")
        return x, y

    def optional(self, read=None):
        """Nothing, or the word or what else reads one."""
        is_there, value = self.flag(), (read or self.word)()
        return value if is_there else None

    def list(self, read):
        return [read() for _ in range(self.word(most=self.left // 4))]

    def block(self):
        """Bytes behind a word that says how many."""
        count = self.word(most=self.left - 4)
        self.at += count
        return self.data[self.at - count : self.at]
