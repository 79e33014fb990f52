// @ts-check
import { text } from "./strings/language.js";

/** @typedef {import("./vector.js").Vector} Vector */

/** Less than this is nothing that is worth a word. */
const SMALL = 0.15;
/** By eighths of a turn from the right on, as the screen has them. */
const DIRECTIONS = /** @type {const} */ ([
  "lean.right",
  "lean.lowerRight",
  "lean.down",
  "lean.lowerLeft",
  "lean.left",
  "lean.upperLeft",
  "lean.up",
  "lean.upperRight",
]);

/** A tilt for those who can't see the ball.
 * @param {Vector} tilt length 0…1 */
export function leanInWords({ x, y }) {
  if (Math.hypot(x, y - 1) < SMALL) return text("lean.none");
  if (Math.hypot(x, y) < SMALL) return text("lean.flat");
  const eighth = Math.round((Math.atan2(y, x) * 4) / Math.PI);
  const direction = text(DIRECTIONS[(eighth + 8) % 8]);
  return text("lean.some", { direction, percent: Math.round(Math.hypot(x, y) * 10) * 10 });
}
