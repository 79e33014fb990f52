// @ts-check

/** @typedef {import("../core/vector.js").Vector} Vector */

/** Two taps within this time are a double tap, ms. */
const WITHIN = 300;
/** And so near each other, in points of the world where a finger is 44 wide. */
const NEAR = 60;

/**
 * What taps do.
 * @typedef {object} TapActions
 * @property {(point: Vector, slot: number) => void} touched a sticker, at once; what the tap does
 *   comes when it is clear that it stays alone
 * @property {(point: Vector, slot: number) => boolean} single with the sticker that was there, or −1
 * @property {(slot: number, point: Vector) => boolean} double sends the first tap's sticker there
 */

/** Tells double taps on a sticker from single ones. A tap on the empty floor never waits. */
export class Taps {
  #actions;
  /** @type {{ slot: number, point: Vector, timer: number } | null} */ #first = null;

  /** @param {TapActions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /** @param {Vector} point
   * @param {number} slot of the sticker there, or −1
   * @returns {boolean} whether it was done, or will be */
  tap(point, slot) {
    const first = this.#first;
    if (first && Math.hypot(point.x - first.point.x, point.y - first.point.y) < NEAR) {
      clearTimeout(first.timer);
      this.#first = null;
      return this.#actions.double(first.slot, point);
    }
    if (slot < 0) return this.#actions.single(point, slot);
    this.#flush();
    this.#actions.touched(point, slot);
    this.#first = { slot, point, timer: setTimeout(() => this.#flush(), WITHIN) };
    return true;
  }

  /** The tap that waited was a single one. */
  #flush() {
    const first = this.#first;
    if (!first) return;
    clearTimeout(first.timer);
    this.#first = null;
    this.#actions.single(first.point, first.slot);
  }
}
