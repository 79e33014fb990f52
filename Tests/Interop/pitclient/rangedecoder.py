"""The binary range decoder of §2 and the numbers made of its bits."""

from .errors import require
from .models import NUMBER


class RangeDecoder:
    def __init__(self, content, models):
        self.content, self.at = content, 4
        self.quick, self.slow = models.quick, models.slow
        self.range = 2**32 - 1
        # Beyond the last byte, bytes are 0.
        self.point = int.from_bytes(content[:4].ljust(4, b"\0"), "big")

    def finish(self):
        require(self.at >= len(self.content), "bytes after the content")

    def _bit(self, chance):
        part = self.range * chance >> 16
        if self.point < part:
            bit, self.range = 1, part
        else:
            bit = 0
            self.point -= part
            self.range -= part
        while self.range < 1 << 24:
            self.range <<= 8
            self.point <<= 8
            if self.at < len(self.content):
                self.point += self.content[self.at]
            self.at += 1
        return bit

    def bit(self, index):
        """An adaptive bit, which learns from what it was."""
        quick, slow = self.quick[index], self.slow[index]
        bit = self._bit(min(max(quick + slow >> 1, 32), 65504))
        if bit:
            self.quick[index] = quick + (65535 - quick >> 4)
            self.slow[index] = slow + (65535 - slow >> 7)
        else:
            self.quick[index] = quick - (quick >> 4)
            self.slow[index] = slow - (slow >> 7)
        return bit

    def plain(self, bits):
        value = 0
        for _ in range(bits):
            value = value << 1 | self._bit(32768)
        return value

    def plain_signed(self, bits):
        value = self.plain(bits)
        return value - (1 << bits) if value >> (bits - 1) else value

    def uniform(self, below):
        result, left, half = 0, below, 1 << 24
        while half:
            if left > half:
                if self._bit(max(1, (left - half << 16) // left)):
                    result += half
                    left -= half
                else:
                    left = half
            half >>= 1
        return result

    def number(self, model):
        """A number of the model whose 26 bits begin at `model`."""
        doublings = 0
        while doublings < 23 and self.bit(model + min(doublings, 15)):
            doublings += 1
        if doublings == 0:
            return 0
        value = 2 + self.bit(model + 15 + min(doublings, 10))
        for _ in range(doublings - 1):
            value = 2 * value + self._bit(32768)
        return value - 1

    def signed(self, model):
        number = self.number(model)
        return (number + 1) // 2 if number % 2 else -(number // 2)

    def signed_of(self, model, variant):
        return self.signed(model + NUMBER * variant)

    def tree(self, model, depth):
        """A number of `depth` bits, each adaptive behind those above it."""
        node = 1
        for _ in range(depth):
            node = 2 * node + self.bit(model + node)
        return node - (1 << depth)
