"""The physics and the scenes in the browser's own WebAssembly: the same bits as natively."""

import base64
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULE = ROOT / ".build-wasm" / "bench.wasm"

LOAD = """async module => {
  const bytes = Uint8Array.from(atob(module), letter => letter.charCodeAt(0));
  window.bench = (await WebAssembly.instantiate(bytes, {})).instance.exports;
  window.hex = hash => BigInt.asUintN(64, hash).toString(16);
}"""

PHYSICS = """run => {
  const { bench, hex } = window;
  if (bench.scene_new(run.scene, run.shapes, run.bodies, run.sleeps ? 1 : 0) !== 1) return null;
  bench.scene_step(run.ticks);
  return hex(bench.scene_hash());
}"""

SIMULATION = """golden => {
  const { bench, hex } = window;
  const actions = {
    2: bench.bench_tilt, 3: bench.bench_drop, 4: bench.bench_throw, 6: bench.bench_grab,
    7: bench.bench_move, 8: bench.bench_release, 9: bench.bench_snap, 10: bench.bench_say,
    11: bench.bench_leave,
  };
  const made = golden.scene === undefined
    ? bench.bench_pit(golden.bodies, golden.maxBodies, golden.seed)
    : bench.bench_scene(golden.scene, golden.bodies, 4096, golden.seed);
  if (made !== 1) return null;
  const hashes = [];
  let next = 0;
  for (let tick = 1; tick <= golden.ticks; tick += 1) {
    for (; next < golden.rows.length && golden.rows[next][0] === tick; next += 1) {
      const [, type, ...values] = golden.rows[next];
      actions[type](...values);
    }
    bench.bench_tick();
    if (tick % 30 === 0) hashes.push(hex(bench.bench_state_hash()));
  }
  return { hashes, frame: hex(bench.bench_frame_hash()) };
}"""


def golden(path):
    return json.loads((ROOT / "Tests" / path).read_text())


@pytest.fixture
def bench(server, new_page):
    """The page, whose policy forbids it to fetch the module: its bytes come from here."""
    page = new_page().page
    page.goto(server.url)
    page.evaluate(LOAD, base64.b64encode(MODULE.read_bytes()).decode())
    return page


def test_every_physics_scene_ends_in_its_golden_hash(bench):
    runs = golden("PhysicsTests/Golden/scenes.json")
    assert len(runs) >= 4
    assert [bench.evaluate(PHYSICS, run) for run in runs] == [run["hash"] for run in runs]


def test_the_pit_ends_in_its_golden_hashes(bench):
    pit = golden("SimulationTests/Golden/pit.json")
    result = bench.evaluate(SIMULATION, pit)
    assert result == {"hashes": pit["stateHashes"], "frame": pit["frameHash"]}


def test_every_scene_ends_in_its_golden_hashes(bench):
    scenes = golden("SimulationTests/Golden/scenes.json")
    assert len(scenes) == 5
    for scene in scenes:
        result = bench.evaluate(SIMULATION, scene)
        assert result["hashes"] == scene["stateHashes"], f"scene {scene['scene']}"
