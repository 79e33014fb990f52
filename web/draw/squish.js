// @ts-check
import { INSTANCE_AGE, INSTANCE_FLOATS, INSTANCE_SLOT } from "../core/wire.js";
import { POP } from "./forms.js";

/** A touched sticker is drawn as if it were of this age, seconds, and still popped up: at nine tenths
 * of its size, just before it overshoots (`POP`). */
const FROM = 0.07;

/** Stickers that were touched give way for a moment: the answer to a tap that may yet become
 * two. */
export class Squish {
  /** @type {Map<number, number>} when it was touched, by slot */ #touched = new Map();
  #calm = matchMedia("(prefers-reduced-motion: reduce)");

  /** @param {number} slot
   * @param {number} now ms */
  touch(slot, now) {
    if (!this.#calm.matches) this.#touched.set(slot, now);
  }

  /** Once a picture, after everything that asks how old a sticker is.
   * @param {Float32Array} instances changed
   * @param {number} now ms */
  advance(instances, now) {
    if (this.#touched.size === 0) return;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      const since = this.#touched.get(instances[at + INSTANCE_SLOT] | 0);
      if (since === undefined) continue;
      const age = FROM + Math.max(0, now - since) / 1000;
      instances[at + INSTANCE_AGE] = Math.min(instances[at + INSTANCE_AGE], age);
    }
    for (const [slot, since] of this.#touched) {
      if (now - since > (POP.seconds - FROM) * 1000) this.#touched.delete(slot);
    }
  }
}
