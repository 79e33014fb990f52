// @ts-check
import { MARK_FLOATS, STYLE } from "../marklist.js";
import { css, mix, roundedBox } from "./path.js";

/** @typedef {import("../renderer.js").Layout} Layout */
/** @typedef {import("../colour.js").RGB} RGB */

/** @type {RGB} */ const WHITE = [1, 1, 1];
const DASHES = 24;
/** Points, as `gl/marks.js` has them. */
const BETWEEN_CRACKS = 15;
/** How many lights on solid marks are kept: a scene has marks of three or four colours and sizes. */
const MOST_LIGHTS = 16;

/** Ledges, rods, and halos around held stickers, nearly as `gl/marks.js` draws them. Each function reads a mark's
 * numbers where `MarkList` has them: a view of each mark would be an object, and V8 boxes floats that are passed on. */
export class CanvasMarks {
  #context;
  /** The colour of the mark that is being drawn, kept from one to the next.
   * @type {RGB} */
  #paint = [0, 0, 0];
  /** The light on solid marks of a colour that are so high, for one colour of shade. */
  #lights = /** @type {CanvasGradient[]} */ ([]);
  #lit = new Float32Array(4 * MOST_LIGHTS);
  #shade = /** @type {RGB | null} */ (null);
  /** The dashes of the mark that is being drawn, and the gaps between them. */
  #dash = [0, 0];

  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.#context = context;
  }

  /**
   * @param {Layout} layout
   * @param {Float32Array} marks
   * @param {RGB} shade
   * @returns {number} draw calls, of which a plain canvas has none
   */
  draw(layout, marks, shade) {
    const context = this.#context;
    const { left, top, pixelsPerPoint: scale } = layout;
    for (let at = 0; at < marks.length; at += MARK_FLOATS) {
      const x = marks[at];
      const y = marks[at + 1];
      const cosine = marks[at + 2];
      const sine = marks[at + 3];
      const style = marks[at + 7];
      for (let part = 0; part < 3; part += 1) this.#paint[part] = marks[at + 8 + part];
      context.save();
      context.setTransform(
        cosine * scale, sine * scale, -sine * scale, cosine * scale, left + x * scale, top + y * scale,
      );
      // The last number is the opacity; of a cracked mark it is how broken it is.
      context.globalAlpha = style === STYLE.cracked ? 1 : marks[at + 11];
      if (style === STYLE.cracked) this.#cracked(layout, marks, at, shade);
      else if (style === STYLE.solid) this.#solid(layout, marks, at, shade);
      else if (style === STYLE.halo) this.#halo(layout, marks, at);
      else this.#dashes(marks, at);
      context.restore();
    }
    return 0;
  }

  /**
   * Lit from above like the rim.
   * @param {Layout} layout
   * @param {Float32Array} marks
   * @param {number} at
   * @param {RGB} shade
   */
  #solid({ gravity, pixelsPerPoint }, marks, at, shade) {
    const context = this.#context;
    context.fillStyle = this.#lightOn(marks, at, shade);
    context.shadowColor = css(shade, 0.34);
    context.shadowBlur = 8 * pixelsPerPoint;
    context.shadowOffsetX = gravity.x * 3 * pixelsPerPoint;
    context.shadowOffsetY = (1.5 + gravity.y * 3) * pixelsPerPoint;
    this.#path(marks, at, 0);
    context.fill();
  }

  /** @param {Float32Array} marks
   * @param {number} at
   * @param {RGB} shade */
  #lightOn(marks, at, shade) {
    if (shade !== this.#shade) this.#lights.length = 0;
    this.#shade = shade;
    const down = marks[at + 5];
    const lit = this.#lit;
    for (let index = 0; index < this.#lights.length; index += 1) {
      const known = 4 * index;
      let isSame = lit[known] === down;
      for (let part = 0; part < 3; part += 1) isSame &&= lit[known + 1 + part] === marks[at + 8 + part];
      if (isSame) return this.#lights[index];
    }
    if (this.#lights.length === MOST_LIGHTS) this.#lights.length = 0;
    const made = 4 * this.#lights.length;
    lit[made] = down;
    for (let part = 0; part < 3; part += 1) lit[made + 1 + part] = marks[at + 8 + part];
    const light = this.#context.createLinearGradient(0, -down, 0, down);
    light.addColorStop(0, css(mix(this.#paint, WHITE, 0.34)));
    light.addColorStop(0.5, css(mix(this.#paint, WHITE, 0.12)));
    light.addColorStop(1, css(mix(this.#paint, shade, 0.2)));
    this.#lights.push(light);
    return light;
  }

  /**
   * Solid, with jagged lines through it that come one after the other.
   * @param {Layout} layout
   * @param {Float32Array} marks
   * @param {number} at
   * @param {RGB} shade
   */
  #cracked(layout, marks, at, shade) {
    this.#solid(layout, marks, at, shade);
    const context = this.#context;
    const across = marks[at + 4];
    const down = marks[at + 5];
    const broken = marks[at + 11];
    const count = Math.max(1, Math.floor((2 * across) / BETWEEN_CRACKS));
    context.shadowColor = "transparent";
    context.strokeStyle = css(shade, 0.72);
    context.lineWidth = 1 + 1.8 * broken;
    context.beginPath();
    for (let line = 0; line < Math.ceil(count * broken); line++) {
      // First every other one from the left, then those between, so that no neighbours come together.
      const place = line < count / 2 ? 2 * line : 2 * (count - 1 - line) + 1;
      const x = -across + (place + 0.5) * ((2 * across) / count);
      context.moveTo(x - 2, -down);
      context.lineTo(x + 2.5, -down / 3);
      context.lineTo(x - 2, down / 3);
      context.lineTo(x + 1.5, down);
    }
    context.stroke();
  }

  /**
   * A band in the holder's colour with a white hem on both sides, and a glow.
   * @param {Layout} layout
   * @param {Float32Array} marks
   * @param {number} at
   */
  #halo({ pixelsPerPoint }, marks, at) {
    const context = this.#context;
    const wide = Math.min(4, Math.max(2.4, Math.min(marks[at + 4], marks[at + 5]) * 0.13));
    this.#path(marks, at, wide);
    context.shadowColor = css(this.#paint, 0.8);
    context.shadowBlur = 10 * pixelsPerPoint;
    context.lineWidth = 2 * wide;
    context.strokeStyle = "#fff";
    context.stroke();
    context.shadowColor = "transparent";
    context.lineWidth = 1.4 * wide;
    context.strokeStyle = css(this.#paint);
    context.stroke();
  }

  /** @param {Float32Array} marks
   * @param {number} at */
  #dashes(marks, at) {
    const context = this.#context;
    this.#path(marks, at, 4);
    const width = marks[at + 4] + 4;
    const height = marks[at + 5] + 4;
    const radius = marks[at + 6] + 4;
    const around = 4 * (width + height) - (8 - 2 * Math.PI) * radius;
    this.#dash[0] = (around / DASHES) * 0.62;
    this.#dash[1] = (around / DASHES) * 0.38;
    context.setLineDash(this.#dash);
    context.lineWidth = 2.6;
    context.strokeStyle = css(this.#paint);
    context.stroke();
  }

  /** Around a mark, at a distance from it.
   * @param {Float32Array} marks
   * @param {number} at
   * @param {number} away */
  #path(marks, at, away) {
    const across = marks[at + 4] + away;
    const down = marks[at + 5] + away;
    this.#context.beginPath();
    roundedBox(this.#context, -across, -down, 2 * across, 2 * down, marks[at + 6] + away);
  }
}
