// @ts-check
import { text } from "../strings/language.js";
import { button, make } from "../ui/dom.js";

/** The least time between two values that are told while the slider is drawn, ms. */
const INTERVAL = 150;
/** How long after the last touch, or after the server was told, its answers may still have the value
 * before, ms: until then they are not shown. */
const OWN = 1500;

/** How strong gravity is, in percent of the scene's. */
export class Gravity {
  #act;
  #slider = make("input", { id: "host-gravity", type: "range", min: "0", max: "300", step: "5" });
  #value = make("output", { htmlFor: "host-gravity" });
  #touchedAt = -Infinity;
  #toldAt = -Infinity;
  #timer = 0;

  /** @param {(percent: number) => void} act */
  constructor(act) {
    this.#act = act;
    this.#slider.addEventListener("input", () => this.#moved());
    const usual = button(text("world.usual"), () => {
      this.#slider.value = "100";
      this.#moved();
    });
    this.element = make(
      "div",
      { className: "gravity" },
      make("label", { htmlFor: "host-gravity", textContent: text("world.gravity") }),
      this.#value,
      this.#slider,
      usual,
    );
  }

  /** @param {number} percent as the server has it */
  show(percent) {
    // The server can't know yet what it was not told.
    if (this.#timer || performance.now() - this.#touchedAt < OWN) return;
    this.#slider.value = String(percent);
    this.#write(percent);
  }

  #moved() {
    const now = performance.now();
    this.#touchedAt = now;
    this.#write(Number(this.#slider.value));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), Math.max(0, this.#toldAt + INTERVAL - now));
  }

  #tell() {
    this.#timer = 0;
    this.#touchedAt = this.#toldAt = performance.now();
    this.#act(Number(this.#slider.value));
  }

  /** @param {number} percent */
  #write(percent) {
    this.#value.textContent = text("world.percent", { percent });
    this.#slider.setAttribute("aria-valuetext", text("world.percentSaid", { percent }));
  }
}
