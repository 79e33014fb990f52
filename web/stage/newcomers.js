// @ts-check
import { make } from "../ui/dom.js";

/** @typedef {import("../core/module.js").Person} Person */

/** How many names are shown: more could not be read in passing. */
const SHOWN = 5;

/** Who came last, the newest first. Whoever stays on the list keeps the element, so that only those
 * move who are new; as many elements as names are there. */
export class Newcomers {
  #list;
  /** @type {Map<number, HTMLElement>} */ #items = new Map();
  #isFirst = true;

  /** @param {HTMLElement} list */
  constructor(list) {
    this.#list = list;
  }

  /** The next list only tells who is there: nobody on it is shown as new. */
  begin() {
    this.#isFirst = true;
  }

  /** @param {Person[]} people the newest first */
  show(people) {
    const items = new Map();
    for (const person of people.slice(0, SHOWN)) {
      const item = this.#items.get(person.id) ?? make("li", { dir: "auto" });
      if (!this.#items.has(person.id)) item.classList.toggle("fresh", !this.#isFirst);
      if (item.textContent !== person.name) item.textContent = person.name;
      item.style.setProperty("--dot", person.colour);
      items.set(person.id, item);
    }
    // An element that is put in again begins its animation again.
    const isSame =
      items.size === this.#list.childElementCount &&
      [...items.values()].every((item, index) => this.#list.children[index] === item);
    if (!isSame) this.#list.replaceChildren(...items.values());
    this.#items = items;
    this.#isFirst = false;
  }
}
