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
  "lateCommands",
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
 * How running the world goes; null with the state stream. Each call may make the memory grow, which
 * leaves nothing of its buffer of before: the buffer is taken after the calls that give addresses.
 * @param {import("./exports.js").PageExports} wasm @param {TextDecoder} text
 * @returns {Following | null}
 */
export function readFollowing(wasm, text) {
  if (wasm.page_is_following() === 0) return null;
  const at = wasm.page_following();
  const numbers = new Float64Array(wasm.memory.buffer, at, FOLLOWING.length);
  const following = Object.fromEntries(FOLLOWING.map((name, index) => [name, numbers[index]]));
  // What was different first when the world was last wrong, in words.
  const [start, length] = [wasm.page_difference(), wasm.page_difference_length()];
  const words = new Uint8Array(wasm.memory.buffer, start, length);
  return /** @type {Following} */ ({ ...following, difference: text.decode(words) });
}

/**
 * @typedef {{ roundTrip: number, delay: number, jitter: number, frames: number, keyframes: number,
 *   skipped: number, gaps: number, tick: number, quality: number }} LinkNumbers
 */

/**
 * How the line and what comes over it fare.
 * @param {import("./exports.js").PageExports} wasm
 * @returns {LinkNumbers}
 */
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
