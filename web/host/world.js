// @ts-check
import { button, make, part, write } from "./dom.js";
import { Gravity } from "./gravity.js";
import { Switch } from "./switch.js";

/** @typedef {import("./api.js").HostState} HostState */
/** @typedef {import("./panel.js").Host} Host */

/** @type {Record<string, string>} */
const TITLES = {
  pit: "Pit",
  rain: "Keyword rain",
  gallery: "Gallery",
  drag: "Rods",
  toss: "Cards",
};
/** Scenes to which people bring the stickers; the others are made of theirs. */
const LENDS = new Set(["pit", "rain"]);

/** @param {string} scene */
export const sceneTitle = (scene) => TITLES[scene] ?? scene;
/** @param {string} scene */
export const lendsStickers = (scene) => LENDS.has(scene);

/** What happens in the world: which scene it is, and whether and how it moves. */
export class WorldPart {
  #host;
  #now = make("p", { className: "soft" });
  #freeze;
  #gravity;
  #clear;
  #scenes = make("div", { className: "chips", role: "radiogroup", "aria-label": "Scene" });
  #stickers = make("input", {
    type: "number",
    min: "0",
    step: "1",
    placeholder: "as usual",
    inputMode: "numeric",
  });
  #offered = "";
  /** The host has chosen a scene that is not begun yet. */ #hasChosen = false;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    this.#freeze = new Switch("Freeze", "Everything stands still where it is", (wanted) => {
      host.act(wanted ? "freeze" : "unfreeze");
    });
    this.#gravity = new Gravity((percent) => host.act("gravity", { percent }));
    this.#clear = button("Take all stickers out", () => this.#empty());
    const begin = make(
      "form",
      { className: "begin" },
      this.#scenes,
      make(
        "div",
        { className: "row" },
        make("label", { className: "field" }, "Stickers", this.#stickers),
        make("button", { type: "submit", className: "main", textContent: "Begin anew" }),
      ),
    );
    begin.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    this.element = make(
      "div",
      {},
      part("Now", this.#now, this.#freeze.element, this.#gravity.element, this.#clear),
      part("Scene", begin),
    );
  }

  /** @param {HostState} state */
  show(state) {
    write(this.#now, `${sceneTitle(state.scene)}, ${state.bodies} of ${state.bodyCap} stickers`);
    this.#freeze.show(state.frozen);
    this.#gravity.show(state.gravity);
    this.#clear.hidden = !lendsStickers(state.scene);
    this.#offer(state.scenes);
    if (!this.#hasChosen) this.#choose(state.scene);
  }

  /** @param {string[]} scenes */
  #offer(scenes) {
    if (scenes.join() === this.#offered) return;
    this.#offered = scenes.join();
    this.#scenes.replaceChildren(...scenes.map((scene) => this.#chip(scene)));
  }

  /** @param {string} scene */
  #chip(scene) {
    const radio = make("input", { type: "radio", name: "host-scene", value: scene });
    radio.addEventListener("change", () => (this.#hasChosen = true));
    return make("label", {}, radio, make("span", { textContent: sceneTitle(scene) }));
  }

  /** @param {string} scene */
  #choose(scene) {
    for (const radio of this.#scenes.querySelectorAll("input")) {
      radio.checked = radio.value === scene;
    }
  }

  async #begin() {
    const name = this.#scenes.querySelector("input:checked")?.getAttribute("value");
    if (!name) return;
    const bodies = this.#stickers.value.trim();
    const wanted = bodies === "" ? { name } : { name, bodies };
    const done = await this.#host.act("scene", wanted, `${sceneTitle(name)} has begun.`);
    if (!done) return;
    this.#hasChosen = false;
    this.#stickers.value = "";
  }

  async #empty() {
    const text = "They are gone for everybody and don’t come back.";
    if (!(await this.#host.confirm("Take all stickers out?", text, "Take out"))) return;
    this.#host.act("clear", {}, "The pit is empty.");
  }
}
