// @ts-check
import { Preference } from "../core/preference.js";
import { laterWords, text } from "../strings/language.js";
import { loadStyles } from "../ui/dom.js";

/** @typedef {import("./sensor.js").MotionSensor} MotionSensor */
/** @typedef {import("./sensor.js").SensorState} SensorState */

/** Whether a state is to be explained.
 * @param {SensorState} state */
function isReason(state) {
  return state === "insecure" || state === "denied" || state === "silent";
}

/** The button that asks an iPhone for its motion sensor, or the sentence why there is none, which is
 * not shown again once it was dismissed. */
export class MotionPrompt {
  #element;
  #text;
  #ask;
  /** @type {Preference | null} of the sentence that is shown */ #wasTold = null;

  /** Loads its style sheet and its words.
   * @param {HTMLElement} element
   * @param {MotionSensor} sensor */
  static async open(element, sensor) {
    await Promise.all([loadStyles(new URL("./motion.css", import.meta.url)), laterWords()]);
    return new MotionPrompt(element, sensor);
  }

  /** @param {HTMLElement} element
   * @param {MotionSensor} sensor */
  constructor(element, sensor) {
    this.#element = element;
    // Screen readers list it among the parts of the page.
    element.setAttribute("role", "region");
    element.setAttribute("aria-label", text("tilt.ask"));
    this.#text = /** @type {HTMLElement} */ (element.querySelector(".sentence"));
    this.#ask = /** @type {HTMLButtonElement} */ (element.querySelector(".ask"));
    this.#ask.addEventListener("click", () => sensor.ask());
    const dismiss = /** @type {HTMLButtonElement} */ (element.querySelector(".dismiss"));
    dismiss.addEventListener("click", () => {
      if (this.#wasTold) this.#wasTold.value = true;
      element.hidden = true;
    });
  }

  /** @param {SensorState} state */
  show(state) {
    const asks = state === "asking";
    this.#wasTold = isReason(state) ? new Preference(`stickerpit.told.${state}`, false) : null;
    const isTold = this.#wasTold !== null && !this.#wasTold.value;
    if (isTold) this.#text.textContent = reason(state);
    this.#text.hidden = !isTold;
    this.#ask.hidden = !asks;
    this.#element.classList.toggle("asks", asks);
    this.#element.hidden = !isTold && !asks;
  }
}

/** @param {SensorState} state */
function reason(state) {
  if (state === "insecure") return text("motion.insecure");
  return text(state === "denied" ? "motion.denied" : "motion.silent");
}
