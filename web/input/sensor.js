// @ts-check

/** @typedef {import("../core/vector.js").Vector} Vector */

/**
 * absent: no reading has come; asking: iOS wants a tap before it hands out readings; insecure: the
 * browser keeps the sensor back because the page did not come over https; denied: the person
 * said no; live: readings come.
 * @typedef {"absent" | "asking" | "insecure" | "denied" | "live"} SensorState
 */

/**
 * Gravity in the screen's axes (x right, y down, length 0…1) from a device's attitude.
 * @param {number} beta degrees, −180…180, front-to-back
 * @param {number} gamma degrees, −90…90, left-to-right
 * @param {number} screenAngle degrees by which the picture is turned against the device
 */
export function gravityFromAttitude(beta, gamma, screenAngle) {
  const b = (beta * Math.PI) / 180;
  const g = (gamma * Math.PI) / 180;
  const turn = (screenAngle * Math.PI) / 180;
  const x = Math.cos(b) * Math.sin(g);
  const y = Math.sin(b);
  return {
    x: x * Math.cos(turn) + y * Math.sin(turn),
    y: -x * Math.sin(turn) + y * Math.cos(turn),
  };
}

/**
 * Safari's addition to the standard type.
 * @typedef {{ requestPermission?: () => Promise<string> }} Asking
 */

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

/** The motion sensor of a phone or tablet. */
export class MotionSensor {
  /** @type {SensorState} */ state;
  /** @type {Vector | null} the last reading */ #reading = null;
  #lying = new Lying();
  #changed;

  /** @param {() => void} changed called when the state has changed */
  constructor(changed) {
    this.#changed = changed;
    this.state = firstState();
    // Chrome knows the question too, yet hands out readings unasked.
    if (isSecureContext) this.#listen();
  }

  /** How the phone is tilted now; null before the first reading, and while it lies flat.
   * @returns {Vector | null} */
  get gravity() {
    return this.#reading && this.#lying.tilt(this.#reading, performance.now());
  }

  /** Asks for permission; call from a gesture.
   * @param {boolean} isWanted whether somebody wants just this: if the gesture doesn't do, the
   *   button stays for another */
  async ask(isWanted = true) {
    const type = /** @type {Asking} */ (/** @type {unknown} */ (DeviceOrientationEvent));
    try {
      const answer = await type.requestPermission?.();
      if (this.state === "live") return;
      this.#become(answer === "granted" ? "absent" : "denied");
    } catch {
      if (isWanted) this.#become("denied");
    }
  }

  #listen() {
    addEventListener("deviceorientation", (event) => this.#read(event));
  }

  /** @param {DeviceOrientationEvent} event */
  #read({ beta, gamma }) {
    // A computer without the sensor sends one event without numbers.
    if (beta === null || gamma === null || !Number.isFinite(beta + gamma)) return;
    this.#reading = gravityFromAttitude(beta, gamma, screenAngle());
    this.#become("live");
  }

  /** @param {SensorState} state */
  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.#changed();
  }
}

/** @returns {SensorState} */
function firstState() {
  const isTouched = navigator.maxTouchPoints > 0;
  // Without https nobody is told what the machine has; what is not held in hands has no sensor.
  const isHandheld = isTouched && matchMedia("(pointer: coarse)").matches;
  if (!isSecureContext) return isHandheld ? "insecure" : "absent";
  if (!("DeviceOrientationEvent" in window)) return "absent";
  return isTouched && "requestPermission" in DeviceOrientationEvent ? "asking" : "absent";
}

/** Safari before 16.4 has no `screen.orientation`; the older number means the same there. */
function screenAngle() {
  const angle = screen.orientation?.angle;
  return angle ?? window.orientation ?? 0;
}
