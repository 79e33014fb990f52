// @ts-check
import { text } from "../strings/language.js";
import { button, make, part, write } from "../ui/dom.js";
import { Gravity } from "./gravity.js";
import { Switch } from "./switch.js";

/** @typedef {import("./api.js").HostState} HostState */
/** @typedef {import("./panel.js").Host} Host */

/** The scenes whose names are known: a server may have others. */
const SCENES = /** @type {const} */ (["pit", "rain", "gallery", "drag", "toss"]);
/** Scenes into which people bring stickers; in the others the stickers belong to the scene. */
const LENDS = new Set(["pit", "rain"]);

/** @param {string} scene */
function sceneTitle(scene) {
  const known = SCENES.find((one) => one === scene);
  return known ? text(`world.${known}`) : scene;
}
/** @param {string} scene */
export const lendsStickers = (scene) => LENDS.has(scene);

/** What happens in the world: which scene it is, and whether and how it moves. */
export class WorldPart {
  #host;
  #now = make("p", { className: "soft" });
  #freeze;
  #gravity;
  #clear;
  #scenes = make("div", { className: "chips", role: "radiogroup", "aria-label": text("world.scene") });
  #stickers = make("input", {
    type: "number",
    min: "0",
    step: "1",
    placeholder: text("world.stickersHint"),
    inputMode: "numeric",
  });
  #offered = "";
  /** The host has chosen a scene that is not begun yet. */ #hasChosen = false;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    this.#freeze = new Switch(text("world.freeze"), text("world.freezeHint"), (wanted) => {
      host.act(wanted ? "freeze" : "unfreeze");
    });
    this.#gravity = new Gravity((percent) => host.act("gravity", { percent }));
    this.#clear = button(text("world.clear"), () => this.#empty());
    const begin = make(
      "form",
      { className: "begin" },
      this.#scenes,
      make(
        "div",
        { className: "row" },
        make("label", { className: "field" }, text("world.stickers"), this.#stickers),
        make("button", { type: "submit", className: "main", textContent: text("world.begin") }),
      ),
    );
    begin.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    this.element = make(
      "div",
      {},
      part(text("world.now"), this.#now, this.#freeze.element, this.#gravity.element, this.#clear),
      part(text("world.scene"), begin),
    );
  }

  /** @param {HostState} state */
  show(state) {
    const { bodies, bodyCap: count } = state;
    write(this.#now, text("world.state", { scene: sceneTitle(state.scene), bodies, count }));
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
    const done = await this.#host.act("scene", wanted, text("world.begun", { scene: sceneTitle(name) }));
    if (!done) return;
    this.#hasChosen = false;
    this.#stickers.value = "";
  }

  async #empty() {
    const isMeant = await this.#host.confirm(
      text("world.clearQuestion"), text("world.clearHint"), text("world.clearYes"));
    if (isMeant) this.#host.act("clear", {}, text("world.cleared"));
  }
}
