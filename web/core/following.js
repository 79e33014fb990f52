// @ts-check

/** The numbers of `page_following`, in their order. */
const FOLLOWING = /** @type {const} */ ([
  "ahead",
  "most",
  "inputDelay",
  "lead",
  "rollbacks",
  "replayed",
  "corrections",
  "largestCorrection",
  "recentCorrection",
  "lateTicks",
  "hashes",
  "diverged",
  "isDiverged",
  "sinceDivergence",
  "bytes",
  "cost",
  "divergedTick",
]);
/** @typedef {Record<(typeof FOLLOWING)[number], number> & { difference: string }} Following */

/**
 * How running the world goes; null with the state stream. A call of the module may make its memory
 * grow, which detaches the buffer: so the buffer is taken after the calls that give addresses.
 * @param {import("./exports.js").PageExports} wasm
 * @param {TextDecoder} text
 * @returns {Following | null}
 */
export function readFollowing(wasm, text) {
  if (wasm.page_is_following() === 0) return null;
  const at = wasm.page_following();
  const numbers = new Float64Array(wasm.memory.buffer, at, FOLLOWING.length);
  const following = Object.fromEntries(FOLLOWING.map((name, index) => [name, numbers[index]]));
  // The first difference that was found when the world was last wrong, in words.
  const [start, length] = [wasm.page_difference(), wasm.page_difference_length()];
  const words = new Uint8Array(wasm.memory.buffer, start, length);
  return /** @type {Following} */ ({ ...following, difference: text.decode(words) });
}

/** @param {import("./exports.js").PageExports} wasm
 * @param {TextDecoder} text
 * @returns {import("./exports.js").Divergence | null} */
export function readDivergence(wasm, text) {
  const at = wasm.page_divergence();
  if (at === 0) return null;
  const [tick, mine, servers, end] = new Uint32Array(wasm.memory.buffer, at, 4);
  const bytes = new Uint8Array(wasm.memory.buffer, at, end).slice();
  const difference = text.decode(bytes.slice(servers));
  return { tick, difference, mine: bytes.slice(16, mine), servers: bytes.slice(mine, servers) };
}

/** @param {import("./exports.js").PageExports} wasm
 * @returns {import("./exports.js").LinkNumbers} */
export function readLink(wasm) {
  return {
    roundTrip: wasm.page_round_trip_ms(),
    delay: wasm.page_delay_ms(),
    jitter: wasm.page_jitter_ms(),
    frames: wasm.page_frames(),
    keyframes: wasm.page_keyframes(),
    skipped: wasm.page_skipped(),
    gaps: wasm.page_gaps(),
    tick: wasm.page_tick() >>> 0,
    quality: wasm.page_quality(),
  };
}
