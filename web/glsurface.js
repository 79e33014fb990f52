// @ts-check
import { Floor } from "./floor.js";
import { Marks } from "./marks.js";
import { Stickers } from "./stickers.js";

/** @typedef {import("./renderer.js").Scene} Scene */
/** @typedef {import("./renderer.js").Picture} Picture */
/** @typedef {import("./sheet.js").Sheet} Sheet */
/** @typedef {[number, number, number]} RGB 0…1 each */

/**
 * What a picture is drawn on: WebGL as a rule, and a plain canvas (`canvassurface.js`) where there is
 * none.
 * @template Texture
 * @typedef {object} Surface
 * @property {boolean} isLost whether nothing can be drawn now
 * @property {() => Painters<Texture>} makePainters anew after it was lost
 * @property {(sheet: Sheet, size: number) => Texture} prepare a scene's pictures, each that many
 *   pixels wide
 * @property {(texture: Texture) => void} forget
 * @property {(width: number, height: number) => void} begin a picture of that many pixels
 * @property {() => void} blend from now on what is drawn lies over what is there
 */

/**
 * @template Texture
 * @typedef {object} Painters
 * @property {{ draw(scene: Scene, colours: import("./floor.js").FloorColours): void }} floor
 * @property {{ draw(scene: Scene, instances: Float32Array, forms: Float32Array, texture: Texture,
 *   shade: RGB, style: StickerStyle): void }} stickers
 * @property {{ draw(scene: Scene, marks: Float32Array, shade: RGB): number }} marks tells how many
 *   draw calls it took
 */

/**
 * Whether new stickers may spring up (otherwise they fade in), how many pictures there are by slot,
 * how much is seen of stickers, 0…1, and how many pictures are cut out as they are drawn.
 * @typedef {{ popIn: boolean, variants: number, opacity: number, cuts: number }} StickerStyle
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

  /** @param {Sheet} sheet @param {number} size */
  prepare(sheet, size) {
    return sheet.upload(this.#gl, size);
  }

  /** @param {WebGLTexture} texture */
  forget(texture) {
    this.#gl.deleteTexture(texture);
  }

  /** @param {number} width @param {number} height */
  begin(width, height) {
    this.#gl.viewport(0, 0, width, height);
    this.#gl.disable(this.#gl.BLEND);
  }

  blend() {
    const gl = this.#gl;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }
}

/** What can be drawn on here; only browsers without WebGL 2 load the other one.
 * @param {HTMLCanvasElement} canvas */
export async function surfaceOf(canvas) {
  const surface = GLSurface.of(canvas);
  if (surface) return surface;
  const { CanvasSurface } = await import("./canvas/surface.js");
  return new CanvasSurface(canvas);
}
