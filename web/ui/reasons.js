// @ts-check
// Why the pit can't be shown, or nothing can be done in it, in words for a person.
import { text } from "../strings/language.js";

/** A module of nothing but `i8x16.splat` and `i8x16.popcnt`: it is valid where the browser knows
 * vectors of 128 bits, which the pit's module is made of. */
const VECTORS = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
];

/** Why the pit can't run here; empty where it can. */
export function reasonNotToRun() {
  if (typeof WebAssembly !== "object") return text("failure.noWebAssembly");
  return WebAssembly.validate(Uint8Array.from(VECTORS)) ? "" : text("failure.tooOld");
}

/** What a person is told of what went wrong.
 * @param {unknown} error */
export function failureSentence(error) {
  const isPicture = String(error).includes("canvas");
  return reasonNotToRun() || text(isPicture ? "failure.noPicture" : "failure.notLoaded");
}

/**
 * Why nothing can be done in the pit now; empty if something can.
 * @param {{ state: string }} connection
 * @param {{ isFrozen: boolean, isAlone: boolean }} module
 */
export function reasonToRest({ state }, { isFrozen, isAlone }) {
  if (state !== "online" && !isAlone) return text("toast.offline");
  return isFrozen ? text("toast.frozen") : "";
}
