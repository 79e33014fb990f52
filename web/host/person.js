// @ts-check
import { text } from "../strings/language.js";
import { button, make, span, write } from "../ui/dom.js";

/** @typedef {import("./api.js").HostPerson} HostPerson */
/** @typedef {import("./panel.js").Host} Host */

/** How long a ban may last, in minutes. */
const BANS = /** @type {const} */ ([
  [10, "ban.minutes"],
  [60, "ban.hour"],
  [1440, "ban.day"],
]);

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
  /** Where a new name is typed, and the button that hides the name; null until they are needed. */
  #field = /** @type {HTMLInputElement | null} */ (null);
  #hide = /** @type {HTMLButtonElement | null} */ (null);

  /** @param {HostPerson} person
   * @param {Host} host
   * @param {() => HostPerson[]} everybody */
  constructor(person, host, everybody) {
    this.#person = person;
    this.#host = host;
    this.#everybody = everybody;
    this.#acts.id = `host-person-${person.id}`;
    this.#head.setAttribute("aria-controls", this.#acts.id);
    this.#head.append(this.#dot, this.#name, this.#time, this.#address);
  }

  /** @param {HostPerson} person
   * @param {boolean} isHost */
  show(person, isHost) {
    const { name, hidden } = this.#person;
    if (person.name !== name || person.hidden !== hidden) this.#renamed(person);
    this.#person = person;
    this.#dot.style.setProperty("--dot", person.colour);
    write(this.#name, isHost ? text("hud.you", { name: person.name }) : person.name);
    const { address } = person;
    write(this.#address, person.hidden ? text("people.hidden", { address }) : address);
    write(this.#time, span(person.seconds));
    if (this.#hide) this.#hide.disabled = person.hidden;
  }

  /** The field is labelled by the name, and begins with it; what the host is typing stays.
   * @param {HostPerson} person */
  #renamed(person) {
    this.#field?.setAttribute("aria-label", text("people.newName", { name: person.name }));
    if (this.#field?.value === firstDraft(this.#person)) this.#field.value = firstDraft(person);
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
      value: firstDraft(this.#person),
      maxLength: 32,
      "aria-label": text("people.newName", { name }),
      autocomplete: "off",
    });
    this.#field = field;
    const rename = make(
      "form",
      { className: "row" },
      field,
      make("button", { type: "submit", textContent: text("people.rename") }),
    );
    rename.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = field.value.trim();
      if (wanted === "") return field.focus();
      this.#host.act("rename", { person: id, name: wanted }, text("people.renamed", { name: wanted }));
    });
    this.#hide = button(text("people.hide"), () => {
      this.#host.act("hide", { person: id }, text("people.hid"));
    });
    this.#hide.disabled = this.#person.hidden;
    const remove = button(text("people.remove"), () => this.#remove(), { className: "danger" });
    return [rename, make("div", { className: "row" }, this.#hide, remove), this.#banRow()];
  }

  #banRow() {
    const time = make("select", { "aria-label": text("ban.time") });
    time.append(...BANS.map(([minutes, key]) => new Option(text(key), String(minutes))));
    const chosen = () => this.#ban(Number(time.value), time.selectedOptions[0].text);
    const ban = button(text("ban.ban"), chosen, { className: "danger" });
    return make("div", { className: "row" }, time, ban);
  }

  #remove() {
    const { id, name } = this.#person;
    this.#host.act("kick", { person: id }, text("people.removed", { name }));
  }

  /** @param {number} minutes
   * @param {string} time the same in words */
  async #ban(minutes, time) {
    const { id, name, address } = this.#person;
    const prefix = addressPrefix(address);
    const count = this.#everybody().filter((one) => {
      return one.id !== id && addressPrefix(one.address) === prefix;
    }).length;
    const question = text("ban.question", { address: prefix, time });
    const hint = count === 0 ? text("ban.one", { name }) : text("ban.many", { name, count });
    if (!(await this.#host.confirm(question, hint, text("ban.yes")))) return;
    const done = await this.#host.act("ban", { person: id, minutes });
    if (!done) return;
    this.#host.say(text("ban.done", { address: prefix, count: done.removed ?? 0 }));
  }
}

/** What the field for a new name begins with. Whose name is hidden is shown as somebody, which is no
 * name to give.
 * @param {HostPerson} person */
function firstDraft({ name, hidden }) {
  return hidden ? "" : name;
}

/**
 * What the server takes for one address when it bans: an IPv4 address, or the first half of an IPv6
 * one, which is a household's or a venue's.
 * @param {string} address
 */
export function addressPrefix(address) {
  if (!address.includes(":") || address.includes("/")) return address;
  const [head, tail] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const groups = tail
    ? [...head, ...Array(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail]
    : head;
  const first = groups.slice(0, 4).map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
  return `${first.join(":")}::/64`;
}
