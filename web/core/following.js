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

/**
 * @typedef {{ roundTrip: number, delay: number, jitter: number, frames: number, keyframes: number,
 *   skipped: number, gaps: number, tick: number, quality: number }} LinkNumbers
 */

/**
 * How good the line is, and how many frames have come over it.
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
