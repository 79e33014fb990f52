// @ts-check
import { lengthOf } from "../core/vector.js";

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
    if (lengthOf(gravity.x, gravity.y) > LIFTED) this.#wasLifted = true;
    if (distance(gravity, this.#place) > STILL) {
      put(this.#place, gravity.x, gravity.y);
      this.#since = now;
    }
    const isFlat = lengthOf(gravity.x, gravity.y) < FLAT;
    if (isFlat && now - this.#since > SETTLED) this.#wasLifted = false;
    return this.#wasLifted ? gravity : null;
  }
}

/** Makes a sensor's readings right: where a phone is held flat for a second is flat from then on, and
 * if its makers may have turned the sign round, it is turned where gravity points out of the screen then. */
export class Level {
  #maySign;
  #sign = 1;
  /** @type {Vector} */ #zero = { x: 0, y: 0 };
  /** Where it is held. @type {Vector} */ #place = { x: NaN, y: NaN };
  #since = 0;
  /** The farthest from there. */ #tremble = 0;
  /** Of all readings since. @type {Vector} */ #mean = { x: 0, y: 0 };
  #count = 0;
  /** The last of them. @type {Reading | null} */ #reading = null;
  /** What is told, the same object all the time. @type {Vector} */ #levelled = { x: 0, y: 0 };

  /** @param {boolean} maySign whether the sign may be the wrong one, as it is of accelerations only */
  constructor(maySign) {
    this.#maySign = maySign;
  }

  /** A reading that stays the same is asked again, as the same object.
   * @param {Reading} reading @param {number} now ms
   * @returns {Vector} length 0…1; only until it is asked again */
  level(reading, now) {
    if (this.#isHeld(reading)) this.#watch(reading, now);
    else this.#begin(reading, now);
    this.#reading = reading;
    const x = (reading.x - this.#zero.x) * this.#sign;
    const y = (reading.y - this.#zero.y) * this.#sign;
    const shorten = 1 / Math.max(1, lengthOf(x, y));
    put(this.#levelled, x * shorten, y * shorten);
    return this.#levelled;
  }

  /** Whether it is held flat, where it was.
   * @param {Reading} reading */
  #isHeld(reading) {
    const isFlat = lengthOf(reading.x, reading.y) < LIFTED && Math.abs(reading.z) > MOST_INTO;
    return isFlat && distance(reading, this.#place) < STEADY;
  }

  /** @param {Reading} reading @param {number} now */
  #begin(reading, now) {
    put(this.#place, reading.x, reading.y);
    put(this.#mean, reading.x, reading.y);
    this.#count = 1;
    this.#since = now;
    this.#tremble = 0;
  }

  /** @param {Reading} reading @param {number} now */
  #watch(reading, now) {
    const { x, y } = this.#mean;
    if (reading !== this.#reading) {
      this.#count += 1;
      put(this.#mean, x + (reading.x - x) / this.#count, y + (reading.y - y) / this.#count);
    }
    this.#tremble = Math.max(this.#tremble, distance(reading, this.#place));
    if (now - this.#since < HELD) return;
    put(this.#zero, this.#mean.x, this.#mean.y);
    // What lies face down on a table trembles less than a hand.
    if (this.#maySign && this.#tremble > STILL) this.#sign = Math.sign(reading.z);
  }
}

/** @param {Vector} vector changed @param {number} x @param {number} y */
function put(vector, x, y) {
  vector.x = x;
  vector.y = y;
}

/** @param {Vector} one @param {Vector} other */
function distance(one, other) {
  return lengthOf(one.x - other.x, one.y - other.y);
}
