// @ts-check
import { importLater } from "../core/later.js";
import { Preference } from "../core/preference.js";

/** @typedef {import("../core/vector.js").Vector} Vector */

/**
 * absent: no reading has come; asking: iOS wants a tap before it hands out readings; insecure: the
 * browser keeps the sensor back because the page did not come over https; denied: the person
 * said no; silent: what is held in hands tells nothing all the same; live: readings come; off: they
 * come, but the person has switched them off.
 * @typedef {"absent" | "asking" | "insecure" | "denied" | "silent" | "live" | "off"} SensorState
 */

/**
 * Safari's addition to the standard type.
 * @typedef {{ requestPermission?: () => Promise<string> }} Asking
 */

/** How long a sensor may say nothing before it is taken to be missing, ms. */
const PATIENCE = 4000;

/** Whether the machine is held in hands, as far as a page is told. */
export function isHandheld() {
  return navigator.maxTouchPoints > 0 && matchMedia("(pointer: coarse)").matches;
}

/** The motion sensor of a phone or tablet. */
export class MotionSensor {
  /** @type {SensorState} */ state;
  #changed;
  #isOn = new Preference("stickerpit.tilt", true);
  /** @type {import("./readings.js").Readings | null} */ #readings = null;

  /** @param {() => void} changed called when the state has changed */
  constructor(changed) {
    this.#changed = changed;
    this.state = firstState();
  }

  /** How the phone is tilted now; null before the first reading, while it lies flat, and while it is
   * switched off.
   * @returns {Vector | null} */
  get gravity() {
    if (this.state === "off") return null;
    return this.#readings?.gravity(performance.now()) ?? null;
  }

  get isOn() {
    return this.#isOn.value;
  }

  /** Switches it off or on, once readings have come. */
  set isOn(isOn) {
    this.#isOn.value = isOn;
    this.#read();
  }

  /** Asks for permission; call from a gesture.
   * @param {boolean} isWanted whether somebody wants just this: if the gesture doesn't do, the
   *   button stays for another */
  async ask(isWanted = true) {
    if (isWanted) this.#isOn.value = true;
    else if (!this.isOn) return;
    const type = /** @type {Asking} */ (/** @type {unknown} */ (DeviceOrientationEvent));
    try {
      const answer = await type.requestPermission?.();
      if (this.state === "live") return;
      this.#become(answer === "granted" ? "absent" : "denied");
      this.#expect();
    } catch {
      if (isWanted) this.#become("denied");
    }
  }

  /** Begins to read the sensor, with code that the first picture does not need. */
  async listen() {
    // Without https there are no readings. The permission is not waited for: Chrome, which can be
    // asked for it, gives readings without it.
    if (!isSecureContext) return;
    /** @type {typeof import("./readings.js")} */
    const { Readings } = await importLater("./readings.js", import.meta.url);
    this.#readings = new Readings(() => this.#read());
    this.#expect();
  }

  /** A reading has come. */
  #read() {
    this.#become(this.isOn ? "live" : "off");
  }

  /** Waits for the first reading, which can't come before somebody listens and it is allowed. */
  #expect() {
    if (!this.#readings || this.state !== "absent" || !isHandheld()) return;
    setTimeout(() => this.state === "absent" && this.#become("silent"), PATIENCE);
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
  // Without https a page is not told of sensors; only handheld devices are expected to have one.
  if (!isSecureContext) return isHandheld() ? "insecure" : "absent";
  if (!("DeviceOrientationEvent" in window)) return isHandheld() ? "silent" : "absent";
  const asks = "requestPermission" in DeviceOrientationEvent;
  return navigator.maxTouchPoints > 0 && asks ? "asking" : "absent";
}
