// @ts-check

/** A copy of a picture's numbers, in memory that is kept from picture to picture. */
export class Copy {
  #floats = new Float32Array(0);
  #view = this.#floats;

  /** @param {Float32Array} numbers @returns {Float32Array} valid until the next call */
  of(numbers) {
    const { length } = numbers;
    if (this.#floats.length < length) this.#floats = new Float32Array(2 * length);
    if (this.#view.length !== length || this.#view.buffer !== this.#floats.buffer) {
      this.#view = this.#floats.subarray(0, length);
    }
    this.#view.set(numbers);
    return this.#view;
  }
}
