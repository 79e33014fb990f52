// @ts-check
import { KeptFloats } from "../core/keptfloats.js";

/** @typedef {import("./colour.js").RGB} RGB */

/** Floats a mark: x, y, cosine, sine; half width, half height, corner, style; colour, opacity. Lengths are
 * points, and x and y the centre. */
export const MARK_FLOATS = 12;
/** Solid marks stand on the floor and throw a shadow. So do cracked ones, whose opacity tells how
 * broken they are, 0…1. Halos and dashes lie around stickers. */
export const STYLE = Object.freeze({ solid: 0, halo: 1, dashes: 2, cracked: 3 });

/** The marks of a picture, in memory that is kept for the next one. */
export class MarkList {
  #kept = new KeptFloats();
  #length = 0;

  clear() {
    this.#length = 0;
  }

  /**
   * Adds a mark: upright, opaque, at the corner of the world and without size, until its numbers are written into
   * `numbers`. They are no arguments, because V8 would box them.
   * @param {number} style one of `STYLE`
   * @param {RGB} colour
   * @returns {number} where its numbers begin
   */
  next(style, colour) {
    const at = this.#length;
    this.#length += MARK_FLOATS;
    this.#kept.fit(this.#length);
    const { floats } = this.#kept;
    for (let number = at; number < this.#length; number += 1) floats[number] = 0;
    floats[at + 2] = 1;
    floats[at + 7] = style;
    for (let part = 0; part < 3; part += 1) floats[at + 8 + part] = colour[part];
    floats[at + 11] = 1;
    return at;
  }

  /** The numbers of all marks, and room for more; valid until the next mark. */
  get numbers() {
    return this.#kept.floats;
  }

  /** Their numbers, as `Marks` draws them; valid until the next `clear`. */
  get floats() {
    return this.#kept.first(this.#length);
  }
}
