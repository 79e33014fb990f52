// @ts-check
import {
  INSTANCE_FLOATS, INSTANCE_HEIGHT, INSTANCE_KIND, INSTANCE_SLOT, INSTANCE_WIDTH,
} from "../core/wire.js";
import { shownSet } from "./stickersets.js";

/** @typedef {import("../core/vector.js").Vector} Vector */

/**
 * The topmost sticker under a point.
 * @param {Float32Array} instances
 * @param {Vector} point
 * @returns {number} its index, or −1
 */
export function stickerAt(instances, { x, y }) {
  const set = shownSet();
  for (let at = instances.length - INSTANCE_FLOATS; at >= 0; at -= INSTANCE_FLOATS) {
    const dx = x - instances[at];
    const dy = y - instances[at + 1];
    const cosine = instances[at + 2];
    const sine = instances[at + 3];
    const u = (dx * cosine + dy * sine) / (instances[at + INSTANCE_WIDTH] / 2);
    const v = (dy * cosine - dx * sine) / (instances[at + INSTANCE_HEIGHT] / 2);
    if (set.holds(instances[at + INSTANCE_KIND], u, v)) return at / INSTANCE_FLOATS;
  }
  return -1;
}

/**
 * The slot of the sticker under a finger, which is not as exact as a point.
 * @param {Float32Array} instances
 * @param {Vector} point
 * @param {number} slack points around the finger that count as well
 * @returns {number} −1 when there is none
 */
export function slotNear(instances, point, slack) {
  let index = stickerAt(instances, point);
  for (let turn = 0; turn < 8 && index < 0 && slack > 0; turn += 1) {
    const angle = (turn * Math.PI) / 4;
    const [dx, dy] = [Math.cos(angle) * slack, Math.sin(angle) * slack];
    index = stickerAt(instances, { x: point.x + dx, y: point.y + dy });
  }
  return index < 0 ? -1 : instances[index * INSTANCE_FLOATS + INSTANCE_SLOT];
}
