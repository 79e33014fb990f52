// @ts-check
// Heavy mode: where most stickers touch, worlds that were restored, copied and joined in WebAssembly
// run beside the one that goes on, and save the same bytes; and the world saves the bytes that the
// native one saved. Tests/SimulationTests/GoldenHeavyTests pins them natively.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { json, load } from "./module.mjs";

/** SHA-256 of what the pit saves. @param {any} bench */
function savedHash(bench) {
  const count = bench.pit_save();
  const bytes = new Uint8Array(bench.memory.buffer, bench.pit_room(count) >>> 0, count);
  return createHash("sha256").update(bytes).digest("hex");
}

for (const scene of [0, 1, 2, 3, 4]) {
  test(`restored worlds of scene ${scene} are the live one to the byte`, async () => {
    const bench = await load(".build-wasm/bench.wasm");
    const runs = await json("Tests/SimulationTests/Golden/heavy.json");
    const scripts = await json("Tests/SimulationTests/Golden/scenes.json");
    const { rows, seed } = scripts[scene];
    const { bodies, ahead, moments } = runs[scene];
    assert.deepEqual([runs[scene].scene, scripts[scene].scene], [scene, scene]);
    assert.ok(moments.length >= 40);
    assert.equal(bench.bench_scene(scene, bodies, 4096, seed), 1);
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
    let next = 0;
    let tick = 0;
    const step = () => {
      tick += 1;
      for (; next < rows.length && rows[next][0] === tick; next += 1) {
        const [, type, ...values] = rows[next];
        actions[type](...values);
      }
      bench.bench_tick();
    };
    for (const moment of moments) {
      while (tick < moment.tick) step();
      assert.equal(savedHash(bench), moment.saved, `saved at ${tick}`);
      assert.equal(bench.heavy_begin(), 1);
      for (let count = 0; count < ahead; count += 1) {
        assert.equal(bench.heavy_difference(), 0, `at ${tick}`);
        step();
      }
      assert.equal(bench.heavy_difference(), 0, `at ${tick}`);
      bench.heavy_end();
      assert.equal(savedHash(bench), moment.later, `saved at ${tick}`);
    }
  });
}

test("without a pit there is nothing to copy", async () => {
  const bench = await load(".build-wasm/bench.wasm");
  assert.equal(bench.heavy_begin(), 0);
  assert.equal(bench.heavy_difference(), -1);
  bench.heavy_end();
});
