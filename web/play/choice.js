// @ts-check
import { INSTANCE_AGE, INSTANCE_FLOATS, INSTANCE_SLOT } from "../core/wire.js";

/** By how much younger than a picture ago a sticker is that is another one in the same slot, seconds: more
 * than a rollback takes back. */
const YOUNGER = 0.5;

/** The square that was chosen for the next tap. */
export class Choice {
  /** −1: none. */
  slot = -1;
  #age = 0;

  /** @param {number} slot */
  choose(slot) {
    this.slot = slot;
    this.#age = 0;
  }

  forget() {
    this.slot = -1;
  }

  /** Once a picture: what is gone is not chosen any more, nor what got its slot.
   * @param {Float32Array} instances */
  advance(instances) {
    if (this.slot < 0) return;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      if (instances[at + INSTANCE_SLOT] !== this.slot) continue;
      const age = instances[at + INSTANCE_AGE];
      if (age < this.#age - YOUNGER) break;
      this.#age = age;
      return;
    }
    this.forget();
  }
}
