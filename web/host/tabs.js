// @ts-check
import { text } from "../strings/language.js";
import { make } from "../ui/dom.js";

/** @typedef {{ name: string, title: string, element: HTMLElement }} Tab */

/** Tabs, of which the arrow keys choose. */
export class Tabs {
  list = make("div", { role: "tablist", className: "tabs", "aria-label": text("host.controls") });
  pages = make("div", { className: "pages" });
  chosen = "";
  #tabs;
  #changed;
  /** @type {Map<string, HTMLButtonElement>} */ #buttons = new Map();

  /** @param {Tab[]} tabs
   * @param {() => void} changed */
  constructor(tabs, changed) {
    this.#tabs = tabs;
    this.#changed = changed;
    for (const { name, title, element } of tabs) {
      const [id, page] = [`host-tab-${name}`, `host-page-${name}`];
      const tab = make("button", { type: "button", id, role: "tab", "aria-controls": page });
      tab.textContent = title;
      tab.addEventListener("click", () => this.choose(name));
      this.#buttons.set(name, tab);
      Object.assign(element, { id: page, tabIndex: -1 });
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-labelledby", id);
      this.pages.append(element);
    }
    this.list.append(...this.#buttons.values());
    this.list.addEventListener("keydown", (event) => this.#press(event));
    this.choose(tabs[0].name);
  }

  /** @param {string} name */
  choose(name) {
    if (name === this.chosen) return;
    this.chosen = name;
    for (const tab of this.#tabs) {
      const isChosen = tab.name === name;
      tab.element.hidden = !isChosen;
      const button = this.#buttons.get(tab.name);
      button?.setAttribute("aria-selected", String(isChosen));
      if (button) button.tabIndex = isChosen ? 0 : -1;
    }
    this.pages.scrollTop = 0;
    this.#changed();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const at = this.#tabs.findIndex(({ name }) => name === this.chosen);
    const last = this.#tabs.length - 1;
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    if (!(event.key in places)) return;
    event.preventDefault();
    const place = (places[event.key] + this.#tabs.length) % this.#tabs.length;
    this.choose(this.#tabs[place].name);
    this.#buttons.get(this.chosen)?.focus();
  }
}
