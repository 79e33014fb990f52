// @ts-check
import { CORNERS } from "../core/wire.js";
import { KIND, STICKERS, STICKER_SIZE, stickerURL } from "./sheet.js";
import { text } from "../strings/language.js";

/** What a sticker sounds as if it were made of.
 * @typedef {"disc" | "tile" | "card" | "block" | "soft"} Material */

/**
 * The stickers of the pit as the page needs them: pictures, names, sounds and shapes by kind.
 * @typedef {object} StickerSet
 * @property {string} id as the welcome names it; empty for our own
 * @property {number} count kinds that one may drop
 * @property {number} size of the largest ones' pictures, points
 * @property {(kind: number) => string} urlOf
 * @property {(kind: number) => string} nameOf
 * @property {(kind: number) => Material} soundOf
 * @property {(kind: number) => number} cornerOf radius of the corners, in halves of the size: 1 is a
 *   disc
 * @property {(kind: number, u: number, v: number) => boolean} holds whether a place from the middle,
 *   in halves of width and height, is on a sticker of the kind
 */

/** The stickers that every page has: the sixteen, cards and squares. They are those of all scenes but
 * a pit that has a set.
 * @type {StickerSet} */
export const OURS = Object.freeze({
  id: "",
  count: STICKERS.length,
  size: STICKER_SIZE,
  urlOf: stickerURL,
  nameOf: (kind) => text(`sticker.${STICKERS[kind]}`),
  soundOf: materialOf,
  cornerOf: (kind) => CORNERS[kind],
  holds: (kind, u, v) =>
    CORNERS[kind] === 1 ? u * u + v * v <= 1 : Math.abs(u) <= 1 && Math.abs(v) <= 1,
});

/** @param {number} kind
 * @returns {Material} */
function materialOf(kind) {
  if (kind === KIND.card) return "card";
  if (kind === KIND.square) return "block";
  if (kind >= KIND.snow) return "soft"; // cake, too
  return CORNERS[kind] === 1 ? "disc" : "tile";
}

/** What rains, in a word.
 * @param {number} kind */
export function fallingName(kind) {
  if (kind === KIND.snow) return text("sticker.snow");
  if (kind === KIND.cake) return text("sticker.cake");
  return text(kind in STICKERS ? `sticker.${STICKERS[kind]}` : "sticker.any");
}

/** @type {StickerSet} */ let shown = OURS;
/** @type {Set<() => void>} */ const listeners = new Set();

/** The set of what is shown. */
export function shownSet() {
  return shown;
}

/** @param {StickerSet} set */
export function showSet(set) {
  if (set === shown) return;
  shown = set;
  for (const listener of listeners) listener();
}

/** @param {() => void} listener called whenever another set is shown */
export function onOtherSet(listener) {
  listeners.add(listener);
}
