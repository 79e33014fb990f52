// @ts-check
import { Preference } from "../core/preference.js";

/** The shortest pause between two pulses, ms: closer ones would be one long hum. */
const PAUSE = 120;

/** Short pulses for what a person does, and for what strikes the own stickers. */
export class Vibration {
  /** At first it is off where the system is set to less motion. */
  #on = new Preference("stickerpit.vibration", !matchMedia("(prefers-reduced-motion: reduce)").matches);
  #last = -Infinity;

  /** Whether there is anything to switch: iPhones let no page vibrate, and desks don't. */
  get isOffered() {
    return "vibrate" in navigator && navigator.maxTouchPoints > 0;
  }

  get isOn() {
    return this.#on.value;
  }

  set isOn(isOn) {
    this.#on.value = isOn;
    if (this.isOffered) navigator.vibrate(isOn ? 20 : 0);
  }

  /** @param {number} length ms
   * @param {number} now ms */
  pulse(length, now) {
    if (!this.isOn || !this.isOffered || now - this.#last < PAUSE) return;
    this.#last = now;
    navigator.vibrate(Math.round(length));
  }
}
