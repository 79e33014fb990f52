// @ts-check
// The logs by which the fleets of pages played, run again in WebAssembly: after every snapshot and
// every record its world must be the one that followed the same log natively. So the fleets' replicas
// are native and WebAssembly ones. Tests/ServerTests/Fleet/FleetLog.swift says what is in a file.
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

const wanted = process.env.FLEET_LOGS;
const folder = wanted ?? "";
const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".log")) : [];

/**
 * Follows a log, and compares the world after each entry.
 * @param {any} page the module's exports
 * @param {Uint8Array} log
 * @returns {number} how many records there were
 */
function follow(page, log) {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  let records = 0;
  for (let at = 0; at < log.length; ) {
    const isRecord = log[at] === "R".charCodeAt(0);
    const length = view.getUint32(at + 1, true);
    const hash = view.getBigUint64(at + 5, true);
    const input = page.page_input(length) >>> 0;
    assert.notEqual(input, 0);
    new Uint8Array(page.memory.buffer).set(log.subarray(at + HEAD, at + HEAD + length), input);
    assert.equal(isRecord ? page.log_records(length) : page.log_begin(length), 1);
    const tick = page.log_tick() >>> 0;
    assert.equal(BigInt.asUintN(64, page.log_state_hash()), hash, `the world of tick ${tick}`);
    records += isRecord ? 1 : 0;
    at += HEAD + length;
  }
  return records;
}

const missing = `${folder} has ${names.length} logs of ${FLEETS} fleets: make test-swift writes them`;
// Alone, what lies there may be of another core.
const skip = wanted === undefined ? "make test compares the logs that its Swift tests have written" : false;

test("the fleets left their logs", { skip }, () => assert.ok(names.length >= FLEETS, missing));

for (const name of skip ? [] : names) {
  test(`the world of ${name} is the same in WebAssembly`, async () => {
    const page = await load("web/pit.wasm");
    const records = follow(page, await readFile(join(folder, name)));
    assert.ok(records > 1000, `${records} records`);
  });
}
