// @ts-check
import { addressPrefix } from "./address.js";
import { button, make, span, write } from "./dom.js";

/** @typedef {import("./api.js").HostPerson} HostPerson */
/** @typedef {import("./panel.js").Host} Host */

/** How long a ban may last, in minutes.
 * @type {[number, string][]} */
const BANS = [
  [10, "10 minutes"],
  [60, "1 hour"],
  [1440, "1 day"],
];

/** A person in the list; what can be done about them unfolds. */
export class PersonRow {
  #host;
  #everybody;
  #person;
  #dot = make("i", { className: "dot", "aria-hidden": "true" });
  #name = make("b", { dir: "auto" });
  #address = make("span", { className: "address soft" });
  #time = make("span", { className: "soft" });
  #head = button("", () => this.#unfold(), { className: "person", "aria-expanded": "false" });
  #acts = make("div", { className: "acts", hidden: true });
  element = make("li", {}, this.#head, this.#acts);
  #hide = /** @type {HTMLButtonElement | null} */ (null);

  /** @param {HostPerson} person @param {Host} host @param {() => HostPerson[]} everybody */
  constructor(person, host, everybody) {
    this.#person = person;
    this.#host = host;
    this.#everybody = everybody;
    this.#acts.id = `host-person-${person.id}`;
    this.#head.setAttribute("aria-controls", this.#acts.id);
    this.#head.append(this.#dot, this.#name, this.#time, this.#address);
  }

  /** @param {HostPerson} person @param {boolean} isHost */
  show(person, isHost) {
    this.#person = person;
    this.#dot.style.setProperty("--dot", person.colour);
    write(this.#name, person.name + (isHost ? " (you)" : ""));
    write(this.#address, person.address + (person.hidden ? " · name hidden" : ""));
    write(this.#time, span(person.seconds));
    if (this.#hide) this.#hide.disabled = person.hidden;
  }

  #unfold() {
    if (this.#acts.childElementCount === 0) this.#acts.append(...this.#controls());
    this.#acts.hidden = !this.#acts.hidden;
    this.#head.setAttribute("aria-expanded", String(!this.#acts.hidden));
  }

  /** Made when they are first needed: hundreds may be here. */
  #controls() {
    const { id, name } = this.#person;
    const field = make("input", {
      type: "text",
      value: name,
      maxLength: 32,
      "aria-label": `New name of ${name}`,
      autocomplete: "off",
    });
    const rename = make(
      "form",
      { className: "row" },
      field,
      make("button", { type: "submit", textContent: "Rename" }),
    );
    rename.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = field.value.trim();
      if (wanted === "") return field.focus();
      this.#host.act("rename", { person: id, name: wanted }, `The name is ${wanted} now.`);
    });
    this.#hide = button("Hide name", () => {
      this.#host.act("hide", { person: id }, "Everybody sees “Somebody” now.");
    });
    this.#hide.disabled = this.#person.hidden;
    const remove = button("Remove", () => this.#remove(), { className: "danger" });
    return [rename, make("div", { className: "row" }, this.#hide, remove), this.#banRow()];
  }

  #banRow() {
    const time = make("select", { "aria-label": "For how long" });
    time.append(...BANS.map(([minutes, words]) => new Option(words, String(minutes))));
    const chosen = () => this.#ban(Number(time.value), time.selectedOptions[0].text);
    const ban = button("Ban address", chosen, { className: "danger" });
    return make("div", { className: "row" }, time, ban);
  }

  #remove() {
    const { id, name } = this.#person;
    this.#host.act("kick", { person: id }, `${name} was removed.`);
  }

  /** @param {number} minutes @param {string} words */
  async #ban(minutes, words) {
    const { id, name, address } = this.#person;
    const prefix = addressPrefix(address);
    const others = this.#everybody().filter((one) => {
      return one.id !== id && addressPrefix(one.address) === prefix;
    }).length;
    const who = ["", " and one other person", ` and ${others} others`][Math.min(others, 2)];
    const [are, their] = others === 0 ? ["is", "this"] : ["are", "their shared"];
    const text =
      `${name}${who} ${are} removed, and nobody may join from ${their} address until then. ` +
      "A venue’s guests often share one.";
    if (!(await this.#host.confirm(`Ban ${prefix} for ${words}?`, text, "Ban"))) return;
    const done = await this.#host.act("ban", { person: id, minutes });
    if (!done) return;
    const removed = done.removed === 1 ? "1 person was" : `${done.removed ?? 0} people were`;
    this.#host.say(`${prefix} is banned; ${removed} removed.`);
  }
}
