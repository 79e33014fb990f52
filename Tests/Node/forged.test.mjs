// @ts-check
// Forged snapshots of a pit in WebAssembly, where numbers have 32 bits: they are refused, or the pit
// goes on; a trap would fail the test. And what native pits do, this one does: it goes back exactly.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./module.mjs";

/** @param {any} bench the module's exports @param {Uint8Array} bytes */
function restore(bench, bytes) {
  const room = bench.pit_room(bytes.length) >>> 0;
  new Uint8Array(bench.memory.buffer).set(bytes, room);
  return bench.pit_restore(bytes.length);
}

/** A pit in the middle of things. @param {any} bench @param {number} scene @returns {Uint8Array} */
function busy(bench, scene) {
  assert.equal(bench.bench_scene(scene, scene === 0 ? 12 : scene === 1 ? 0 : 3, 100, 7), 1);
  if (scene === 1) bench.bench_say(1, 0, 19);
  for (let tick = 0; tick < 150; tick += 1) bench.bench_tick();
  bench.bench_grab(1, 1, 0, 0, 1280, 1600);
  bench.bench_snap(1, 2, 1, 0, 800, 2400);
  for (let tick = 0; tick < 5; tick += 1) bench.bench_tick();
  const count = bench.pit_save();
  return new Uint8Array(bench.memory.buffer, bench.pit_room(count) >>> 0, count).slice();
}

for (const scene of [0, 1, 2, 3, 4]) {
  test(`no forged word of scene ${scene} is a trap`, async () => {
    const bench = await load(".build-wasm/bench.wasm");
    const bytes = busy(bench, scene);
    assert.equal(restore(bench, bytes), 1);
    assert.equal(bench.pit_run(0), bench.bench_state_hash());
    let refused = 0;
    for (const word of [0xffffffff, 0x80000000, 0x7fffffff]) {
      for (let offset = 0; offset + 4 <= bytes.length; offset += 2) {
        const forged = bytes.slice();
        new DataView(forged.buffer).setUint32(offset, word, true);
        if (restore(bench, forged) === 1) bench.pit_run(4);
        else refused += 1;
      }
    }
    assert.ok(refused > 100, `${refused} refused`);
    // After all that the memory is as good as new.
    assert.equal(restore(bench, bytes), 1);
    assert.equal(bench.pit_run(0), bench.bench_state_hash());
  });
}
