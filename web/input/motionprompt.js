// @ts-check
import { text } from "../strings/language.js";

/** @typedef {import("./sensor.js").MotionSensor} MotionSensor */
/** @typedef {import("./sensor.js").SensorState} SensorState */

/** The button that asks an iPhone for its motion sensor, or the sentence why there is none. */
export class MotionPrompt {
  #element;
  #text;
  #ask;

  /** @param {HTMLElement} element @param {MotionSensor} sensor */
  constructor(element, sensor) {
    this.#element = element;
    this.#text = /** @type {HTMLElement} */ (element.querySelector(".sentence"));
    this.#ask = /** @type {HTMLButtonElement} */ (element.querySelector(".ask"));
    this.#ask.addEventListener("click", () => sensor.ask());
    const dismiss = /** @type {HTMLButtonElement} */ (element.querySelector(".dismiss"));
    dismiss.addEventListener("click", () => (element.hidden = true));
    this.show(sensor.state);
  }

  /** @param {SensorState} state */
  show(state) {
    const isTold = state === "insecure" || state === "denied";
    const asks = state === "asking";
    this.#text.textContent = isTold ? text(`tilt.${state}`) : "";
    this.#text.hidden = !isTold;
    this.#ask.hidden = !asks;
    this.#element.hidden = !isTold && !asks;
  }
}
