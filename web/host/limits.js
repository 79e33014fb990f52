// @ts-check
import { text } from "../strings/language.js";
import { make } from "../ui/dom.js";
import { lendsStickers } from "./world.js";

/** @typedef {import("./api.js").HostState} HostState */
/** @typedef {import("./panel.js").Host} Host */

/** The most commands a second and person that the server takes. */
const MOST_COMMANDS = 60;

/** How many stickers, people and commands there may be. */
export class Limits {
  #host;
  #stickers = new Limit(text("room.stickers"));
  #people = new Limit(text("room.people"));
  #commands = new Limit(text("room.commands"));
  #set = make("button", { type: "submit", textContent: text("room.setLimits") });

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    const fields = [this.#stickers, this.#people, this.#commands].map(({ element }) => element);
    this.element = make("form", { className: "limits" }, ...fields, this.#set);
    this.element.addEventListener("input", () => this.#refresh());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#apply();
    });
    this.#refresh();
  }

  /** @param {HostState} state */
  show(state) {
    this.#stickers.show(state.bodyCap, state.mostBodies);
    // In the other scenes the stickers belong to the scene.
    this.#stickers.field.disabled = !lendsStickers(state.scene);
    this.#people.show(state.peopleLimit);
    this.#commands.show(state.commandsPerSecond, MOST_COMMANDS);
    this.#refresh();
  }

  #refresh() {
    this.#set.disabled = Object.keys(this.#changes).length === 0;
  }

  get #changes() {
    const [bodies, people, commands] = [this.#stickers, this.#people, this.#commands].map(
      (limit) => limit.change,
    );
    return Object.fromEntries(
      Object.entries({ bodies, people, commands }).filter(([, value]) => value !== null),
    );
  }

  async #apply() {
    const changes = /** @type {Record<string, number>} */ (this.#changes);
    if (!(await this.#host.act("limits", changes, text("room.limitsSet")))) return;
    for (const limit of [this.#stickers, this.#people, this.#commands]) limit.isSet();
    this.#refresh();
  }
}

/** One number, which stays as the host types it until it is set. */
class Limit {
  field = make("input", {
    type: "number",
    min: "1",
    step: "1",
    required: true,
    inputMode: "numeric",
  });
  #most = make("small");
  #value = "";

  /** @param {string} label */
  constructor(label) {
    const words = make("span", {}, label, this.#most);
    this.element = make("label", { className: "field" }, words, this.field);
  }

  /** @param {number} value
   * @param {number} most if it is known */
  show(value, most = 0) {
    const isTyped = this.field.value !== this.#value;
    this.#value = String(value);
    if (!isTyped) this.field.value = this.#value;
    if (most > 0) this.field.max = String(most);
    this.#most.textContent = most > 0 ? text("room.upTo", { most }) : "";
  }

  /** What was typed instead, if anything. */
  get change() {
    const isSame = this.field.value === this.#value || this.field.value === "";
    return isSame || this.field.disabled ? null : Number(this.field.value);
  }

  isSet() {
    this.#value = this.field.value;
  }
}
