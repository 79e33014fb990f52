// @ts-check
import { text } from "../strings/language.js";
import { make, part, write } from "../ui/dom.js";
import { PersonRow } from "./person.js";

/** @typedef {import("./api.js").HostPerson} HostPerson */
/** @typedef {import("./panel.js").Host} Host */

/** Who is here, the newest first. */
export class PeoplePart {
  #host;
  #ownId;
  #filter = make("input", {
    type: "search",
    placeholder: text("people.filter"),
    "aria-label": text("people.filterHint"),
    autocomplete: "off",
    spellcheck: false,
  });
  #list = make("ul", { className: "list" });
  #empty = make("p", { className: "soft", hidden: true });
  /** @type {Map<number, PersonRow>} */ #rows = new Map();
  /** @type {HostPerson[]} */ people = [];
  #count = 0;

  /** @param {Host} host
   * @param {() => number} ownId */
  constructor(host, ownId) {
    this.#host = host;
    this.#ownId = ownId;
    this.#filter.addEventListener("input", () => this.#update());
    this.element = make("div", {}, part(text("people.title"), this.#filter, this.#empty, this.#list));
  }

  /** @param {{ count: number, people: HostPerson[] }} answer */
  show({ count, people }) {
    this.people = people;
    this.#count = count;
    this.#update();
  }

  #update() {
    const wanted = this.#filter.value.trim().toLowerCase();
    const shown = this.people.filter(({ name, address }) => {
      return `${name}\n${address}`.toLowerCase().includes(wanted);
    });
    const ids = new Set(shown.map(({ id }) => id));
    for (const [id, row] of this.#rows) {
      if (ids.has(id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    shown.forEach((person, place) => this.#put(person, place));
    this.#tellRest(shown.length);
  }

  /** A row that stands where it belongs is not moved: it may have the focus.
   * @param {HostPerson} person
   * @param {number} place */
  #put(person, place) {
    let row = this.#rows.get(person.id);
    if (!row) {
      row = new PersonRow(person, this.#host, () => this.people);
      this.#rows.set(person.id, row);
    }
    row.show(person, person.id === this.#ownId());
    const there = this.#list.children[place] ?? null;
    if (there !== row.element) this.#list.insertBefore(row.element, there);
  }

  /** @param {number} shown */
  #tellRest(shown) {
    const [listed, count] = [this.people.length, this.#count];
    let words = "";
    if (listed === 0) words = text("people.nobody");
    else if (shown === 0) words = text("people.nobodySuch");
    else if (listed < count) words = text("people.newest", { shown: listed, count });
    this.#empty.hidden = words === "";
    write(this.#empty, words);
  }
}
