// @ts-check
// Replays a journal with the page's module, for `stickerpit verify --wasm`: questions on standard
// input, an answer of 16 bytes to each on standard output. A question is a letter, the number of the
// bytes that follow (32 bits, lowest first) and those: 'S' a snapshot, 'R' records, 'H' none. An
// answer is a number of 32 bits (what the module returned), the tick, and 64 bits: to 'H' the hash of
// the world, otherwise the count of hashes that agreed.
import { readFileSync, readSync, writeSync } from "node:fs";

/**
 * What `Exports+Verification.swift` exports beside what the page calls.
 * @typedef {import("./core/exports.js").PageExports & {
 *   log_begin: (length: number) => number, log_records: (length: number) => number,
 *   log_tick: () => number, log_hashes: () => number, log_state_hash: () => bigint }} Exports
 */

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const module = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));

/** @param {number} count
 * @returns {Uint8Array | null} null at the end of the input */
function take(count) {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; ) {
    const got = readSync(0, bytes, at, count - at, null);
    if (got === 0) return null;
    at += got;
  }
  return bytes;
}

/** @param {string} kind
 * @param {Uint8Array} bytes */
function ask(kind, bytes) {
  if (kind === "H") return 0;
  const input = module.page_input(bytes.length);
  if (input === 0) return -1;
  new Uint8Array(module.memory.buffer).set(bytes, input);
  return kind === "S" ? module.log_begin(bytes.length) : module.log_records(bytes.length);
}

for (let head; (head = take(5)); ) {
  const kind = String.fromCharCode(head[0]);
  const bytes = take(new DataView(head.buffer).getUint32(1, true));
  if (!bytes) break;
  const answer = new DataView(new ArrayBuffer(16));
  answer.setInt32(0, ask(kind, bytes), true);
  answer.setUint32(4, module.log_tick(), true);
  const wide = kind === "H" ? module.log_state_hash() : BigInt(module.log_hashes());
  answer.setBigUint64(8, BigInt.asUintN(64, wide), true);
  writeSync(1, new Uint8Array(answer.buffer));
}
