// @ts-check

/** The numbers of the last picture, to see whether those of the next one are the same. */
export class Remembered {
  #floats = new Float32Array(0);
  #length = 0;

  /** Whether other numbers were given the last time; these are remembered.
   * @param {Float32Array} numbers */
  replacedBy(numbers) {
    const { length } = numbers;
    let isSame = length === this.#length;
    for (let at = 0; at < length && isSame; at += 1) isSame = this.#floats[at] === numbers[at];
    if (isSame) return false;
    if (this.#floats.length < length) this.#floats = new Float32Array(2 * length);
    this.#floats.set(numbers);
    this.#length = length;
    return true;
  }
}
