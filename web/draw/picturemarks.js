// @ts-check
import { rgb } from "./colour.js";
import { MarkList } from "./marklist.js";
import { addHalos, addLedges, addRods } from "./scenery.js";

/** @typedef {import("./colour.js").RGB} RGB */
/** @typedef {import("./renderer.js").Picture} Picture */

/** How many people's colours are kept: hardly ever do more hold something. */
const MOST_TINTS = 256;

/** What is drawn besides the stickers: ledges below them, halos and rods above. Its memory is kept
 * from picture to picture. */
export class PictureMarks {
  #below = new MarkList();
  #above = new MarkList();
  #colourOf;
  /** @type {Map<number, RGB>} people's colours, ready to be drawn */ #tints = new Map();

  /** @param {(person: number) => string} colourOf anybody's, as `#rrggbb` */
  constructor(colourOf) {
    this.#colourOf = colourOf;
  }

  /**
   * @param {Picture} picture gets the marks; its stickers are there
   * @param {Float32Array} boundaries
   * @param {Float32Array} rods
   * @param {{ rim: string, rimLight: string, needle: string }} colours
   * @param {{ isRain: boolean, chosen: number, person: number }} marked whether it is the scene in which
   *   it rains, the chosen slot, or −1, and who has chosen it
   * @param {(id: number) => number} wearOf how worn a ledge is, 0…1
   * @param {import("./dropped.js").DroppedHalos} dropped
   * @param {number} now ms
   */
  fill(picture, boundaries, rods, colours, marked, wearOf, dropped, now) {
    const { rim, rimLight, needle } = colours;
    const { isRain, chosen, person } = marked;
    this.#below.clear();
    addLedges(this.#below, boundaries, isRain, rgb(rim), wearOf);
    picture.below = this.#below.floats;
    this.#above.clear();
    const { instances, forms } = picture;
    addHalos(this.#above, instances, this.#tint, chosen, this.#tint(person), forms);
    dropped.draw(this.#above, instances, this.#tint, now);
    addRods(this.#above, rods, rgb(rimLight), rgb(needle));
    picture.above = this.#above.floats;
  }

  /** @type {(person: number) => RGB} */
  #tint = (person) => {
    const known = this.#tints.get(person);
    if (known) return known;
    if (this.#tints.size === MOST_TINTS) this.#tints.clear();
    const tint = rgb(this.#colourOf(person));
    this.#tints.set(person, tint);
    return tint;
  };
}
