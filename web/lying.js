// @ts-check

/** @typedef {import("./vector.js").Vector} Vector */

/** Flatter than this a phone may lie on a table: gravity in its screen's axes of 7°. */
const FLAT = 0.12;
/** Steeper than this it was lifted: 12°, so that at the border it isn't both by turns. */
const LIFTED = 0.2;
/** What lies trembles less than this (0.3°); a hand does not hold so still. */
const STILL = 0.005;
/** It lies after so long without a tremble, ms. */
const SETTLED = 1500;

/** Whether a phone was put down: it would turn everybody's gravity off, though nobody tilts it. A
 * phone that is held flat may do so. */
export class Lying {
  /** Until it is lifted a flat one lies. */ #wasLifted = false;
  /** @type {Vector} */ #place = { x: 0, y: 0 };
  #since = -Infinity;

  /** What a reading means; null for a phone that lies. Readings that stay the same are asked again.
   * @param {Vector} gravity @param {number} now ms @returns {Vector | null} */
  tilt(gravity, now) {
    if (Math.hypot(gravity.x, gravity.y) > LIFTED) this.#wasLifted = true;
    if (Math.hypot(gravity.x - this.#place.x, gravity.y - this.#place.y) > STILL) {
      this.#place = gravity;
      this.#since = now;
    }
    const isFlat = Math.hypot(gravity.x, gravity.y) < FLAT;
    if (isFlat && now - this.#since > SETTLED) this.#wasLifted = false;
    return this.#wasLifted ? gravity : null;
  }
}
