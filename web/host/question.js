// @ts-check
import { text } from "../strings/language.js";
import { button, make } from "../ui/dom.js";

/** Asks whether something is really meant. */
export class Question {
  #title = make("h2", { id: "host-question" });
  #text = make("p");
  #yes = button("", () => this.element.close("yes"), { className: "danger" });
  element = make(
    "dialog",
    { className: "question", "aria-labelledby": "host-question" },
    this.#title,
    this.#text,
    make("div", { className: "row" }, button(text("host.cancel"), () => this.element.close("")), this.#yes),
  );

  /** @param {string} title
   * @param {string} words
   * @param {string} yes the button that does it
   * @returns {Promise<boolean>} */
  ask(title, words, yes) {
    this.#title.textContent = title;
    this.#text.textContent = words;
    this.#yes.textContent = yes;
    this.element.returnValue = "";
    this.element.showModal();
    return new Promise((answered) => {
      const closed = () => answered(this.element.returnValue === "yes");
      this.element.addEventListener("close", closed, { once: true });
    });
  }
}
