// @ts-check
import { importLater, untilDone } from "../core/later.js";

/** @typedef {import("../core/module.js").PageModule} PageModule */

/** What there is to see and hear of the world. If the page runs the world, the module tells it; if
 * the server tells only places, it is read from the pictures. */
export class Effects {
  #module;
  /** @type {import("./seeneffects.js").SeenEffects | null} */ #seen = null;
  #isAsked = false;
  #isSeen = false;

  /** @param {PageModule} module */
  constructor(module) {
    this.#module = module;
  }

  /** In another world the slots are those of other stickers. */
  forget() {
    this.#seen?.forget();
  }

  /** Once a picture.
   * @param {Float32Array} instances its stickers
   * @param {number} now ms
   * @returns {number} how many effects there are in `numbers` */
  take(instances, now) {
    const module = this.#module;
    this.#isSeen = !module.runsWorld;
    if (!this.#isSeen) return module.takeEffects();
    // Before the first stickers nobody knows yet where the world runs.
    if (!this.#isAsked && instances.length > 0) {
      this.#isAsked = true;
      untilDone(() => this.#load());
    }
    return this.#seen?.look(instances, module, now) ?? 0;
  }

  /** `EFFECT_FLOATS` each. */
  get numbers() {
    return this.#isSeen && this.#seen ? this.#seen.numbers : this.#module.effectNumbers;
  }

  /** Few pages need this code, so it is fetched when one does. */
  async #load() {
    /** @type {typeof import("./seeneffects.js")} */
    const { SeenEffects } = await importLater("./seeneffects.js", import.meta.url);
    this.#seen = new SeenEffects();
  }
}
