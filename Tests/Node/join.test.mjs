// @ts-check
// What somebody who joins is sent, packed natively and unpacked in WebAssembly: the same world, which
// goes on with the same bits. Tests/SimulationTests pins it natively.
import assert from "node:assert/strict";
import { test } from "node:test";
import { json, load } from "./module.mjs";

/** Bytes before the packed world: `RecordCoder.savedBytes`, of which the last 7 are the tilt rule. */
const head = 14 + 7;
const golden = "Tests/SimulationTests/Golden/joins.json";

/**
 * @param {any} bench the module's exports
 * @param {Uint8Array} bytes
 * @returns {number} 1 when they were a snapshot
 */
function join(bench, bytes) {
  const room = bench.pit_room(bytes.length) >>> 0;
  new Uint8Array(bench.memory.buffer).set(bytes, room);
  return bench.pit_join(bytes.length);
}

test("whoever joins goes on alike", async () => {
  const bench = await load(".build-wasm/bench.wasm");
  const runs = await json(golden);
  assert.equal(runs.length, 5);
  for (const run of runs) {
    const bytes = Uint8Array.from(Buffer.from(run.snapshot, "base64"));
    assert.equal(join(bench, bytes), 1);
    assert.equal(BigInt.asUintN(64, bench.pit_run(run.ticks)).toString(16), run.hash);
  }
});

test("damaged snapshots are refused, and trap nothing", async () => {
  const bench = await load(".build-wasm/bench.wasm");
  const [run] = await json(golden);
  const bytes = Uint8Array.from(Buffer.from(run.snapshot, "base64"));
  // Before them are the log's tick, gravities, people who tilt and tilt rule: a gravity may be any,
  // and the last byte may say the same in several ways.
  for (let place = head; place < bytes.length - 1; place += 7) {
    const damaged = bytes.slice();
    damaged[place] ^= 0x11;
    assert.equal(join(bench, damaged), 0, `at ${place}`);
    assert.equal(join(bench, bytes.subarray(0, place)), 0, `cut at ${place}`);
  }
  // The number of bytes comes first. From 2³¹ on it is more than an integer of this machine holds.
  for (const count of [2 ** 22 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + bytes.length, 2 ** 32 - 1]) {
    const long = bytes.slice();
    new DataView(long.buffer).setUint32(head, count, true);
    assert.equal(join(bench, long), 0, `${count} bytes`);
  }
  assert.equal(join(bench, bytes), 1);
});
