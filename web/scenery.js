// @ts-check
import { stickerAt } from "./hit.js";
import { STYLE } from "./marks.js";
import { KIND } from "./sheet.js";
import { BOUNDARY_FLOATS, INSTANCE_AGE, INSTANCE_FLOATS, INSTANCE_SLOT, ROD_FLOATS } from "./wire.js";

/** @typedef {import("./marklist.js").MarkList} MarkList */
/** @typedef {import("./marklist.js").RGB} RGB */

/** From here on the numbers of boundaries mean the world's own bounds, which the rim shows. */
const FIRST_BOUND = 240;
/** The rain's ledges are 25 pt tall to see, solid along their upper edge only. */
const LEDGE = { half: 12.5, corner: 9 };
const WALL = { half: 7, corner: 7 };
/** Until it has popped up (`pop` in stickers.js), seconds, there is nothing to lie around; and
 * who holds something so young held what was in its slot before. */
const BORN = 0.26;

// Boundaries and rods come as the module's numbers: see `BOUNDARY_FLOATS` and `ROD_FLOATS`.

/** Whether one of the world's own bounds is there.
 * @param {Float32Array} boundaries */
export function hasBounds(boundaries) {
  for (let at = 0; at < boundaries.length; at += BOUNDARY_FLOATS) {
    if (boundaries[at] >= FIRST_BOUND) return true;
  }
  return false;
}

/**
 * Ledges and slanted boundaries, below the stickers. What one sees lies under the line that stops
 * the stickers.
 * @param {MarkList} marks @param {Float32Array} boundaries
 * @param {boolean} isRain @param {RGB} colour
 */
export function addLedges(marks, boundaries, isRain, colour) {
  const { half, corner } = isRain ? LEDGE : WALL;
  for (let at = 0; at < boundaries.length; at += BOUNDARY_FLOATS) {
    if (boundaries[at] >= FIRST_BOUND) continue;
    const ax = boundaries[at + 1];
    const ay = boundaries[at + 2];
    const bx = boundaries[at + 3];
    const by = boundaries[at + 4];
    const length = Math.max(1, Math.hypot(bx - ax, by - ay));
    const sign = bx >= ax ? 1 : -1;
    const cosine = ((bx - ax) / length) * sign;
    const sine = ((by - ay) / length) * sign;
    const x = (ax + bx) / 2 - sine * half;
    const y = (ay + by) / 2 + cosine * half;
    marks.add(x, y, cosine, sine, length / 2, half, corner, STYLE.solid, colour, 1);
  }
}

/**
 * The rods of squares that a hand has moved on in the picture move with them.
 * @param {Float32Array} rods changed
 * @param {Float32Array} before the stickers as they were sampled
 * @param {Float32Array} after as they are drawn
 */
export function carryRods(rods, before, after) {
  for (let at = 0; at < rods.length; at += ROD_FLOATS) {
    const index = stickerAt(before, { x: rods[at + 2], y: rods[at + 3] }) * INSTANCE_FLOATS;
    if (index < 0) continue;
    for (let end = at; end < at + ROD_FLOATS; end += 2) {
      rods[end] += after[index] - before[index];
      rods[end + 1] += after[index + 1] - before[index + 1];
    }
  }
}

/**
 * Rods with a pin at each end, above the stickers.
 * @param {MarkList} marks @param {Float32Array} rods
 * @param {RGB} colour of the rod @param {RGB} pin
 */
export function addRods(marks, rods, colour, pin) {
  for (let at = 0; at < rods.length; at += ROD_FLOATS) {
    const [anchorX, anchorY, x, y] = rods.subarray(at, at + ROD_FLOATS);
    const length = Math.hypot(x - anchorX, y - anchorY);
    const sign = x >= anchorX ? 1 / length : -1 / length; // lit from above, not from below
    const [cosine, sine] = length > 0 ? [(x - anchorX) * sign, (y - anchorY) * sign] : [1, 0];
    const [middleX, middleY] = [(x + anchorX) / 2, (y + anchorY) / 2];
    marks.add(middleX, middleY, cosine, sine, length / 2 + 2.5, 2.5, 2.5, STYLE.solid, colour, 1);
    marks.add(anchorX, anchorY, 1, 0, 7, 7, 7, STYLE.solid, pin, 1);
    marks.add(x, y, 1, 0, 4.5, 4.5, 4.5, STYLE.solid, pin, 1);
  }
}

/**
 * Rings around what somebody holds, in that person's colour, and around the chosen square.
 * @param {MarkList} marks @param {Float32Array} instances
 * @param {(client: number) => RGB} colourOf
 * @param {number} chosen slot, −1: none
 * @param {RGB} colour of the ring around it
 */
export function addRings(marks, instances, colourOf, chosen, colour) {
  for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
    const holder = instances[at + INSTANCE_SLOT + 1];
    const isChosen = instances[at + INSTANCE_SLOT] === chosen;
    if ((holder < 0 && !isChosen) || instances[at + INSTANCE_AGE] < BORN) continue;
    const width = instances[at + 4];
    const height = instances[at + 5];
    const isHeld = holder >= 0;
    marks.add(
      instances[at], instances[at + 1], instances[at + 2], instances[at + 3],
      width / 2, height / 2, cornerOf(instances[at + 6], width, height),
      isHeld ? STYLE.ring : STYLE.dashes, isHeld ? colourOf(holder) : colour, isHeld ? 1 : 0.9,
    );
  }
}

/** As the stickers' shader rounds them.
 * @param {number} kind @param {number} width @param {number} height */
function cornerOf(kind, width, height) {
  const half = Math.min(width, height) / 2;
  if (kind === KIND.card) return (half * 24) / 172;
  if (kind === KIND.square) return half * 0.09;
  return kind % 2 === 0 ? half : half * 0.2;
}
