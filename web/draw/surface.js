// @ts-check
import { GLSurface } from "./gl/surface.js";

/** @typedef {import("./colour.js").RGB} RGB */
/** @typedef {import("./renderer.js").Layout} Layout */
/** @typedef {import("./sheet.js").Sheet} Sheet */

/**
 * What a picture is drawn on: WebGL as a rule, and a plain canvas (`canvas/surface.js`) where there is
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
 * @property {{ draw(layout: Layout, colours: FloorColours): number }} floor tells how many draw calls it took
 * @property {{ draw(layout: Layout, instances: Float32Array, forms: Float32Array, texture: Texture,
 *   shade: RGB, style: StickerStyle): void }} stickers
 * @property {{ draw(layout: Layout, marks: Float32Array, shade: RGB): number }} marks tells the same
 */

/** Each as `#rrggbb`.
 * @typedef {{ floor: string, glow: string, needle: string, rim: string, rimLight: string, shade:
 *   string }} FloorColours
 */

/**
 * Whether new stickers may spring up (otherwise they fade in), how many pictures there are by slot, and
 * how many pictures are cut out as they are drawn.
 * @typedef {{ popIn: boolean, variants: number, cuts: number }} StickerStyle
 */

/** What can be drawn on here; only browsers without WebGL 2 load the other one.
 * @param {HTMLCanvasElement} canvas */
export async function surfaceOf(canvas) {
  const surface = GLSurface.of(canvas);
  if (surface) return surface;
  const { CanvasSurface } = await import("./canvas/surface.js");
  return new CanvasSurface(canvas);
}
