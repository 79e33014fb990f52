// @ts-check
import { KeptFloats } from "../core/keptfloats.js";

/** A copy of a picture's numbers, in memory that is kept from picture to picture. */
export class Copy {
  #kept = new KeptFloats();

  /** @param {Float32Array} numbers @returns {Float32Array} valid until the next call */
  of(numbers) {
    this.#kept.fit(numbers.length);
    const copy = this.#kept.first(numbers.length);
    copy.set(numbers);
    return copy;
  }
}
