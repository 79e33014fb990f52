// @ts-check
import { stickerAt } from "../core/hit.js";
import { lengthOf } from "../core/vector.js";
import { BOUNDARY_FLOATS, INSTANCE_AGE, INSTANCE_FLOATS, INSTANCE_SLOT, ROD_FLOATS } from "../core/wire.js";
import { FORM_FLOATS, POP, growthOf } from "./forms.js";
import { STYLE } from "./marklist.js";
import { shownSet } from "./stickersets.js";

/** @typedef {import("./marklist.js").MarkList} MarkList */
/** @typedef {import("./colour.js").RGB} RGB */

/** Boundaries with this number or a higher one are the world's own bounds, which the rim shows. */
const FIRST_BOUND = 240;
/** The rain's ledges are 25 pt tall to see, solid along their upper edge only. */
const LEDGE = { half: 12.5, corner: 9 };
const WALL = { half: 7, corner: 7 };
/** A ledge that is worn so far, in its last quarter of a second, trembles by so many points. */
const LOOSE = 0.83;
const TREMBLE = 1.2;
/** A younger sticker has no halo, seconds: it still pops up, and its holder may be who held the
 * sticker that had the slot before. */
const BORN = POP.seconds;

/** The floor shakes so many ticks before it opens (150 ms): how far, points, and how often a second. */
const QUAKE = { ticks: 9, reach: 3.5, times: 22 };

const FLAT = new Float32Array(0);
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
    const length = Math.max(1, lengthOf(bx - ax, by - ay));
    const sign = bx >= ax ? 1 : -1;
    const cosine = ((bx - ax) / length) * sign;
    const sine = ((by - ay) / length) * sign;
    const x = (ax + bx) / 2 - sine * half;
    const wear = isRain ? wearOf(boundaries[at]) : 0;
    const y = (ay + by) / 2 + cosine * half + trembleOf(wear);
    const style = wear > 0 ? STYLE.cracked : STYLE.solid;
    marks.add(x, y, cosine, sine, length / 2, half, corner, style, colour, wear > 0 ? wear : 1);
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
    const x = rods[at + 2];
    const y = rods[at + 3];
    const length = lengthOf(x - anchorX, y - anchorY);
    const sign = x >= anchorX ? 1 / length : -1 / length; // lit from above, not from below
    const cosine = length > 0 ? (x - anchorX) * sign : 1;
    const sine = length > 0 ? (y - anchorY) * sign : 0;
    const middleX = (x + anchorX) / 2;
    const middleY = (y + anchorY) / 2;
    marks.add(middleX, middleY, cosine, sine, length / 2 + 2.5, 2.5, 2.5, STYLE.solid, colour, 1);
    marks.add(anchorX, anchorY, 1, 0, 7, 7, 7, STYLE.solid, pin, 1);
    marks.add(x, y, 1, 0, 4.5, 4.5, 4.5, STYLE.solid, pin, 1);
  }
}

/**
 * Halos around what somebody holds, in that person's colour, and around the chosen square.
 * @param {MarkList} marks
 * @param {Float32Array} instances
 * @param {(client: number) => RGB} colourOf
 * @param {number} chosen slot, −1: none
 * @param {RGB} colour of the halo around it
 * @param {Float32Array} forms of the stickers, empty while all lie flat
 */
export function addHalos(marks, instances, colourOf, chosen, colour, forms = FLAT) {
  for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
    const holder = instances[at + INSTANCE_SLOT + 1];
    const isChosen = instances[at + INSTANCE_SLOT] === chosen;
    if ((holder < 0 && !isChosen) || instances[at + INSTANCE_AGE] < BORN) continue;
    const form = (at / INSTANCE_FLOATS) * FORM_FLOATS;
    const growth = forms.length > 0 ? growthOf(forms[form], instances[at + 4]) : 1;
    const raise = forms.length > 0 ? forms[form + 3] : 0;
    if (holder >= 0) addHalo(marks, instances, at, growth, raise, colourOf(holder), 1);
    else addAround(marks, instances, at, growth, raise, STYLE.dashes, colour, 0.9);
  }
}

/**
 * A halo around the sticker that begins there.
 * @param {MarkList} marks
 * @param {Float32Array} instances
 * @param {number} at
 * @param {number} growth by which it is drawn larger than it is
 * @param {number} raise how far above its place it is drawn, points
 * @param {RGB} colour
 * @param {number} opacity
 */
export function addHalo(marks, instances, at, growth, raise, colour, opacity) {
  addAround(marks, instances, at, growth, raise, STYLE.halo, colour, opacity);
}

/** @param {MarkList} marks
 * @param {Float32Array} instances
 * @param {number} at
 * @param {number} growth
 * @param {number} raise
 * @param {number} style
 * @param {RGB} colour
 * @param {number} opacity */
function addAround(marks, instances, at, growth, raise, style, colour, opacity) {
  const width = instances[at + 4] * growth;
  const height = instances[at + 5] * growth;
  marks.add(
    instances[at], instances[at + 1] - raise, instances[at + 2], instances[at + 3],
    width / 2, height / 2, cornerOf(instances[at + 6], width, height), style, colour, opacity,
  );
}

/** As the stickers' shader rounds them.
 * @param {number} kind
 * @param {number} width
 * @param {number} height */
function cornerOf(kind, width, height) {
  return (shownSet().cornerOf(kind) * Math.min(width, height)) / 2;
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
