// @ts-check
import { KeptFloats } from "../core/keptfloats.js";
import { INSTANCE_FLOATS, INSTANCE_HOLDER } from "../core/wire.js";

/** Puts what is held above the rest, in memory that is kept from picture to picture. */
export class Raised {
  #kept = new KeptFloats();
  /** Where the numbers of each held sticker begin. */ #held = new Int32Array(16);
  #count = 0;

  /**
   * The stickers in the order in which they are drawn.
   * @param {Float32Array} instances
   * @returns {Float32Array} valid until the next call
   */
  of(instances) {
    this.#count = 0;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      if (instances[at + INSTANCE_HOLDER] >= 0) this.#note(at);
    }
    const held = this.#held;
    const count = this.#count;
    if (count === 0) return instances;
    this.#kept.fit(instances.length);
    const floats = this.#kept.first(instances.length);
    floats.set(instances);
    // Each stretch between two that are held moves down by those that were taken out.
    for (let index = 0; index < count; index += 1) {
      const from = held[index] + INSTANCE_FLOATS;
      const to = index + 1 < count ? held[index + 1] : instances.length;
      floats.copyWithin(held[index] - index * INSTANCE_FLOATS, from, to);
    }
    let end = instances.length - count * INSTANCE_FLOATS;
    for (let index = 0; index < count; index += 1) {
      for (let float = 0; float < INSTANCE_FLOATS; float += 1) {
        floats[end + float] = instances[held[index] + float];
      }
      end += INSTANCE_FLOATS;
    }
    return floats;
  }

  /** @param {number} at */
  #note(at) {
    if (this.#count === this.#held.length) {
      const larger = new Int32Array(2 * this.#count);
      larger.set(this.#held);
      this.#held = larger;
    }
    this.#held[this.#count] = at;
    this.#count += 1;
  }
}
