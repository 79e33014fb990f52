// @ts-check

/** @typedef {[number, number, number]} RGB 0…1 each */

/** Colours that were asked for: those of the page and of people, drawn in every picture.
 * @type {Map<string, RGB>} */
const colours = new Map();
const MOST_COLOURS = 256;

/** @param {string} hex `#rrggbb`
 * @returns {RGB} not to be changed */
export function rgb(hex) {
  const known = colours.get(hex);
  if (known) return known;
  if (colours.size === MOST_COLOURS) colours.clear();
  const number = parseInt(hex.trim().slice(1), 16);
  const parts = [((number >> 16) & 255) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
  colours.set(hex, /** @type {RGB} */ (parts));
  return rgb(hex);
}
