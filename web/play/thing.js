// @ts-check
import { INSTANCE_FLOATS, INSTANCE_HOLDER, INSTANCE_SLOT } from "../core/wire.js";
import { KIND } from "../draw/sheet.js";
import { fallingName, shownSet } from "../draw/stickersets.js";
import { slotNear } from "../draw/under.js";
import { text } from "../strings/language.js";

/** @typedef {import("../core/vector.js").Vector} Vector */
/** A sticker as keys know it.
 * @typedef {Vector & { slot: number, kind: number, holder: number }} Thing */

/** Keys are not as exact as a mouse: how far from the aim a sticker is still meant, points. */
const SLACK = 14;

/** @param {Float32Array} instances
 * @param {number} at
 * @returns {Thing} */
function thing(instances, at) {
  const [x, y] = instances.subarray(at);
  const [kind, , slot, holder] = instances.subarray(at + 6);
  return { x, y, kind, slot, holder };
}

/** All that somebody holds, in the order of their slots.
 * @param {Float32Array} instances */
export function heldThings(instances) {
  const held = [];
  for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
    if (instances[at + INSTANCE_HOLDER] >= 0) held.push(thing(instances, at));
  }
  return held.sort((one, other) => one.slot - other.slot);
}

/** @param {Float32Array} instances
 * @param {number} slot
 * @returns {Thing | null} */
export function thingOf(instances, slot) {
  for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
    if (instances[at + INSTANCE_SLOT] === slot) return thing(instances, at);
  }
  return null;
}

/** @param {Float32Array} instances
 * @param {Vector} point */
export function thingAt(instances, point) {
  return thingOf(instances, slotNear(instances, point, SLACK));
}

/** The sticker after one in the order of the slots; the first after the last.
 * @param {Float32Array} instances
 * @param {number} slot */
export function thingAfter(instances, slot) {
  let [first, next] = [Infinity, Infinity];
  for (let at = INSTANCE_SLOT; at < instances.length; at += INSTANCE_FLOATS) {
    first = Math.min(first, instances[at]);
    if (instances[at] > slot) next = Math.min(next, instances[at]);
  }
  return thingOf(instances, next === Infinity ? first : next);
}

/** What a person would call it. Cards and squares have numbers.
 * @param {{ kind: number, slot: number }} thing */
export function nameOfThing({ kind, slot }) {
  if (kind === KIND.card) return text("aim.card", { number: slot + 1 });
  if (kind === KIND.square) return text("aim.square", { number: slot + 1 });
  return kind < shownSet().count ? shownSet().nameOf(kind) : fallingName(kind);
}
