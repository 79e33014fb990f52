// @ts-check

/** So many views are kept: the numbers of a picture's stickers and marks go to and fro between a few
 * lengths. */
const MOST_VIEWS = 64;

/** Numbers in memory that is kept from picture to picture, and grows when they need more. Views of it are
 * kept as well, so that a picture makes no objects. */
export class KeptFloats {
  floats = new Float32Array(0);
  /** By length. @type {Map<number, Float32Array>} */ #views = new Map();

  /** Makes room for so many numbers; those that are there stay.
   * @param {number} length */
  fit(length) {
    if (length <= this.floats.length) return;
    const larger = new Float32Array(2 * length);
    larger.set(this.floats);
    this.floats = larger;
    this.#views.clear();
  }

  /** The first numbers, for which there is room.
   * @param {number} length @returns {Float32Array} a view */
  first(length) {
    const kept = this.#views.get(length);
    if (kept) return kept;
    if (this.#views.size === MOST_VIEWS) this.#views.clear();
    const view = this.floats.subarray(0, length);
    this.#views.set(length, view);
    return view;
  }
}
