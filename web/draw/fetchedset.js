// @ts-check
import { STICKER_SIZE } from "./sheet.js";

/** @typedef {import("./stickersets.js").Material} Material */
/** @typedef {import("./stickersets.js").StickerSet} StickerSet */
/** What a manifest says of a sticker's shape, in percent of its picture's edge: one of the three.
 * @typedef {{ disc?: number, box?: [number, number], outline?: [number, number][],
 *   rounding?: number }} Shape */
/** @typedef {{ name: string, names?: Record<string, string>, picture: string, shape: Shape,
 *   size?: number, sound?: Material }} Entry */

/** A set that the server has. Its files never change: a set with other files has another id.
 * @implements {StickerSet} */
export class FetchedSet {
  id;
  size;
  #folder;
  #entries;

  /** @param {string} id
   * @param {URL} folder
   * @param {Entry[]} entries by kind */
  constructor(id, folder, entries) {
    this.id = id;
    this.#folder = folder;
    this.#entries = entries;
    this.size = (STICKER_SIZE * Math.max(...entries.map(({ size = 100 }) => size))) / 100;
  }

  /** Fetches what the server tells of a set. Throws when it can't be had.
   * @param {string} id as the welcome names it */
  static async load(id) {
    const folder = new URL(`./sets/${id}/`, document.baseURI);
    const answer = await fetch(new URL("stickers.json", folder));
    if (!answer.ok) throw new Error(`no set of stickers: ${answer.status}`);
    return new FetchedSet(id, folder, (await answer.json()).stickers);
  }

  get count() {
    return this.#entries.length;
  }

  /** @param {number} kind */
  urlOf(kind) {
    return new URL(this.#entry(kind).picture, this.#folder).href;
  }

  /** @param {number} kind */
  nameOf(kind) {
    const { name, names } = this.#entry(kind);
    return names?.[document.documentElement.lang.split("-")[0]] ?? name;
  }

  /** @param {number} kind
   * @returns {Material} */
  soundOf(kind) {
    const { sound, shape } = this.#entry(kind);
    return sound ?? (shape.disc === undefined ? "tile" : "disc");
  }

  /** @param {number} kind */
  cornerOf(kind) {
    const { disc, box, rounding = 0 } = this.#entry(kind).shape;
    if (disc !== undefined) return 1;
    // A halo around an outline is drawn around its picture.
    return box === undefined ? 0.6 : rounding / 50;
  }

  /** @param {number} kind
   * @param {number} u
   * @param {number} v */
  holds(kind, u, v) {
    const { disc, box, outline, rounding = 0 } = this.#entry(kind).shape;
    if (disc !== undefined) return Math.hypot(u, v) * 100 <= disc;
    if (box !== undefined) return Math.abs(u) * 100 <= box[0] && Math.abs(v) * 100 <= box[1];
    return insideOf(outline ?? [], rounding, 50 + 50 * u, 50 + 50 * v);
  }

  /** How far a shape goes beyond its corners, percent; a box's are within.
   * @param {number} kind */
  roundingOf(kind) {
    const { outline, rounding = 0 } = this.#entry(kind).shape;
    return outline === undefined ? 0 : rounding;
  }

  /** The shape of a kind as a path, for a picture that could not be had.
   * @param {CanvasRenderingContext2D} context with lengths in percent of the picture's edge
   * @param {number} kind */
  trace(context, kind) {
    const { disc, box, outline } = this.#entry(kind).shape;
    context.beginPath();
    if (disc !== undefined) context.arc(50, 50, disc / 2, 0, 2 * Math.PI);
    else if (box !== undefined) context.rect(50 - box[0] / 2, 50 - box[1] / 2, box[0], box[1]);
    else for (const [x, y] of outline ?? []) context.lineTo(x, y);
    context.closePath();
  }

  /** What is drawn of the past may be of another set, with kinds that this one has not.
   * @param {number} kind */
  #entry(kind) {
    return this.#entries[kind] ?? this.#entries[0];
  }
}

/** Whether a point is in a convex outline that is grown all round.
 * @param {[number, number][]} outline clockwise
 * @param {number} rounding
 * @param {number} x
 * @param {number} y */
function insideOf(outline, rounding, x, y) {
  return outline.every(([fromX, fromY], place) => {
    const [toX, toY] = outline[(place + 1) % outline.length];
    const [acrossX, acrossY] = [toX - fromX, toY - fromY];
    const beyond = (x - fromX) * acrossY - (y - fromY) * acrossX;
    return beyond <= rounding * Math.hypot(acrossX, acrossY);
  });
}
