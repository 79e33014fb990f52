// @ts-check
import { INSTANCE_FLOATS } from "./module.js";

/**
 * The topmost sticker under a point.
 * @param {Float32Array} instances
 * @param {{ x: number, y: number }} point
 * @returns {number} its index, or −1
 */
export function stickerAt(instances, { x, y }) {
  for (let at = instances.length - INSTANCE_FLOATS; at >= 0; at -= INSTANCE_FLOATS) {
    const [bodyX, bodyY, cosine, sine, width, height, kind] = instances.subarray(at, at + 7);
    const dx = x - bodyX;
    const dy = y - bodyY;
    const u = Math.abs(dx * cosine + dy * sine) / (width / 2);
    const v = Math.abs(dy * cosine - dx * sine) / (height / 2);
    const isRound = kind < 16 && kind % 2 === 0;
    if (isRound ? u * u + v * v <= 1 : u <= 1 && v <= 1) return at / INSTANCE_FLOATS;
  }
  return -1;
}
