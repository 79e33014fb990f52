// @ts-check
import { INSTANCE_FLOATS, INSTANCE_SLOT } from "../core/wire.js";

/** What is held lies above the rest. Its memory is kept from picture to picture. */
export class Raised {
  #floats = new Float32Array(0);
  /** @type {number[]} where what is held begins */ #held = [];

  /**
   * The stickers in the order in which they are drawn.
   * @param {Float32Array} instances
   * @returns {Float32Array} valid until the next call
   */
  of(instances) {
    const held = this.#held;
    held.length = 0;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      if (instances[at + INSTANCE_SLOT + 1] >= 0) held.push(at);
    }
    if (held.length === 0) return instances;
    if (this.#floats.length < instances.length) this.#floats = new Float32Array(2 * instances.length);
    const floats = this.#floats;
    floats.set(instances);
    // Each stretch between two that are held moves down by those that were taken out.
    for (let index = 0; index < held.length; index += 1) {
      const from = held[index] + INSTANCE_FLOATS;
      const to = index + 1 < held.length ? held[index + 1] : instances.length;
      floats.copyWithin(held[index] - index * INSTANCE_FLOATS, from, to);
    }
    let end = instances.length - held.length * INSTANCE_FLOATS;
    for (const at of held) {
      for (let float = 0; float < INSTANCE_FLOATS; float += 1) floats[end + float] = instances[at + float];
      end += INSTANCE_FLOATS;
    }
    return floats.subarray(0, instances.length);
  }
}
