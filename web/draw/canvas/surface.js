// @ts-check
import { CanvasFloor } from "./floor.js";
import { CanvasMarks } from "./marks.js";
import { contextOf } from "./path.js";
import { CanvasStickers, Sprites } from "./stickers.js";

/** @typedef {import("../sheet.js").Sheet} Sheet */
/**
 * @template Texture
 * @typedef {import("../surface.js").Surface<Texture>} Surface
 */

/**
 * A plain canvas, for browsers without WebGL 2: the same picture with simpler light. Only they load
 * it.
 * @implements {Surface<Sprites>}
 */
export class CanvasSurface {
  isLost = false;
  #context;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#context = contextOf(canvas);
  }

  makePainters() {
    const context = this.#context;
    return {
      floor: new CanvasFloor(context),
      stickers: new CanvasStickers(context),
      marks: new CanvasMarks(context),
    };
  }

  /** @param {Sheet} sheet
   * @param {number} size */
  prepare(sheet, size) {
    return new Sprites(sheet, size);
  }

  forget() {}

  /** @param {number} width
   * @param {number} height */
  begin(width, height) {
    this.#context.setTransform(1, 0, 0, 1, 0, 0);
    this.#context.clearRect(0, 0, width, height);
  }

  blend() {}
}
