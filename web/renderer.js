// @ts-check
import { Floor } from "./floor.js";
import { rgb } from "./gl.js";
import { Governor } from "./governor.js";
import { Letterbox } from "./letterbox.js";
import { INSTANCE_AGE, INSTANCE_FLOATS } from "./module.js";
import { Sheet, STICKER_SIZE } from "./sheet.js";
import { Stickers } from "./stickers.js";

/**
 * What both painters need to know, in device pixels unless said otherwise.
 * @typedef {object} Scene
 * @property {number} canvasWidth
 * @property {number} canvasHeight
 * @property {number} left
 * @property {number} top
 * @property {number} pixelsPerPoint
 * @property {number} rimPixels
 * @property {number} worldWidth points
 * @property {number} worldHeight points
 * @property {{ x: number, y: number }} gravity
 */

/** Younger stickers still pop up, seconds. */
const YOUTH = 0.3;
/** More device pixels than this cost battery and show nothing. */
const MOST_PIXELS_PER_CSS = 3;

const motionQuery = matchMedia("(prefers-reduced-motion: reduce)");
const darkQuery = matchMedia("(prefers-color-scheme: dark)");

/** Draws the pit with WebGL 2, as sharp as the screen is. */
export class Renderer {
  letterbox = new Letterbox();
  /** Draw calls of the last picture, for the debug panel. */
  drawCalls = 0;

  canvas;
  #gl;
  #sheet;
  /** @type {{ floor: Floor, stickers: Stickers } | null} */ #painters = null;
  /** @type {WebGLTexture | null} */ #texture = null;
  #layerSize = 0;
  #pixelRatio = 1;
  #governor = new Governor();
  /** What was drawn last: the instances, then gravity. */
  #drawn = new Float32Array(0);
  #isStale = true;
  #colours;

  /** @param {HTMLCanvasElement} canvas @param {Sheet} sheet */
  constructor(canvas, sheet) {
    this.canvas = canvas;
    this.#sheet = sheet;
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: true, depth: false });
    if (!gl) throw new Error("WebGL 2 is missing");
    this.#gl = gl;
    this.#colours = readColours(canvas);
    this.#build();
    this.#watch();
  }

  /** Tells the size of the world. @param {number} width points @param {number} height */
  setWorld(width, height) {
    if (!(width > 0 && height > 0)) return;
    this.letterbox.worldWidth = width;
    this.letterbox.worldHeight = height;
    document.documentElement.style.setProperty("--world-aspect", String(width / height));
    this.resize();
  }

  /** Fits the picture to the canvas's size on the screen. */
  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    const sharpest = Math.min(devicePixelRatio || 1, MOST_PIXELS_PER_CSS);
    this.#pixelRatio = Math.max(Math.min(1, sharpest), sharpest * this.#governor.share);
    this.#isStale = true;
    const width = Math.max(1, Math.round(clientWidth * this.#pixelRatio));
    const height = Math.max(1, Math.round(clientHeight * this.#pixelRatio));
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    this.letterbox.fit(clientWidth, clientHeight, this.#rim * 2);
    this.#prepareTexture();
  }

  /**
   * Draws, unless the picture on the screen is the same: a pit at rest costs no battery.
   * @param {Float32Array} instances
   * @param {{ x: number, y: number }} gravity
   * @param {number} now ms
   */
  draw(instances, gravity, now) {
    const gl = this.#gl;
    if (!this.#painters || !this.#texture || gl.isContextLost()) return;
    if (!this.#differs(instances, gravity)) return;
    if (this.#governor.frame(now)) this.resize();
    const scene = this.#scene(gravity);
    gl.viewport(0, 0, scene.canvasWidth, scene.canvasHeight);
    gl.disable(gl.BLEND);
    this.#painters.floor.draw(scene, this.#colours);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const shade = rgb(this.#colours.shade);
    this.#painters.stickers.draw(scene, instances, this.#texture, shade, !motionQuery.matches);
    this.drawCalls = instances.length > 0 ? 2 : 1;
    this.#isStale = false;
  }

  /** Whether anything has changed since the last call.
   * @param {Float32Array} instances @param {{ x: number, y: number }} gravity */
  #differs(instances, gravity) {
    const { length } = instances;
    let differs = this.#isStale || this.#drawn.length !== length + 2;
    if (differs) this.#drawn = new Float32Array(length + 2);
    const drawn = this.#drawn;
    for (let at = 0; at < length && !differs; at += 1) {
      const isAge = at % INSTANCE_FLOATS === INSTANCE_AGE;
      differs = isAge ? drawn[at] < YOUTH : drawn[at] !== instances[at];
    }
    differs ||= drawn[length] !== Math.fround(gravity.x);
    differs ||= drawn[length + 1] !== Math.fround(gravity.y);
    if (differs) drawn.set(instances);
    drawn.set([gravity.x, gravity.y], length);
    return differs;
  }

  /** The rim's width in CSS pixels. */
  get #rim() {
    const { clientWidth, clientHeight } = this.canvas;
    return Math.min(14, Math.max(6, Math.min(clientWidth, clientHeight) * 0.016));
  }

  /** @param {{ x: number, y: number }} gravity @returns {Scene} */
  #scene(gravity) {
    const { left, top, scale, worldWidth, worldHeight } = this.letterbox;
    const ratio = this.#pixelRatio;
    return {
      canvasWidth: this.canvas.width,
      canvasHeight: this.canvas.height,
      left: left * ratio,
      top: top * ratio,
      pixelsPerPoint: scale * ratio,
      rimPixels: this.#rim * ratio,
      worldWidth,
      worldHeight,
      gravity,
    };
  }

  #build() {
    const gl = this.#gl;
    this.#painters = { floor: new Floor(gl), stickers: new Stickers(gl) };
    this.#texture = null;
    this.#layerSize = 0;
    this.resize();
  }

  /** Makes the sheet anew when the stickers are now larger on the screen than it is sharp for. */
  #prepareTexture() {
    const size = Sheet.layerSize(STICKER_SIZE * this.letterbox.scale * this.#pixelRatio);
    if (size <= this.#layerSize || this.#gl.isContextLost()) return;
    this.#gl.deleteTexture(this.#texture);
    this.#texture = this.#sheet.upload(this.#gl, size);
    this.#layerSize = size;
  }

  #watch() {
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    // The ratio changes without a new size when a window moves to another screen.
    addEventListener("resize", () => this.resize());
    darkQuery.addEventListener("change", () => {
      this.#colours = readColours(this.canvas);
      this.#isStale = true;
    });
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // otherwise it never comes back
      this.#painters = null;
    });
    this.canvas.addEventListener("webglcontextrestored", () => this.#build());
  }
}

/**
 * The pit's colours stand in the style sheet, where light and dark are chosen.
 * @param {Element} element
 */
function readColours(element) {
  const style = getComputedStyle(element);
  const read = (/** @type {string} */ name) => style.getPropertyValue(`--pit-${name}`);
  return {
    floor: read("floor"),
    glow: read("glow"),
    needle: read("needle"),
    rim: read("rim"),
    rimLight: read("rim-light"),
    shade: read("shade"),
  };
}
