// @ts-check
import { FLAT, UPRIGHT } from "../core/vector.js";
import {
  BOUNDARY_FLOATS, INSTANCE_AGE, INSTANCE_FLOATS, INSTANCE_HEIGHT, INSTANCE_HOLDER, INSTANCE_KIND,
  INSTANCE_SLOT, INSTANCE_WIDTH, ROD_FLOATS,
} from "../core/wire.js";
import { FORM_FLOATS, POP, growthOf } from "./forms.js";
import { STYLE } from "./marklist.js";
import { shownSet } from "./stickersets.js";
import { stickerAt } from "./under.js";

/** @typedef {import("../core/vector.js").Vector} Vector */
/** @typedef {import("./marklist.js").MarkList} MarkList */
/** @typedef {import("./colour.js").RGB} RGB */

/** Boundaries with this number or a higher one are the world's own bounds, which the rim shows. */
const FIRST_BOUND = 240;
/** The rain's ledges are 25 pt tall to see, solid along their upper edge only. */
const LEDGE = { half: 12.5, corner: 9 };
const WALL = { half: 7, corner: 7 };
/** From which wear on a ledge trembles, in its last quarter of a second, and by how many points. */
const LOOSE = 0.83;
const TREMBLE = 1.2;
/** A younger sticker has no halo, seconds: it still pops up, and its holder may be who held the
 * sticker that had the slot before. */
const BORN = POP.seconds;

/** How many ticks before it opens the floor shakes (150 ms), how far, points, and how often a second. */
const QUAKE = { ticks: 9, reach: 3.5, times: 22 };

const NO_FORMS = new Float32Array(0);
const calmQuery = matchMedia("(prefers-reduced-motion: reduce)");

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
 * Ledges and slanted boundaries, below the stickers. They are drawn under the line that stops the
 * stickers.
 * @param {MarkList} marks
 * @param {Float32Array} boundaries
 * @param {boolean} isRain
 * @param {RGB} colour
 * @param {(id: number) => number} wearOf how worn each is, 0…1
 */
export function addLedges(marks, boundaries, isRain, colour, wearOf) {
  const { half, corner } = isRain ? LEDGE : WALL;
  for (let at = 0; at < boundaries.length; at += BOUNDARY_FLOATS) {
    if (boundaries[at] >= FIRST_BOUND) continue;
    const ax = boundaries[at + 1];
    const ay = boundaries[at + 2];
    const bx = boundaries[at + 3];
    const by = boundaries[at + 4];
    const length = Math.max(1, Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay)));
    const sign = bx >= ax ? 1 : -1;
    const cosine = ((bx - ax) / length) * sign;
    const sine = ((by - ay) / length) * sign;
    const wear = isRain ? wearOf(boundaries[at] | 0) : 0;
    const tremble = wear > 0 ? trembleOf(wear) : 0;
    const mark = marks.next(wear > 0 ? STYLE.cracked : STYLE.solid, colour);
    const { numbers } = marks;
    numbers[mark] = (ax + bx) / 2 - sine * half;
    numbers[mark + 1] = (ay + by) / 2 + cosine * half + tremble;
    numbers[mark + 2] = cosine;
    numbers[mark + 3] = sine;
    numbers[mark + 4] = length / 2;
    numbers[mark + 5] = half;
    numbers[mark + 6] = corner;
    if (wear > 0) numbers[mark + 11] = wear;
  }
}

/** How far a worn ledge is moved, points: up and down by turns, as its wear grows tick by tick.
 * @param {number} wear 0…1 */
function trembleOf(wear) {
  if (wear < LOOSE || calmQuery.matches) return 0;
  return Math.round(wear * 90) % 2 === 0 ? TREMBLE : -TREMBLE;
}

/** Where a rod holds its square; kept, so that a picture makes no objects. */
const held = { x: 0, y: 0 };

/**
 * Moves the rods of squares that a hand has moved on in the picture.
 * @param {Float32Array} rods changed
 * @param {Float32Array} before the stickers as they were sampled
 * @param {Float32Array} after as they are drawn
 */
export function carryRods(rods, before, after) {
  for (let at = 0; at < rods.length; at += ROD_FLOATS) {
    held.x = rods[at + 2];
    held.y = rods[at + 3];
    const index = stickerAt(before, held) * INSTANCE_FLOATS;
    if (index < 0) continue;
    for (let end = at; end < at + ROD_FLOATS; end += 2) {
      rods[end] += after[index] - before[index];
      rods[end + 1] += after[index + 1] - before[index + 1];
    }
  }
}

/**
 * Rods with a pin at each end, above the stickers.
 * @param {MarkList} marks
 * @param {Float32Array} rods
 * @param {RGB} colour of the rod
 * @param {RGB} pin
 */
export function addRods(marks, rods, colour, pin) {
  for (let at = 0; at < rods.length; at += ROD_FLOATS) {
    const anchorX = rods[at];
    const anchorY = rods[at + 1];
    const acrossX = rods[at + 2] - anchorX;
    const acrossY = rods[at + 3] - anchorY;
    const length = Math.sqrt(acrossX * acrossX + acrossY * acrossY);
    const sign = acrossX >= 0 ? 1 / length : -1 / length; // lit from above, not from below
    const mark = marks.next(STYLE.solid, colour);
    const { numbers } = marks;
    numbers[mark] = anchorX + acrossX / 2;
    numbers[mark + 1] = anchorY + acrossY / 2;
    numbers[mark + 2] = length > 0 ? acrossX * sign : 1;
    numbers[mark + 3] = length > 0 ? acrossY * sign : 0;
    numbers[mark + 4] = length / 2 + 2.5;
    numbers[mark + 5] = 2.5;
    numbers[mark + 6] = 2.5;
    addPin(marks, rods, at, 7, pin);
    addPin(marks, rods, at + 2, 4.5, pin);
  }
}

/** @param {MarkList} marks
 * @param {Float32Array} rods
 * @param {number} at where the pin's place stands
 * @param {number} radius points
 * @param {RGB} colour */
function addPin(marks, rods, at, radius, colour) {
  const mark = marks.next(STYLE.solid, colour);
  const { numbers } = marks;
  numbers[mark] = rods[at];
  numbers[mark + 1] = rods[at + 1];
  for (let size = mark + 4; size < mark + 7; size += 1) numbers[size] = radius;
}

/**
 * Halos around what somebody holds, in that person's colour, and around the chosen square.
 * @param {MarkList} marks
 * @param {Float32Array} instances
 * @param {(person: number) => RGB} colourOf
 * @param {number} chosen slot, −1: none
 * @param {RGB} colour of the halo around it
 * @param {Float32Array} forms of the stickers, empty while all lie flat
 */
export function addHalos(marks, instances, colourOf, chosen, colour, forms = NO_FORMS) {
  for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
    const holder = instances[at + INSTANCE_HOLDER] | 0;
    const isChosen = instances[at + INSTANCE_SLOT] === chosen;
    if ((holder < 0 && !isChosen) || instances[at + INSTANCE_AGE] < BORN) continue;
    const style = holder >= 0 ? STYLE.halo : STYLE.dashes;
    const mark = addAround(marks, instances, at, style, holder >= 0 ? colourOf(holder) : colour);
    const { numbers } = marks;
    if (holder < 0) numbers[mark + 11] = 0.9;
    if (forms.length === 0) continue;
    // As large as the sticker is drawn, and as far above its place.
    const form = (at / INSTANCE_FLOATS) * FORM_FLOATS;
    const growth = growthOf(forms[form], instances[at + INSTANCE_WIDTH]);
    for (let size = mark + 4; size < mark + 7; size += 1) numbers[size] *= growth;
    numbers[mark + 1] -= forms[form + 3];
  }
}

/**
 * A halo around the sticker that begins there, where the sticker is and as large as it is.
 * @param {MarkList} marks
 * @param {Float32Array} instances
 * @param {number} at
 * @param {RGB} colour
 * @returns {number} where the mark's numbers begin
 */
export function addHalo(marks, instances, at, colour) {
  return addAround(marks, instances, at, STYLE.halo, colour);
}

/** @param {MarkList} marks
 * @param {Float32Array} instances
 * @param {number} at
 * @param {number} style
 * @param {RGB} colour
 * @returns {number} where the mark's numbers begin */
function addAround(marks, instances, at, style, colour) {
  const mark = marks.next(style, colour);
  const { numbers } = marks;
  // Its place and how it is turned stand in both in the same order.
  for (let part = 0; part < 4; part += 1) numbers[mark + part] = instances[at + part];
  const halfWidth = instances[at + INSTANCE_WIDTH] / 2;
  const halfHeight = instances[at + INSTANCE_HEIGHT] / 2;
  numbers[mark + 4] = halfWidth;
  numbers[mark + 5] = halfHeight;
  // As the stickers' shader rounds it.
  const corner = shownSet().cornerOf(instances[at + INSTANCE_KIND] | 0);
  numbers[mark + 6] = corner * Math.min(halfWidth, halfHeight);
  return mark;
}

/**
 * Where the floor leans: where nothing falls it lies flat, and as long as the last picture stays because
 * the next world is on its way, it leans as before.
 * @param {Vector} before
 * @param {{ gravity: Vector } | null} world null while it is on its way
 * @param {Float32Array} instances that are shown
 * @param {boolean} isFlat
 */
export function leanOf(before, world, instances, isFlat) {
  if (isFlat) return FLAT;
  if (world) return world.gravity;
  return instances.length > 0 ? before : UPRIGHT;
}

/**
 * How far to the right a picture is shifted because the floor is about to open, points.
 * @param {number} ticks until it does; negative if it is not about to
 * @param {number} now ms
 */
export function quake(ticks, now) {
  if (!(ticks > 0 && ticks <= QUAKE.ticks) || calmQuery.matches) return 0;
  return QUAKE.reach * Math.sin((2 * Math.PI * QUAKE.times * now) / 1000);
}
