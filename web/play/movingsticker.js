// @ts-check
import { lengthOf } from "../core/vector.js";
import { INSTANCE_FLOATS, INSTANCE_KIND, INSTANCE_WIDTH } from "../core/wire.js";

/** Between two pictures even a fast sticker moves less, in points. */
const REACH = 90;

/**
 * One sticker under a finger: it goes on moving during a flick, and the server
 * must be told where it will be, not where it was touched.
 */
export class MovingSticker {
  #x;
  #y;
  #size;
  #kind;
  #velocity = { x: 0, y: 0 };
  #seen;

  /** @param {Float32Array} instances
   * @param {number} index
   * @param {number} now ms */
  constructor(instances, index, now) {
    const at = index * INSTANCE_FLOATS;
    this.#x = instances[at];
    this.#y = instances[at + 1];
    this.#size = instances[at + INSTANCE_WIDTH];
    this.#kind = instances[at + INSTANCE_KIND];
    this.#seen = now;
  }

  /** Finds the sticker again in a new picture: the nearest of its kind and size.
   * @param {Float32Array} instances
   * @param {number} now ms */
  advance(instances, now) {
    let nearest = -1;
    let best = REACH;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      if (instances[at + INSTANCE_KIND] !== this.#kind) continue;
      if (instances[at + INSTANCE_WIDTH] !== this.#size) continue;
      const distance = lengthOf(instances[at] - this.#x, instances[at + 1] - this.#y);
      if (distance >= best) continue;
      nearest = at;
      best = distance;
    }
    const seconds = (now - this.#seen) / 1000;
    if (nearest < 0 || seconds <= 0) return;
    const x = instances[nearest];
    const y = instances[nearest + 1];
    this.#velocity.x = (x - this.#x) / seconds;
    this.#velocity.y = (y - this.#y) / seconds;
    this.#x = x;
    this.#y = y;
    this.#seen = now;
  }

  /** Where it will be if nothing is in its way.
   * @param {number} lead ms from the last picture on */
  predict(lead) {
    const seconds = lead / 1000;
    return { x: this.#x + this.#velocity.x * seconds, y: this.#y + this.#velocity.y * seconds };
  }
}
