// @ts-check
// The pit in WebAssembly against the native one: the same half minute, the same bits. The hashes
// are those that Tests/SimulationTests pins natively.
import assert from "node:assert/strict";
import { test } from "node:test";
import { json, load } from "./module.mjs";

test("a party ends in the golden hashes", async () => {
  const golden = await json("Tests/SimulationTests/Golden/pit.json");
  const bench = await load(".build-wasm/bench.wasm");
  assert.equal(bench.bench_pit(golden.bodies, golden.maxBodies, golden.seed), 1);
  const actions = { 2: bench.bench_tilt, 3: bench.bench_drop, 4: bench.bench_throw };
  /** @param {bigint} hash */
  const hex = (hash) => BigInt.asUintN(64, hash).toString(16);
  const stateHashes = [];
  let next = 0;
  for (let tick = 1; tick <= golden.ticks; tick += 1) {
    for (; next < golden.rows.length && golden.rows[next][0] === tick; next += 1) {
      const [, type, ...values] = golden.rows[next];
      actions[/** @type {2 | 3 | 4} */ (type)](...values);
    }
    bench.bench_tick();
    if (tick % 30 === 0) stateHashes.push(hex(bench.bench_state_hash()));
  }
  assert.deepEqual(stateHashes, golden.stateHashes);
  assert.equal(hex(bench.bench_frame_hash()), golden.frameHash);
  assert.ok(bench.bench_body_count() > golden.bodies / 2);
});

test("every scene ends in its golden hashes", async () => {
  const goldens = await json("Tests/SimulationTests/Golden/scenes.json");
  const bench = await load(".build-wasm/bench.wasm");
  /** @type {Record<number, (...values: number[]) => void>} */
  const actions = {
    2: bench.bench_tilt,
    3: bench.bench_drop,
    4: bench.bench_throw,
    6: bench.bench_grab,
    7: bench.bench_move,
    8: bench.bench_release,
    9: bench.bench_snap,
    10: bench.bench_say,
    11: bench.bench_leave,
  };
  assert.equal(goldens.length, 5);
  for (const golden of goldens) {
    assert.equal(bench.bench_scene(golden.scene, golden.bodies, 4096, golden.seed), 1);
    const stateHashes = [];
    let next = 0;
    for (let tick = 1; tick <= golden.ticks; tick += 1) {
      for (; next < golden.rows.length && golden.rows[next][0] === tick; next += 1) {
        const [, type, ...values] = golden.rows[next];
        actions[type](...values);
      }
      bench.bench_tick();
      if (tick % 30 !== 0) continue;
      stateHashes.push(BigInt.asUintN(64, bench.bench_state_hash()).toString(16));
    }
    assert.deepEqual(stateHashes, golden.stateHashes, `scene ${golden.scene}`);
  }
});

test("an impossible pit is refused", async () => {
  const bench = await load(".build-wasm/bench.wasm");
  assert.equal(bench.bench_pit(10, 5, 1), 0);
  assert.equal(bench.bench_scene(9, 1, 5, 1), 0);
  assert.equal(bench.bench_scene(-1, 1, 5, 1), 0);
  assert.equal(bench.bench_scene(1, 1, 5, 1), 0, "rain starts without stickers");
  bench.bench_tick();
  bench.bench_tilt(1, 2, 3);
  bench.bench_drop(1, 0, 2, 3, 4);
  bench.bench_throw(1, 0, 2, 3, 4, 5);
  assert.equal(bench.bench_state_hash(), 0n);
  assert.equal(bench.bench_frame_hash(), 0n);
  assert.equal(bench.bench_body_count(), 0);
});
