// @ts-check
// Forged snapshots of a pit and forged records of its log in WebAssembly, where numbers have 32 bits:
// they are refused, or the pit goes on; a trap would fail the test. And what native pits do, this one
// does: it goes back exactly.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load, root } from "./module.mjs";

/** Ticks that a pit goes on for which a forged snapshot made. */
const TICKS = 20;

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
        if (restore(bench, forged) === 1) bench.pit_run(TICKS);
        else refused += 1;
      }
    }
    assert.ok(refused > 100, `${refused} refused`);
    // After all that the memory is as good as new.
    assert.equal(restore(bench, bytes), 1);
    assert.equal(bench.pit_run(0), bench.bench_state_hash());
  });
}

/** The first byte of a snapshot's message, and the high half of that of records. */
const [SNAPSHOT, RECORDS] = [0x8a, 0x90];
/** Forged messages of a scene, and those after which the world begins anew though all were taken. */
const [MESSAGES, MOST_TAKEN] = [1500, 20];

/** Numbers without a pattern, the same ones each time. @param {number} seed */
function chance(seed) {
  let state = seed;
  /** @param {number} below */
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The first snapshot that a page was sent, and the records after it, as messages.
 * @param {number} scene */
async function log(scene) {
  const tape = await readFile(new URL(`Tests/ServerTests/Golden/tape-${scene}.txt`, root), "utf8");
  const messages = [...tape.matchAll(/^\d+ m (.*)$/gm)].map((line) => Buffer.from(line[1], "base64"));
  const first = messages.findIndex((message) => message[0] === SNAPSHOT);
  const after = messages.slice(first + 1);
  const end = after.findIndex((message) => message[0] === SNAPSHOT);
  const records = after.slice(0, end < 0 ? undefined : end).filter((message) => (message[0] & 0xf0) === RECORDS);
  return { snapshot: messages[first].subarray(1), records };
}

/** A message that is nearly records. @param {Uint8Array} message @param {(below: number) => number} next */
function forge(message, next) {
  if (next(8) === 0) return Uint8Array.of(RECORDS | next(16), ...Array.from({ length: next(40) }, () => next(256)));
  let forged = Uint8Array.from(message);
  for (let count = next(3); count >= 0; count -= 1) {
    const place = next(forged.length);
    switch (next(5)) {
      case 0: forged[place] ^= 1 << next(8); break;
      case 1: forged[place] = [0, 0x7f, 0x80, 0xff][next(4)]; break;
      case 2: forged[place] = next(256); break;
      case 3: forged = Uint8Array.of(...forged, ...message); break;
      default: forged = forged.slice(0, place + 1);
    }
  }
  return forged;
}

for (const scene of [0, 1, 2, 3, 4]) {
  test(`no forged record of scene ${scene} is a trap`, async () => {
    const page = await load("web/pit.wasm");
    const { snapshot, records } = await log(scene);
    /** @param {(length: number) => number} take @param {Uint8Array} bytes */
    const give = (take, bytes) => {
      const input = page.page_input(bytes.length) >>> 0;
      assert.notEqual(input, 0);
      new Uint8Array(page.memory.buffer).set(bytes, input);
      return take(bytes.length);
    };
    /** Begins with the snapshot, and follows the log to where it is in the middle of things.
     * @param {number} count how many messages of records */
    const begin = (count) => {
      assert.equal(give(page.log_begin, snapshot), 1);
      for (const message of records.slice(0, count)) assert.ok(give(page.log_records, message) > 0);
      return page.log_state_hash();
    };
    const next = chance(7 + scene);
    const hash = begin(records.length);
    let [taken, refused, since] = [0, 0, 0];
    begin(20);
    for (let round = 0; round < MESSAGES; round += 1) {
      const result = give(page.log_records, forge(records[next(records.length)], next));
      if (result > 0) taken += 1;
      else refused += 1;
      since += 1;
      if (result > 0 && since < MOST_TAKEN) continue;
      since = 0;
      begin(next(20));
    }
    assert.ok(taken > 100 && refused > 100, `${taken} taken, ${refused} refused`);
    // After all that the memory is as good as new.
    assert.equal(begin(records.length), hash);
  });
}
