// @ts-check
import { stickerAt } from "./hit.js";
import { STYLE } from "./marks.js";
import { KIND } from "./sheet.js";
import { INSTANCE_AGE, INSTANCE_FLOATS, INSTANCE_SLOT } from "./wire.js";

/** @typedef {import("./module.js").Boundary} Boundary */
/** @typedef {import("./module.js").Rod} Rod */
/** @typedef {[number, number, number]} RGB */

/** From here on the numbers of boundaries mean the world's own bounds, which the rim shows. */
const FIRST_BOUND = 240;
/** The rain's ledges are 25 pt tall to see, solid along their upper edge only. */
const LEDGE = { half: 12.5, corner: 9 };
const WALL = { half: 7, corner: 7 };
/** Until it has popped up (`pop` in stickers.js), seconds, there is nothing to lie around; and
 * who holds something so young held what was in its slot before. */
const BORN = 0.26;

/** Whether one of the world's own bounds is there. @param {Boundary[]} boundaries */
export function hasBounds(boundaries) {
  return boundaries.some(({ id }) => id >= FIRST_BOUND);
}

/**
 * Ledges and slanted boundaries, below the stickers. What one sees lies under the line that stops
 * the stickers.
 * @param {Boundary[]} boundaries
 * @param {boolean} isRain
 * @param {RGB} colour
 */
export function ledgeMarks(boundaries, isRain, colour) {
  const { half, corner } = isRain ? LEDGE : WALL;
  const marks = boundaries
    .filter(({ id }) => id < FIRST_BOUND)
    .map(({ ax, ay, bx, by }) => {
      const length = Math.max(1, Math.hypot(bx - ax, by - ay));
      const sign = bx >= ax ? 1 : -1;
      const [cosine, sine] = [((bx - ax) / length) * sign, ((by - ay) / length) * sign];
      const x = (ax + bx) / 2 - sine * half;
      const y = (ay + by) / 2 + cosine * half;
      return [x, y, cosine, sine, length / 2, half, corner, STYLE.solid, ...colour, 1];
    });
  return new Float32Array(marks.flat());
}

/**
 * The rods of squares that a hand has moved on in the picture move with them.
 * @param {Rod[]} rods
 * @param {Float32Array} before the stickers as they were sampled
 * @param {Float32Array} after as they are drawn
 */
export function carriedRods(rods, before, after) {
  return rods.map((rod) => {
    const index = stickerAt(before, rod) * INSTANCE_FLOATS;
    if (index < 0) return rod;
    const [dx, dy] = [after[index] - before[index], after[index + 1] - before[index + 1]];
    const { anchorX, anchorY, x, y } = rod;
    return { anchorX: anchorX + dx, anchorY: anchorY + dy, x: x + dx, y: y + dy };
  });
}

/**
 * Rods with a pin at each end, above the stickers.
 * @param {Rod[]} rods
 * @param {RGB} colour of the rod
 * @param {RGB} pin
 */
export function rodMarks(rods, colour, pin) {
  return rods.flatMap(({ anchorX, anchorY, x, y }) => {
    const length = Math.hypot(x - anchorX, y - anchorY);
    const sign = x >= anchorX ? 1 / length : -1 / length; // lit from above, not from below
    const [cosine, sine] = length > 0 ? [(x - anchorX) * sign, (y - anchorY) * sign] : [1, 0];
    const middle = [(x + anchorX) / 2, (y + anchorY) / 2];
    return [
      ...[...middle, cosine, sine, length / 2 + 2.5, 2.5, 2.5, STYLE.solid, ...colour, 1],
      ...[anchorX, anchorY, 1, 0, 7, 7, 7, STYLE.solid, ...pin, 1],
      ...[x, y, 1, 0, 4.5, 4.5, 4.5, STYLE.solid, ...pin, 1],
    ];
  });
}

/**
 * Rings around what somebody holds, in that person's colour, and around the chosen square.
 * @param {Float32Array} instances
 * @param {(client: number) => RGB} colourOf
 * @param {{ slot: number, colour: RGB }} chosen slot −1: none
 */
export function ringMarks(instances, colourOf, chosen) {
  const marks = [];
  for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
    const holder = instances[at + INSTANCE_SLOT + 1];
    const isChosen = instances[at + INSTANCE_SLOT] === chosen.slot;
    if ((holder < 0 && !isChosen) || instances[at + INSTANCE_AGE] < BORN) continue;
    const [x, y, cosine, sine, width, height, kind] = instances.subarray(at, at + 7);
    const form = [x, y, cosine, sine, width / 2, height / 2, cornerOf(kind, width, height)];
    if (holder >= 0) marks.push(...form, STYLE.ring, ...colourOf(holder), 1);
    else marks.push(...form, STYLE.dashes, ...chosen.colour, 0.9);
  }
  return marks;
}

/** As the stickers' shader rounds them.
 * @param {number} kind @param {number} width @param {number} height */
function cornerOf(kind, width, height) {
  const half = Math.min(width, height) / 2;
  if (kind === KIND.card) return (half * 24) / 172;
  if (kind === KIND.square) return half * 0.09;
  return kind % 2 === 0 ? half : half * 0.2;
}
