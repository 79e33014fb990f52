// @ts-check

/**
 * A unit in which figures are written: how many of the figures' own it is, and its name.
 * @typedef {{ size: number, name: string }} Unit
 */

/** A unit of its own for every thousand, for what may be a few bytes or many megabytes.
 * @type {readonly Unit[]} */
const BYTES = Object.freeze([
  { size: 1e6, name: "MB/s" },
  { size: 1e3, name: "kB/s" },
  { size: 1, name: "B/s" },
]);

/** The unit in which the largest of some bytes a second is at least one.
 * @param {number} largest
 * @returns {Unit} */
export function byteUnit(largest) {
  return BYTES.find(({ size }) => largest >= size) ?? BYTES[BYTES.length - 1];
}

/** The smallest of 1, 2 and 5 with any zeros that is no less: where an axis ends.
 * @param {number} value more than 0 */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  // 0.3 is 3 times 0.1 and a little more.
  const digit = value / power - 1e-9;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

/** With three digits, which can be read across a room, and none behind the dot of a whole number.
 * @param {number} value */
export function short(value) {
  if (!Number.isFinite(value)) return "–";
  if (Number.isInteger(value) || value >= 99.95) return String(Math.round(value));
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}
