// @ts-check

/** @typedef {import("./vector.js").Vector} Vector */

/** Less than this is nothing that is worth a word. */
const SMALL = 0.15;
/** By eighths of a turn from the right on, as the screen has them. */
const DIRECTIONS = [
  "to the right",
  "to the lower right",
  "down",
  "to the lower left",
  "to the left",
  "to the upper left",
  "up",
  "to the upper right",
];

/** A tilt for those who can't see the ball.
 * @param {Vector} tilt length 0…1 */
export function leanInWords({ x, y }) {
  if (Math.hypot(x, y - 1) < SMALL) return "not tilted";
  if (Math.hypot(x, y) < SMALL) return "flat, floating";
  const eighth = Math.round((Math.atan2(y, x) * 4) / Math.PI);
  const direction = DIRECTIONS[(eighth + 8) % 8];
  return `${direction}, ${Math.round(Math.hypot(x, y) * 10) * 10} percent`;
}
