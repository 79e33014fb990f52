// @ts-check

/** How many views are kept: the numbers of a picture's stickers and marks go to and fro between a few
 * lengths. */
const MOST_VIEWS = 64;

/** Numbers in memory that is kept from picture to picture, and grows when they need more. Views of it are
 * kept as well, so that a picture makes no objects. */
export class KeptFloats {
  floats = new Float32Array(0);
  /** By length.
   * @type {Map<number, Float32Array>} */
  #views = new Map();

  /** Makes room for a count of numbers; those that are there stay.
   * @param {number} length */
  fit(length) {
    if (length <= this.floats.length) return;
    const larger = new Float32Array(2 * length);
    larger.set(this.floats);
    this.floats = larger;
    this.#views.clear();
  }

  /** The first numbers, for which there is room.
   * @param {number} length
   * @returns {Float32Array} a view */
  first(length) {
    const kept = this.#views.get(length);
    if (kept) return kept;
    if (this.#views.size === MOST_VIEWS) this.#views.clear();
    const view = this.floats.subarray(0, length);
    this.#views.set(length, view);
    return view;
  }
}

/** A copy of a picture's numbers, in memory that is kept from picture to picture. */
export class Copy {
  #kept = new KeptFloats();

  /** @param {Float32Array} numbers
   * @returns {Float32Array} valid until the next call */
  of(numbers) {
    this.#kept.fit(numbers.length);
    const copy = this.#kept.first(numbers.length);
    copy.set(numbers);
    return copy;
  }
}

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
