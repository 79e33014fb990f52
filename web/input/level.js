// @ts-check
import { lengthOf } from "../core/vector.js";

/** @typedef {import("../core/vector.js").Vector} Vector */
/** Gravity in the screen's axes: x right, y down, z into the screen; length about 1.
 * @typedef {Vector & { z: number }} Reading */

/** How much of gravity, 0…1, pulls along the screen of a phone that may lie on a table, at most: a tilt
 * of 7°. */
const FLAT = 0.12;
/** If more than this pulls along it, the phone was lifted: a tilt of 12°. A lying phone that is tilted by
 * something between the two still lies, so that it does not change to and fro. */
const LIFTED = 0.2;
/** A phone that lies moves less than this (0.3°); no hand is so steady. */
const STILL = 0.005;
/** How long a phone has not moved before it is taken to lie, ms. */
const SETTLED = 1500;

/** A hand holds a phone flat if its gravity changes by less than the first number (2°) during the second,
 * ms, and at least the third, a share of gravity, points through the screen. */
const STEADY = 0.035;
const HELD = 1000;
const MOST_INTO = 0.9;

/** Whether a phone was put down. One that lies would take gravity away from everybody, though nobody
 * tilts it; one that is held flat may. */
export class Lying {
  /** A flat phone lies until it is lifted. */ #wasLifted = false;
  /** @type {Vector} */ #place = { x: 0, y: 0 };
  #since = -Infinity;

  /** The tilt that a reading means; null for a phone that lies. To be asked in each picture, with the
   * same object if there is no new reading.
   * @param {Vector} gravity
   * @param {number} now ms
   * @returns {Vector | null} */
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

/** Corrects a sensor's readings. How a phone is held flat for a second is flat from then on. Where
 * its makers may have mixed up the sign, that is changed if gravity seems to point out of the screen
 * then. */
export class Level {
  #maySign;
  #sign = 1;
  /** @type {Vector} */ #zero = { x: 0, y: 0 };
  /** The reading with which it began to be held so.
   * @type {Vector} */
  #place = { x: NaN, y: NaN };
  #since = 0;
  /** The farthest reading from there. */ #tremble = 0;
  /** The mean of all readings since.
   * @type {Vector} */
  #mean = { x: 0, y: 0 };
  #count = 0;
  /** The last reading.
   * @type {Reading | null} */
  #reading = null;
  /** What `level` returns: the same object all the time.
   * @type {Vector} */
  #levelled = { x: 0, y: 0 };

  /** @param {boolean} maySign whether the sign may be the wrong one, as it is of accelerations only */
  constructor(maySign) {
    this.#maySign = maySign;
  }

  /** Corrects a reading. To be asked in each picture, with the same object if there is no new
   * reading.
   * @param {Reading} reading
   * @param {number} now ms
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

  /** Whether it is held flat, and still as it was.
   * @param {Reading} reading */
  #isHeld(reading) {
    const isFlat = lengthOf(reading.x, reading.y) < LIFTED && Math.abs(reading.z) > MOST_INTO;
    return isFlat && distance(reading, this.#place) < STEADY;
  }

  /** @param {Reading} reading
   * @param {number} now */
  #begin(reading, now) {
    put(this.#place, reading.x, reading.y);
    put(this.#mean, reading.x, reading.y);
    this.#count = 1;
    this.#since = now;
    this.#tremble = 0;
  }

  /** @param {Reading} reading
   * @param {number} now */
  #watch(reading, now) {
    const { x, y } = this.#mean;
    if (reading !== this.#reading) {
      this.#count += 1;
      put(this.#mean, x + (reading.x - x) / this.#count, y + (reading.y - y) / this.#count);
    }
    this.#tremble = Math.max(this.#tremble, distance(reading, this.#place));
    if (now - this.#since < HELD) return;
    put(this.#zero, this.#mean.x, this.#mean.y);
    // A phone that lies face down on a table trembles less than a hand.
    if (this.#maySign && this.#tremble > STILL) this.#sign = Math.sign(reading.z);
  }
}

/** @param {Vector} vector changed
 * @param {number} x
 * @param {number} y */
function put(vector, x, y) {
  vector.x = x;
  vector.y = y;
}

/** @param {Vector} one
 * @param {Vector} other */
function distance(one, other) {
  return lengthOf(one.x - other.x, one.y - other.y);
}
