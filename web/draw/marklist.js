// @ts-check
import { KeptFloats } from "../core/keptfloats.js";

/** @typedef {import("./colour.js").RGB} RGB */

/** Floats a mark: x, y, cosine, sine; half width, half height, corner, style; colour, opacity. */
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
   * @param {number} x
   * @param {number} y centre, points
   * @param {number} cosine
   * @param {number} sine of its angle
   * @param {number} halfWidth
   * @param {number} halfHeight
   * @param {number} corner points
   * @param {number} style one of `STYLE`
   * @param {RGB} colour
   * @param {number} opacity
   */
  add(x, y, cosine, sine, halfWidth, halfHeight, corner, style, colour, opacity) {
    let at = this.#length;
    this.#length += MARK_FLOATS;
    this.#kept.fit(this.#length);
    const { floats } = this.#kept;
    floats[at++] = x;
    floats[at++] = y;
    floats[at++] = cosine;
    floats[at++] = sine;
    floats[at++] = halfWidth;
    floats[at++] = halfHeight;
    floats[at++] = corner;
    floats[at++] = style;
    for (let part = 0; part < 3; part += 1) floats[at++] = colour[part];
    floats[at] = opacity;
  }

  /** Their numbers, as `Marks` draws them; valid until the next `clear`. */
  get floats() {
    return this.#kept.first(this.#length);
  }
}
