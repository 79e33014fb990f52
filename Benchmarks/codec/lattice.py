"""A trace on the strict lattice: what every rival has to carry, to the bit."""
import json
from pathlib import Path

import numpy as np

POINT = 16  # steps a point
TURN = 1024  # angles a turn


class LatticeTrace:
    """`state[tick, slot]` is x, y, angle; `present[tick, slot]` whether a body is there;
    `gravity[tick]` in 1/16384 of 1000 pt/s²."""

    def __init__(self, path):
        stem = str(path).removesuffix(".npy")
        self.name = Path(stem).name
        raw = np.load(stem + ".npy", mmap_mode="r")
        self.ticks, self.bodies = raw.shape[:2]
        self.present = ~np.isnan(raw[:, :, 0])
        self.state = np.zeros((self.ticks, self.bodies, 3), np.int32)
        for axis, scale in enumerate((POINT, POINT, TURN / (2 * np.pi))):
            places = np.floor(raw[:, :, axis].astype(np.float64) * scale + 0.5)
            self.state[:, :, axis] = np.where(self.present, places, 0)
        self.state[:, :, 2] &= TURN - 1
        self.state[~self.present] = 0
        gravity = np.load(stem + ".grav.npy").astype(np.float64)
        self.gravity = np.rint(gravity / 1000 * 16384).astype(np.int32)
        self.kinds = np.load(stem + ".kind.npy").astype(np.int32)
        size_file = Path(stem + ".size.npy")
        self.sizes = (
            np.load(size_file).astype(np.int32) if size_file.exists() else np.full(self.bodies, 40, np.int32)
        )
        meta_file = Path(stem + ".meta.json")
        self.meta = json.loads(meta_file.read_text()) if meta_file.exists() else {}

    def frame(self, tick):
        """What changed since the tick before, as a Frame."""
        now, before = self.present[tick], self.present[tick - 1]
        moved = now & before & (self.state[tick] != self.state[tick - 1]).any(axis=1)
        slots = np.nonzero(moved)[0]
        added = np.nonzero(now & ~before)[0]
        return Frame(
            tick=tick,
            gravity=None if (self.gravity[tick] == self.gravity[tick - 1]).all() else self.gravity[tick].tolist(),
            removed=np.nonzero(before & ~now)[0].tolist(),
            added=np.column_stack(
                [added, self.kinds[added], self.sizes[added], self.state[tick][added]]
            ).tolist(),
            changed=np.column_stack([slots, self.state[tick][slots]]).tolist(),
        )


class Frame:
    """The news of one tick; lists of plain integers."""

    def __init__(self, tick, gravity, removed, added, changed):
        self.tick, self.gravity = tick, gravity
        self.removed, self.added, self.changed = removed, added, changed

    def document(self):
        """As a tree of maps and lists, in which nothing that did not change is named."""
        tree = {"t": self.tick}
        if self.gravity:
            tree["g"] = self.gravity
        if self.removed:
            tree["r"] = self.removed
        if self.added:
            tree["a"] = self.added
        if self.changed:
            tree["b"] = self.changed
        return tree


class World:
    """What a rival's client knows; it is compared with the trace after every frame."""

    def __init__(self, trace):
        self.trace = trace
        self.present = trace.present[0].copy()
        self.state = trace.state[0].copy()
        self.kinds, self.sizes = trace.kinds.copy(), trace.sizes.copy()
        self.gravity = trace.gravity[0].tolist()

    def apply(self, tree):
        self.gravity = tree.get("g", self.gravity)
        for slot in tree.get("r", ()):
            self.present[slot] = False
            self.state[slot] = 0
        for slot, kind, size, *place in tree.get("a", ()):
            self.present[slot] = True
            self.kinds[slot], self.sizes[slot] = kind, size
            self.state[slot] = place
        rows = tree.get("b")
        if rows:
            rows = np.asarray(rows, np.int32)
            self.state[rows[:, 0]] = rows[:, 1:]

    def check(self, tick, who):
        trace = self.trace
        same = (
            (self.present == trace.present[tick]).all()
            and (self.state == trace.state[tick]).all()
            and (self.kinds == trace.kinds).all()
            and (self.sizes == trace.sizes).all()
            and list(self.gravity) == trace.gravity[tick].tolist()
        )
        if not same:
            raise SystemExit(f"{who} on {trace.name}: the decoded world differs at tick {tick}")
