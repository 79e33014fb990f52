"""Worlds made short, unpacked ("How a snapshot is packed" in PROTOCOL.md)."""

import struct

from .errors import require
from .rangedecoder import RangeDecoder

MOST_BYTES = 4_194_304
BLOCK = 256
ROW_LENGTHS = (1, 2, 4, 9, 12, 16, 36, 40)
FIRST_ROW_LENGTH = 4
COLUMNS = max(ROW_LENGTHS)
MOST_MATCHED = 15

# Where the adaptive chances stand: of the three guesses, of a byte's bits, and of another row length.
NEXT = 0
COURSE = NEXT + 2 * COLUMNS
MATCH = COURSE + 2 * COLUMNS
BITS = MATCH + MOST_MATCHED + 1
OTHER_ROW = BITS + 256 * COLUMNS
CHANCES = OTHER_ROW + 1


class _EvenChances:
    """All begin at one half."""

    def __init__(self):
        self.quick, self.slow = [32768] * CHANCES, [32768] * CHANCES


class _Decoder(RangeDecoder):
    """Chances are compared before one of them is asked, and those that were not asked learn, too."""

    def chance(self, index):
        return min(max(self.quick[index] + self.slow[index] >> 1, 32), 65504)

    def learn(self, index, bit):
        goal = 65535 if bit else 0
        for rates, share in ((self.quick, 16), (self.slow, 128)):
            way = abs(goal - rates[index]) // share
            rates[index] += way if bit else -way

    def asked(self, chance):
        return self._bit(chance)


class _Unpacker:
    def __init__(self, count, content):
        self.count = count
        # Bytes behind the last one count as 0: two rows of them are looked at.
        self.data = bytearray(count + 2 * COLUMNS)
        self.decoder = _Decoder(content, _EvenChances())
        self.places = {}
        self.match, self.matched = None, 0

    def run(self):
        end, length = self.count, FIRST_ROW_LENGTH
        while end > 0:
            start = max(0, end - BLOCK)
            if self.decoder.bit(OTHER_ROW):
                length = ROW_LENGTHS[self.decoder.plain(3)]
            was_right = 0
            for at in reversed(range(start, end)):
                was_right = self._byte(at, length, was_right)
            end = start
        self.decoder.finish()
        return bytes(self.data[: self.count])

    def _byte(self, at, length, was_right):
        """Reads a byte; whether the guess that was asked for was right."""
        column, later = at % length, self.data[at + length]
        model = 2 * column + was_right
        course = (2 * later - self.data[at + 2 * length]) & 255
        guesses = [(NEXT + model, later), (COURSE + model, course)]
        if self.match is not None:
            guesses.append((MATCH + self.matched, self.data[self.match]))
        chances = [self.decoder.chance(index) for index, _ in guesses]
        best = max(chances)
        is_right = self.decoder.asked(best)
        if is_right:
            byte = guesses[chances.index(best)][1]
        else:
            byte = self.decoder.tree(BITS + 256 * column, 8)
        self.data[at] = byte
        for index, guess in guesses:
            self.decoder.learn(index, guess == byte)
        self._follow(at, len(guesses) == 3 and guesses[2][1] == byte)
        return is_right

    def _follow(self, at, is_match):
        """Goes on with the match, or seeks another one; notes the place in any case."""
        four = self.data[at : at + 4]
        place = (int.from_bytes(four, "little") * 0x9E3779B1 & 0xFFFFFFFF) >> 19
        if is_match:
            self.match, self.matched = self.match - 1, min(self.matched + 1, MOST_MATCHED)
        else:
            self.match, self.matched = self.places.get(place), 0
            if self.match is not None and self.data[self.match + 1 : self.match + 5] != four:
                self.match = None
        self.places[place] = at - 1


def _fnv(data):
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def unpack(packed):
    """The bytes that were packed, of which the length and the check come first."""
    require(len(packed) >= 8, "packed bytes without length and check")
    count, check = struct.unpack_from("<II", packed)
    require(count <= MOST_BYTES, "more bytes than anybody unpacks")
    data = _Unpacker(count, packed[8:]).run()
    require(_fnv(data) == check, "packed bytes that were damaged")
    return data
