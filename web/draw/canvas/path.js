// @ts-check

/** @typedef {import("../colour.js").RGB} RGB */

/** Colours that were asked for, as `css` told them: first by hundredths of opacity, then by red, green and blue
 * in one number.
 * @type {Map<number, string>[]} */
const colours = Array.from({ length: 101 }, () => new Map());
/** How many of each opacity are kept. */
const MOST_COLOURS = 256;

/**
 * A path around a box with round corners. (`roundRect` is younger than some browsers that come here.)
 * @param {CanvasRenderingContext2D} context
 * @param {number} x left edge
 * @param {number} y top edge
 * @param {number} width
 * @param {number} height
 * @param {number} radius
 */
export function roundedBox(context, x, y, width, height, radius) {
  const right = x + width;
  const bottom = y + height;
  context.moveTo(x + radius, y);
  context.arcTo(right, y, right, bottom, radius);
  context.arcTo(right, bottom, x, bottom, radius);
  context.arcTo(x, bottom, x, y, radius);
  context.arcTo(x, y, right, y, radius);
  context.closePath();
}

/** A colour as a canvas wants it told. What was told before is found by numbers, so that a picture makes no new
 * words.
 * @param {RGB} rgb
 * @param {number} opacity 0…1, in whole hundredths */
export function css(rgb, opacity = 1) {
  const red = Math.round(255 * rgb[0]);
  const green = Math.round(255 * rgb[1]);
  const blue = Math.round(255 * rgb[2]);
  const key = (red << 16) | (green << 8) | blue;
  const hundredths = Math.round(100 * opacity);
  const told = colours[hundredths];
  const known = told.get(key);
  if (known) return known;
  if (told.size === MOST_COLOURS) told.clear();
  const made = `rgba(${red}, ${green}, ${blue}, ${hundredths / 100})`;
  told.set(key, made);
  return made;
}

/** @param {RGB} from
 * @param {RGB} to
 * @param {number} share of the way
 * @returns {RGB} */
export function mix(from, to, share) {
  const part = (/** @type {number} */ at) => from[at] + (to[at] - from[at]) * share;
  return [part(0), part(1), part(2)];
}

/** A canvas that is drawn on once and then copied.
 * @param {number} width pixels
 * @param {number} height
 * @returns {[HTMLCanvasElement, CanvasRenderingContext2D]} */
export function layer(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.ceil(width));
  canvas.height = Math.max(1, Math.ceil(height));
  return [canvas, contextOf(canvas)];
}

/** @param {HTMLCanvasElement} canvas
 * @returns {CanvasRenderingContext2D} */
export function contextOf(canvas) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas to draw on");
  return context;
}

/**
 * Draws only the blurred shadow of a shape: the shape itself lies outside of the picture.
 * @param {CanvasRenderingContext2D} context with lengths in pixels or points
 * @param {string} colour
 * @param {number} blur pixels, as `shadowBlur` has it
 * @param {{ x: number, y: number }} offset pixels
 * @param {() => void} path of the shape
 * @param {CanvasFillRule} rule
 */
export function shadowOnly(context, colour, blur, offset, path, rule = "nonzero") {
  const away = 2 * context.canvas.width + 1000;
  context.save();
  const { a, b, c, d, e, f } = context.getTransform();
  context.setTransform(a, b, c, d, e - away, f);
  context.shadowColor = colour;
  context.shadowBlur = blur;
  context.shadowOffsetX = offset.x + away;
  context.shadowOffsetY = offset.y;
  context.beginPath();
  path();
  context.fillStyle = "#000";
  context.fill(rule);
  context.restore();
}
