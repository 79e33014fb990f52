// @ts-check
import { text } from "../strings/language.js";
import { isMissing } from "./states.js";

/** @typedef {import("./states.js").ConnectionState} ConnectionState */

/** How long a server that was there is waited for, ms: one that only starts again is back sooner as
 * a rule, and pages spread their first attempts over three seconds (`Backoff`). */
const PATIENCE = 5000;
/** The same for a page that has never reached one and has nothing to show meanwhile. */
const FIRST_PATIENCE = 2000;

/**
 * Playing alone: when no server answers, the module goes on with a world of its own, and gives it up
 * at the next welcome. Here is when, and what the person is told.
 */
export class Alone {
  /** Whether it does. */
  isPlaying = false;
  #module;
  #sign;
  #began;
  #hasJoined = false;
  #timer = 0;

  /**
   * @param {import("../core/module.js").PageModule} module
   * @param {HTMLElement} sign says that it is so while it is
   * @param {() => void} began called when there is a world of its own
   */
  constructor(module, sign, began) {
    this.#module = module;
    this.#sign = sign;
    this.#began = began;
  }

  /**
   * @param {ConnectionState} state
   * @returns {boolean} whether everybody else has just come back
   */
  connectionChanged(state) {
    // What is shown stays while it tries to connect.
    if (state !== "connecting") {
      const words = text(state === "locked" ? "alone.locked" : "alone.noServer");
      // Screen readers read out what is written here, also if the same stood here before.
      if (this.#sign.textContent !== words) this.#sign.textContent = words;
    }
    if (isMissing(state)) {
      if (!this.isPlaying && this.#timer === 0) this.#wait();
      return false;
    }
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#hasJoined ||= state === "online";
    if (state !== "online" || !this.isPlaying) return false;
    this.isPlaying = false;
    this.#sign.hidden = true;
    return true;
  }

  #wait() {
    const first = navigator.onLine ? FIRST_PATIENCE : 0;
    this.#timer = setTimeout(() => this.#begin(), this.#hasJoined ? PATIENCE : first);
  }

  #begin() {
    this.#timer = 0;
    if (!this.#module.playAlone()) return;
    this.isPlaying = true;
    this.#sign.hidden = false;
    this.#began();
  }
}
