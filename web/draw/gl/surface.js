// @ts-check
import { Floor } from "./floor.js";
import { Marks } from "./marks.js";
import { Stickers } from "./stickers.js";

/** @typedef {import("../sheet.js").Sheet} Sheet */
/**
 * @template Texture
 * @typedef {import("../surface.js").Surface<Texture>} Surface
 */

/**
 * WebGL 2, as sharp as the screen is.
 * @implements {Surface<WebGLTexture>}
 */
export class GLSurface {
  #gl;

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.#gl = gl;
  }

  /** Null where there is no WebGL 2; the canvas can then be drawn on otherwise.
   * @param {HTMLCanvasElement} canvas */
  static of(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: true, depth: false });
    return gl && new GLSurface(gl);
  }

  get isLost() {
    return this.#gl.isContextLost();
  }

  makePainters() {
    const gl = this.#gl;
    return { floor: new Floor(gl), stickers: new Stickers(gl), marks: new Marks(gl) };
  }

  /** @param {Sheet} sheet
   * @param {number} size */
  prepare(sheet, size) {
    return sheet.upload(this.#gl, size);
  }

  /** @param {WebGLTexture} texture */
  forget(texture) {
    this.#gl.deleteTexture(texture);
  }

  /** @param {number} width
   * @param {number} height */
  begin(width, height) {
    this.#gl.viewport(0, 0, width, height);
    // Around the rim nothing is drawn.
    this.#gl.clear(this.#gl.COLOR_BUFFER_BIT);
    this.#gl.disable(this.#gl.BLEND);
  }

  blend() {
    const gl = this.#gl;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }
}
