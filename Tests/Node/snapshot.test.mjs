// @ts-check
// Snapshots saved natively, restored in WebAssembly: the same world, which goes on with the same bits
// and is saved as the same bytes. Tests/PhysicsTests pins them natively.
import assert from "node:assert/strict";
import { test } from "node:test";
import { json, load } from "./module.mjs";

const golden = "Tests/PhysicsTests/Golden/snapshots.json";

/**
 * @param {any} bench the module's exports
 * @param {Uint8Array} bytes
 * @returns {number} 1 when they were a snapshot
 */
function restore(bench, bytes) {
  const room = bench.snapshot_room(bytes.length) >>> 0;
  new Uint8Array(bench.memory.buffer).set(bytes, room);
  return bench.snapshot_restore(bytes.length);
}

/** @param {any} bench @returns {Uint8Array} */
function save(bench) {
  const count = bench.snapshot_save();
  return new Uint8Array(bench.memory.buffer, bench.snapshot_room(count) >>> 0, count);
}

/** @param {Uint8Array} bytes */
function fnv(bytes) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x00000100000001b3n);
  }
  return hash.toString(16);
}

test("native snapshots go on alike", async () => {
  const bench = await load(".build-wasm/bench.wasm");
  const runs = await json(golden);
  assert.ok(runs.length >= 4);
  for (const run of runs) {
    const bytes = Uint8Array.from(Buffer.from(run.snapshot, "base64"));
    assert.equal(restore(bench, bytes), 1);
    assert.deepEqual(save(bench), bytes);
    bench.snapshot_step(run.ticks);
    assert.equal(BigInt.asUintN(64, bench.snapshot_hash()).toString(16), run.hash);
    assert.equal(fnv(save(bench)), run.savedHash);
  }
});

test("what is no snapshot is refused", async () => {
  const bench = await load(".build-wasm/bench.wasm");
  const [run] = await json(golden);
  const bytes = Uint8Array.from(Buffer.from(run.snapshot, "base64"));
  assert.equal(restore(bench, bytes), 1);
  const hash = bench.snapshot_hash();
  assert.equal(restore(bench, bytes.subarray(0, bytes.length - 1)), 0);
  assert.equal(bench.snapshot_hash(), hash);
});
