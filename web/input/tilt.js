// @ts-check
import { UPRIGHT, glide, lengthOf } from "../core/vector.js";

/** @typedef {import("../core/vector.js").Vector} Vector */
/** @typedef {() => Vector | null} Source what it says now, null while it is not used */

/** At most 30 samples a second. */
const SHORTEST_INTERVAL = 33;
/** From 0.5 s on the server counts a tilt less and less, so an unchanged one is repeated before. */
const REPEAT_INTERVAL = 300;
/** Less than this is a sensor's noise. */
const SMALLEST_CHANGE = 0.004;
/** How quickly the ball follows keys and rolls back: the time in ms to 63 %. */
const EASE = 70;

/**
 * This person's tilt, from whichever source is used: a held ball before keys before the sensor.
 * Somebody who does not tilt sends nothing and so has no say in the blend.
 */
export class Tilt {
  /** @type {Vector} the same object all the time, whose numbers change */ vector = { ...UPRIGHT };

  #sources;
  #send;
  #last = 0;
  #sentAt = -Infinity;
  /** @type {Vector} */ #sent = { ...UPRIGHT };

  /**
   * @param {{ ball: Source, keys: Source, sensor: Source }} sources
   * @param {(x: number, y: number) => void} send
   */
  constructor(sources, send) {
    this.#sources = sources;
    this.#send = send;
  }

  /** Once a frame.
   * @param {number} now ms */
  advance(now) {
    const elapsed = Math.min(100, now - this.#last);
    this.#last = now;
    const { ball, keys, sensor } = this.#sources;
    const direct = ball() ?? (keys() ? null : sensor());
    const target = direct ?? keys();
    if (direct) place(this.vector, direct);
    else ease(this.vector, target ?? UPRIGHT, elapsed);
    this.#tell(now, target !== null);
  }

  /** @param {number} now
   * @param {boolean} tilting */
  #tell(now, tilting) {
    const waited = now - this.#sentAt;
    const change = lengthOf(this.vector.x - this.#sent.x, this.vector.y - this.#sent.y);
    const isNew = change > SMALLEST_CHANGE && waited >= SHORTEST_INTERVAL;
    if (!isNew && !(tilting && waited >= REPEAT_INTERVAL)) return;
    this.#send(this.vector.x, this.vector.y);
    place(this.#sent, this.vector);
    this.#sentAt = now;
  }
}

/** @param {Vector} vector changed
 * @param {Vector} to */
function place(vector, to) {
  vector.x = to.x;
  vector.y = to.y;
}

/** @param {Vector} vector changed
 * @param {Vector} to
 * @param {number} elapsed ms */
function ease(vector, to, elapsed) {
  const share = glide(elapsed, EASE);
  vector.x += (to.x - vector.x) * share;
  vector.y += (to.y - vector.y) * share;
  if (lengthOf(to.x - vector.x, to.y - vector.y) < 0.002) place(vector, to);
}
