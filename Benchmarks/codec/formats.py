"""Rivals that are a general format and a library: JSON, JSON with deflate, MessagePack, zstd.

Each sends only what changed, in the tersest form that the format has, and is decoded after every
frame. Bytes are payload plus 2 for the WebSocket's header; the first tick is left out.
"""
import json
import zlib

import msgpack
import numpy as np
import zstandard

from lattice import World

HEADER = 2


class JSON:
    name = "JSON"

    def encode(self, frame, trace):
        return json.dumps(frame.document(), separators=(",", ":")).encode()

    def decode(self, data, world):
        world.apply(json.loads(data))


class Deflate:
    """permessage-deflate as browsers and servers speak it: one compressor for the whole connection,
    level 6, the flush's last four bytes left out."""

    name = "JSON, deflate"
    TAIL = b"\x00\x00\xff\xff"

    def __init__(self):
        self.compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
        self.decompressor = zlib.decompressobj(-15)

    def encode(self, frame, trace):
        text = json.dumps(frame.document(), separators=(",", ":")).encode()
        packed = self.compressor.compress(text) + self.compressor.flush(zlib.Z_SYNC_FLUSH)
        return packed.removesuffix(self.TAIL)

    def decode(self, data, world):
        world.apply(json.loads(self.decompressor.decompress(data + self.TAIL)))


class MessagePack:
    name = "MessagePack"

    def encode(self, frame, trace):
        return msgpack.packb(frame.document())

    def decode(self, data, world):
        world.apply(msgpack.unpackb(data))


class Zstd:
    """The whole world in columns, compressed with the previous frame's bytes as a prefix."""

    name, level, split = "zstd -3, previous frame", 3, False

    def __init__(self):
        self.sent = self.received = None
        self.parameters = zstandard.ZstdCompressionParameters.from_level(
            self.level, write_content_size=0, write_checksum=0, write_dict_id=0,
            format=zstandard.FORMAT_ZSTD1_MAGICLESS,
        )

    def columns(self, trace, tick):
        """Gravity, then a bit, kind and size of each slot, then the places."""
        present = trace.present[tick]
        looks = [np.where(present, look, 0).astype(np.uint8) for look in (trace.kinds, trace.sizes)]
        places = trace.state[tick].T
        if places.min() < -32768 or places.max() > 32767:
            raise SystemExit(f"{trace.name}: a place beyond 16 bits")
        places = np.ascontiguousarray(places, "<i2")
        if self.split:
            places = places.view(np.uint8).reshape(3, -1, 2).transpose(0, 2, 1)
        parts = (trace.gravity[tick].astype("<i2"), np.packbits(present), *looks, places)
        return b"".join(part.tobytes() for part in parts)

    @staticmethod
    def prefix(data):
        return zstandard.ZstdCompressionDict(data, dict_type=zstandard.DICT_TYPE_RAWCONTENT)

    def encode(self, frame, trace):
        if self.sent is None:
            self.sent = self.received = self.columns(trace, frame.tick - 1)
        data = self.columns(trace, frame.tick)
        packed = zstandard.ZstdCompressor(
            dict_data=self.prefix(self.sent), compression_params=self.parameters
        ).compress(data)
        self.sent = data
        return packed

    def decode(self, data, world):
        columns = zstandard.ZstdDecompressor(
            dict_data=self.prefix(self.received), format=zstandard.FORMAT_ZSTD1_MAGICLESS
        ).decompress(data, max_output_size=len(self.received))
        self.received = columns
        bodies = world.trace.bodies
        bits = (bodies + 7) // 8
        world.gravity = np.frombuffer(columns, "<i2", 2).tolist()
        world.present = np.unpackbits(np.frombuffer(columns, np.uint8, bits, 4), count=bodies).astype(bool)
        looks = np.frombuffer(columns, np.uint8, 2 * bodies, 4 + bits).reshape(2, -1)
        world.kinds = np.where(world.present, looks[0], world.trace.kinds)
        world.sizes = np.where(world.present, looks[1], world.trace.sizes)
        places = np.frombuffer(columns, np.uint8, 6 * bodies, 4 + bits + 2 * bodies)
        if self.split:
            places = places.reshape(3, 2, -1).transpose(0, 2, 1).copy()
        world.state = places.reshape(-1).view("<i2").astype(np.int32).reshape(3, -1).T


class ZstdSplit(Zstd):
    """As slow as zstd goes, and with low bytes apart from high ones: the best that we found."""

    name, level, split = "zstd -19, bytes split", 19, True


FORMATS = [JSON, Deflate, MessagePack, Zstd, ZstdSplit]


def measure(trace):
    """Codes the whole trace with every format and returns one row of figures for each."""
    runs = [(kind(), World(trace)) for kind in FORMATS]
    totals = [0] * len(runs)
    for tick in range(1, trace.ticks):
        frame = trace.frame(tick)
        for index, (rival, world) in enumerate(runs):
            data = rival.encode(frame, trace)
            totals[index] += len(data) + HEADER
            rival.decode(data, world)
            world.check(tick, rival.name)
    return [
        {"codec": rival.name, "trace": trace.name, "frames": trace.ticks - 1, "bytes_per_tick": total / (trace.ticks - 1)}
        for (rival, _), total in zip(runs, totals)
    ]
