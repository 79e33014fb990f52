// @ts-check
import { button, make } from "../ui/dom.js";

/** A switch with its words beside it. */
export class Switch {
  #button;
  #isOn = false;

  /** @param {string} label
   * @param {string} explanation
   * @param {(wanted: boolean) => void} wanted */
  constructor(label, explanation, wanted) {
    this.#button = button("", () => wanted(!this.#isOn), {
      className: "switch",
      role: "switch",
      "aria-checked": "false",
    });
    const small = make("small", { textContent: explanation });
    const words = make("span", {}, make("b", { textContent: label }), " ", small);
    this.#button.append(words, make("i", { "aria-hidden": "true" }));
    this.element = this.#button;
  }

  /** @param {boolean} isOn */
  show(isOn) {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#button.setAttribute("aria-checked", String(isOn));
  }
}
