// @ts-check

/** @typedef {import("../core/vector.js").Vector} Vector */
/** Gravity in the screen's axes: x right, y down, z into the screen; length about 1.
 * @typedef {Vector & { z: number }} Reading */

/** Flatter than this a phone may lie on a table: gravity in its screen's axes of 7°. */
const FLAT = 0.12;
/** Steeper than this it was lifted: 12°, so that at the border it isn't both by turns. */
const LIFTED = 0.2;
/** What lies trembles less than this (0.3°); a hand does not hold so still. */
const STILL = 0.005;
/** It lies after so long without a tremble, ms. */
const SETTLED = 1500;

/** Who holds a phone flat moves it less than this (2°) … */
const STEADY = 0.035;
/** … for so long, ms. */
const HELD = 1000;
/** And hardly any of gravity is in the screen's plane then. */
const MOST_INTO = 0.9;

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
    if (distance(gravity, this.#place) > STILL) {
      this.#place = gravity;
      this.#since = now;
    }
    const isFlat = Math.hypot(gravity.x, gravity.y) < FLAT;
    if (isFlat && now - this.#since > SETTLED) this.#wasLifted = false;
    return this.#wasLifted ? gravity : null;
  }
}

/** Makes a sensor's readings right: where a phone is held flat for a second is flat from then on, and
 * a sensor for which gravity points out of the screen then has its sign the other way round. */
export class Level {
  #sign = 1;
  /** @type {Vector} */ #zero = { x: 0, y: 0 };
  /** Where it is held. @type {Vector} */ #place = { x: NaN, y: NaN };
  #since = 0;
  /** The farthest from there. */ #tremble = 0;
  /** Of all readings since. @type {Vector & { count: number }} */ #mean = { x: 0, y: 0, count: 0 };

  /** Readings that stay the same are asked again.
   * @param {Reading} reading @param {number} now ms @returns {Vector} length 0…1 */
  level(reading, now) {
    this.#watch(reading, now);
    const x = (reading.x - this.#zero.x) * this.#sign;
    const y = (reading.y - this.#zero.y) * this.#sign;
    const shorten = 1 / Math.max(1, Math.hypot(x, y));
    return { x: x * shorten, y: y * shorten };
  }

  /** @param {Reading} reading @param {number} now */
  #watch(reading, now) {
    const isFlat = Math.hypot(reading.x, reading.y) < LIFTED && Math.abs(reading.z) > MOST_INTO;
    const away = distance(reading, this.#place);
    if (!isFlat || !(away < STEADY)) {
      this.#place = { x: reading.x, y: reading.y };
      this.#since = now;
      this.#tremble = 0;
      this.#mean = { x: reading.x, y: reading.y, count: 1 };
      return;
    }
    const { x, y, count } = this.#mean;
    const share = 1 / (count + 1);
    this.#mean = { x: x + (reading.x - x) * share, y: y + (reading.y - y) * share, count: count + 1 };
    this.#tremble = Math.max(this.#tremble, away);
    if (now - this.#since < HELD) return;
    this.#zero = this.#mean;
    // What lies face down on a table trembles less than a hand.
    if (this.#tremble > STILL) this.#sign = Math.sign(reading.z);
  }
}

/** @param {Vector} one @param {Vector} other */
function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
