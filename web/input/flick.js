// @ts-check

/** @typedef {import("../core/vector.js").Vector} Vector */

/** Only the last moments tell how fast the finger was when it let go. */
const WINDOW = 90;
/** Slower than this, in CSS pixels a second, is not a flick. */
const SLOWEST = 320;
/** A finger that rolls while it taps moves less than this, in CSS pixels. */
const SLOP = 14;

/** Follows one finger and says whether its way was a flick. */
export class FlickTracker {
  /** @type {(Vector & { time: number })[]} */ #trail = [];

  /** @param {number} x CSS pixels
   * @param {number} y
   * @param {number} time ms */
  constructor(x, y, time) {
    this.start = { x, y };
    this.add(x, y, time);
  }

  /** @param {number} x
   * @param {number} y
   * @param {number} time */
  add(x, y, time) {
    this.#trail.push({ x, y, time });
    while (this.#trail.length > 2 && time - this.#trail[0].time > WINDOW) this.#trail.shift();
  }

  /** The velocity in CSS pixels a second with which it was let go, or null when it was no flick.
   * @param {number} time */
  velocity(time) {
    const velocity = this.speed(time);
    const isSlow = Math.hypot(velocity.x, velocity.y) < SLOWEST;
    return isSlow || this.moved <= SLOP ? null : velocity;
  }

  /** How far from its start the finger is, in CSS pixels. */
  get moved() {
    const last = this.#trail[this.#trail.length - 1];
    return Math.hypot(last.x - this.start.x, last.y - this.start.y);
  }

  /** The velocity in CSS pixels a second over the last moments, however slow.
   * @param {number} time */
  speed(time) {
    const first = this.#trail[0];
    const last = this.#trail[this.#trail.length - 1];
    const seconds = Math.max(8, time - first.time) / 1000;
    return { x: (last.x - first.x) / seconds, y: (last.y - first.y) / seconds };
  }
}
