// @ts-check
import { Level, Lying } from "./level.js";

/** @typedef {import("../core/vector.js").Vector} Vector */
/** @typedef {import("./level.js").Reading} Reading */
/** What `GravitySensor` of the Generic Sensor API has, which the checker's library does not know.
 * @typedef {EventTarget & { x: number | null, y: number | null, z: number | null, start(): void }} Gravity */

/** The sources, the better the higher: an acceleration has every shake in it, an attitude is told in
 * angles, gravity is what is wanted. */
const SOURCE = Object.freeze({ none: 0, acceleration: 1, attitude: 2, gravity: 3 });
/** Gravity, m/s². */
const G = 9.81;
/** The share of each new acceleration in the smoothed one. */
const NEW = 0.25;

/** Turns a reading of the device's axes into the screen's.
 * @param {Reading} reading
 * @param {number} screenAngle degrees by which the picture is turned against
 *   the device */
function turned({ x, y, z }, screenAngle) {
  const turn = (screenAngle * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
  return { x: x * cosine + y * sine, y: -x * sine + y * cosine, z };
}

/**
 * Gravity in the screen's axes from a device's attitude.
 * @param {number} beta degrees, −180…180, front-to-back
 * @param {number} gamma degrees, −90…90, left-to-right
 * @param {number} screenAngle degrees
 */
export function gravityFromAttitude(beta, gamma, screenAngle) {
  const b = (beta * Math.PI) / 180;
  const g = (gamma * Math.PI) / 180;
  const [x, y, z] = [Math.cos(b) * Math.sin(g), Math.sin(b), Math.cos(b) * Math.cos(g)];
  return turned({ x, y, z }, screenAngle);
}

/**
 * Gravity in the screen's axes from the acceleration that a device reports. At rest that points up,
 * where gravity points down; and the device's y axis points up, the screen's down.
 * @param {Reading} acceleration m/s², in the device's axes
 * @param {number} screenAngle degrees
 */
export function gravityFromAcceleration({ x, y, z }, screenAngle) {
  return turned({ x: -x / G, y: y / G, z: z / G }, screenAngle);
}

/** What the best of a device's sensors says. */
export class Readings {
  /** @type {number} of `SOURCE` */ source = SOURCE.none;
  #came;
  /** @type {Reading | null} the last one */ #reading = null;
  #level = new Level(false);
  #lying = new Lying();

  /** @param {() => void} came called with each reading */
  constructor(came) {
    this.#came = came;
    addEventListener("devicemotion", (event) => this.#readAcceleration(event));
    addEventListener("deviceorientation", (event) => this.#readAttitude(event));
    this.#startGravity();
    // The picture has turned, because the device is held another way. Safari before 16.4 tells it by
    // the older event.
    const anew = () => this.#anew();
    if (screen.orientation) screen.orientation.addEventListener("change", anew);
    else addEventListener("orientationchange", anew);
  }

  /** How the phone is tilted now; null before the first reading, and while it lies flat.
   * @param {number} now ms
   * @returns {Vector | null} */
  gravity(now) {
    if (!this.#reading) return null;
    return this.#lying.tilt(this.#level.level(this.#reading, now), now);
  }

  /** Forgets what earlier readings have shown. */
  #anew() {
    this.#level = new Level(this.source === SOURCE.acceleration);
  }

  #startGravity() {
    const { GravitySensor } =
      /** @type {{ GravitySensor?: new (options: object) => Gravity }} */ (
        /** @type {unknown} */ (window)
      );
    if (!GravitySensor) return;
    try {
      const sensor = new GravitySensor({ frequency: 60, referenceFrame: "screen" });
      sensor.addEventListener("reading", () => {
        const { x, y, z } = sensor;
        if (x === null || y === null || z === null) return;
        // It is in the screen's axes already.
        this.#take(SOURCE.gravity, gravityFromAcceleration({ x, y, z }, 0));
      });
      // A machine without the sensor reports an error; then the other sources are used.
      sensor.addEventListener("error", () => {});
      sensor.start();
    } catch {
      // It is forbidden here; then the other sources are used.
    }
  }

  /** @param {DeviceOrientationEvent} event */
  #readAttitude({ beta, gamma }) {
    // A computer without the sensor sends one event without numbers.
    if (beta === null || gamma === null || !Number.isFinite(beta + gamma)) return;
    this.#take(SOURCE.attitude, gravityFromAttitude(beta, gamma, screenAngle()));
  }

  /** @param {DeviceMotionEvent} event */
  #readAcceleration({ accelerationIncludingGravity }) {
    const { x = null, y = null, z = null } = accelerationIncludingGravity ?? {};
    if (x === null || y === null || z === null || this.source > SOURCE.acceleration) return;
    const found = gravityFromAcceleration({ x, y, z }, screenAngle());
    const last = this.#reading ?? found;
    const mixed = (/** @type {"x" | "y" | "z"} */ axis) =>
      last[axis] + (found[axis] - last[axis]) * NEW;
    this.#take(SOURCE.acceleration, { x: mixed("x"), y: mixed("y"), z: mixed("z") });
  }

  /** @param {number} source
   * @param {Reading} reading */
  #take(source, reading) {
    if (source < this.source) return;
    const isOther = source > this.source;
    this.source = source;
    if (isOther) this.#anew();
    this.#reading = reading;
    this.#came();
  }
}

/** Safari before 16.4 has no `screen.orientation`; the older number means the same there. */
function screenAngle() {
  const angle = screen.orientation?.angle;
  return angle ?? window.orientation ?? 0;
}
