// @ts-check
// The logs by which the fleets of pages played, run again in WebAssembly: after every snapshot and
// every record its world must be the one that followed the same log natively. So the fleets' replicas
// are native and WebAssembly ones. And whoever joins later, with the snapshot that somebody was sent
// then, goes on with the same worlds. Tests/ServerTests/Fleet/FleetLog.swift says what is in a file.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "./module.mjs";

/** Bytes of an entry before its content. */
const HEAD = 13;
/** One for each seed of FleetTests, as many as it takes by itself. */
const FLEETS = Number(process.env.FLEETS ?? 25);
/** Ticks that are run behind the snapshot of somebody who joined later: with a hash of the log's. */
const TICKS_JOINED = 45;

const wanted = process.env.FLEET_LOGS;
const folder = wanted ?? "";
const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".log")) : [];

/** @typedef {{ kind: string, content: Uint8Array, hash: bigint }} Entry */

/** @param {Uint8Array} log @returns {Entry[]} */
function entries(log) {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  /** @type {Entry[]} */ const found = [];
  for (let at = 0; at < log.length; ) {
    const end = at + HEAD + view.getUint32(at + 1, true);
    const content = log.subarray(at + HEAD, end);
    found.push({ kind: String.fromCharCode(log[at]), content, hash: view.getBigUint64(at + 5, true) });
    at = end;
  }
  return found;
}

/**
 * Takes an entry in, and compares the world after it.
 * @param {any} page the module's exports
 * @param {Entry} entry
 * @returns {number} the tick of the world
 */
function take(page, { kind, content, hash }) {
  const input = page.page_input(content.length) >>> 0;
  assert.notEqual(input, 0);
  new Uint8Array(page.memory.buffer).set(content, input);
  assert.equal(kind === "R" ? page.log_records(content.length) : page.log_begin(content.length), 1);
  const tick = page.log_tick() >>> 0;
  assert.equal(BigInt.asUintN(64, page.log_state_hash()), hash, `the world of tick ${tick}`);
  return tick;
}

/**
 * Joins a log later, and follows it for a while.
 * @param {any} page the module's exports
 * @param {Entry} snapshot
 * @param {Entry[]} log
 * @param {Map<number, number>} places of the log's entries, by the tick of the world after them
 * @returns {number} how many records were followed
 */
function joinLater(page, snapshot, log, places) {
  const place = places.get(take(page, snapshot));
  // The last one of all may be newer than what the log has.
  if (place === undefined) return 0;
  assert.equal(snapshot.hash, log[place].hash, "it is sent the world that everybody has");
  let next = place + 1;
  while (next <= place + TICKS_JOINED && log[next]?.kind === "R") take(page, log[next++]);
  return next - place - 1;
}

const missing = `${folder} has ${names.length} logs of ${FLEETS} fleets: make test-swift writes them`;
// Alone, what lies there may be of another core.
const skip = wanted === undefined ? "make test compares the logs that its Swift tests have written" : false;

test("the fleets left their logs", { skip }, () => assert.ok(names.length >= FLEETS, missing));

for (const name of skip ? [] : names) {
  test(`the world of ${name} is the same in WebAssembly`, async () => {
    const page = await load("web/pit.wasm");
    const all = entries(await readFile(join(folder, name)));
    const log = all.filter(({ kind }) => kind !== "J");
    const places = new Map();
    for (const [place, entry] of log.entries()) places.set(take(page, entry), place);
    assert.ok(log.length > 1000, `${log.length} entries`);
    let followed = 0;
    for (const snapshot of all) {
      if (snapshot.kind === "J") followed += joinLater(page, snapshot, log, places);
    }
    assert.ok(followed >= TICKS_JOINED, `${followed} records behind later snapshots`);
  });
}
