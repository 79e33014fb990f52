// @ts-check
import { MARK_FLOATS, STYLE } from "../marklist.js";
import { css, mix, roundedBox } from "./path.js";

/** @typedef {import("../renderer.js").Layout} Layout */
/** @typedef {import("../colour.js").RGB} RGB */

/** @type {RGB} */ const WHITE = [1, 1, 1];
const DASHES = 24;
/** Points, as `gl/marks.js` has them. */
const BETWEEN_CRACKS = 15;

/** Ledges, rods, and halos around held stickers, nearly as `gl/marks.js` draws them. */
export class CanvasMarks {
  #context;
  /** The colour of the mark that is being drawn, kept from one to the next.
   * @type {RGB} */
  #paint = [0, 0, 0];

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
      // As `MarkList.add` has written them; a view of each mark would be an object more a mark.
      const x = marks[at];
      const y = marks[at + 1];
      const cosine = marks[at + 2];
      const sine = marks[at + 3];
      const across = marks[at + 4];
      const down = marks[at + 5];
      const corner = marks[at + 6];
      const style = marks[at + 7];
      const opacity = marks[at + 11];
      const paint = this.#paint;
      for (let part = 0; part < 3; part += 1) paint[part] = marks[at + 8 + part];
      context.save();
      context.setTransform(
        cosine * scale, sine * scale, -sine * scale, cosine * scale, left + x * scale, top + y * scale,
      );
      // The last number is the opacity; of a cracked mark it is how broken it is.
      context.globalAlpha = style === STYLE.cracked ? 1 : opacity;
      if (style === STYLE.cracked) this.#cracked(layout, across, down, corner, paint, shade, opacity);
      else if (style === STYLE.solid) this.#solid(layout, across, down, corner, paint, shade);
      else if (style === STYLE.halo) this.#halo(layout, across, down, corner, paint);
      else this.#dashes(across, down, corner, paint);
      context.restore();
    }
    return 0;
  }

  /**
   * Lit from above like the rim.
   * @param {Layout} layout
   * @param {number} across half of its width
   * @param {number} down
   * @param {number} corner
   * @param {RGB} paint
   * @param {RGB} shade
   */
  #solid({ gravity, pixelsPerPoint }, across, down, corner, paint, shade) {
    const context = this.#context;
    const light = context.createLinearGradient(0, -down, 0, down);
    light.addColorStop(0, css(mix(paint, WHITE, 0.34)));
    light.addColorStop(0.5, css(mix(paint, WHITE, 0.12)));
    light.addColorStop(1, css(mix(paint, shade, 0.2)));
    context.fillStyle = light;
    context.shadowColor = css(shade, 0.34);
    context.shadowBlur = 8 * pixelsPerPoint;
    context.shadowOffsetX = gravity.x * 3 * pixelsPerPoint;
    context.shadowOffsetY = (1.5 + gravity.y * 3) * pixelsPerPoint;
    context.beginPath();
    roundedBox(context, -across, -down, 2 * across, 2 * down, corner);
    context.fill();
  }

  /**
   * Solid, with jagged lines through it that come one after the other.
   * @param {Layout} layout
   * @param {number} across
   * @param {number} down
   * @param {number} corner
   * @param {RGB} paint
   * @param {RGB} shade
   * @param {number} broken 0…1
   */
  #cracked(layout, across, down, corner, paint, shade, broken) {
    this.#solid(layout, across, down, corner, paint, shade);
    const context = this.#context;
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
   * @param {number} across
   * @param {number} down
   * @param {number} corner
   * @param {RGB} paint
   */
  #halo({ pixelsPerPoint }, across, down, corner, paint) {
    const context = this.#context;
    const wide = Math.min(4, Math.max(2.4, Math.min(across, down) * 0.13));
    this.#path(across + wide, down + wide, corner + wide);
    context.shadowColor = css(paint, 0.8);
    context.shadowBlur = 10 * pixelsPerPoint;
    context.lineWidth = 2 * wide;
    context.strokeStyle = "#fff";
    context.stroke();
    context.shadowColor = "transparent";
    context.lineWidth = 1.4 * wide;
    context.strokeStyle = css(paint);
    context.stroke();
  }

  /** @param {number} across
   * @param {number} down
   * @param {number} corner
   * @param {RGB} paint */
  #dashes(across, down, corner, paint) {
    const context = this.#context;
    const [width, height, radius] = [across + 4, down + 4, corner + 4];
    this.#path(width, height, radius);
    const around = 4 * (width + height) - (8 - 2 * Math.PI) * radius;
    context.setLineDash([(around / DASHES) * 0.62, (around / DASHES) * 0.38]);
    context.lineWidth = 2.6;
    context.strokeStyle = css(paint);
    context.stroke();
  }

  /** @param {number} across
   * @param {number} down
   * @param {number} corner */
  #path(across, down, corner) {
    this.#context.beginPath();
    roundedBox(this.#context, -across, -down, 2 * across, 2 * down, corner);
  }
}
