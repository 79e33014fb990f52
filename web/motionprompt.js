// @ts-check

/** @typedef {import("./sensor.js").MotionSensor} MotionSensor */
/** @typedef {import("./sensor.js").SensorState} SensorState */

/** @type {Partial<Record<SensorState, string>>} */
const SENTENCES = {
  insecure: "Motion sensors need https: drag the ball below to tilt.",
  denied: "The motion sensor was not allowed: drag the ball below to tilt.",
};

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
    const sentence = SENTENCES[state];
    const asks = state === "asking";
    this.#text.textContent = sentence ?? "";
    this.#text.hidden = sentence === undefined;
    this.#ask.hidden = !asks;
    this.#element.hidden = sentence === undefined && !asks;
  }
}
