// @ts-check
import { Remembered } from "../core/keptfloats.js";
import { importLater, untilDone } from "../core/later.js";
import { UPRIGHT, glide } from "../core/vector.js";
import { INSTANCE_AGE, INSTANCE_FLOATS } from "../core/wire.js";
import { rgb } from "./colour.js";
import { Letterbox } from "./letterbox.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/vector.js").Vector} Vector */

/**
 * Where the pit lies on the canvas and how it leans, as all painters need it; in device pixels
 * unless said otherwise.
 * @typedef {object} Layout
 * @property {number} canvasWidth
 * @property {number} canvasHeight
 * @property {number} left
 * @property {number} top
 * @property {number} pixelsPerPoint
 * @property {number} rimPoints how wide the rim is, points
 * @property {number} worldWidth points
 * @property {number} worldHeight points
 * @property {Vector} gravity
 * @property {number} openness 1 without walls
 */

/**
 * What there is to see.
 * @typedef {object} Picture
 * @property {Float32Array} instances the stickers
 * @property {Float32Array} forms theirs (`forms.js`), empty while all lie flat
 * @property {Float32Array} below marks under them
 * @property {Float32Array} above
 * @property {boolean} isOpen whether there are no walls
 * @property {number} shake how far to the right all of it is shifted, points
 */

/** Younger stickers still pop up, seconds. */
const YOUTH = 0.3;
/** Milliseconds in which the walls come and go to 63 %. */
const OPENING = 60;
/** More device pixels a CSS pixel cost battery, and nobody sees them. */
const MOST_PIXELS_PER_CSS = 3;

const motionQuery = matchMedia("(prefers-reduced-motion: reduce)");
const darkQuery = matchMedia("(prefers-color-scheme: dark)");

/** Only the surface knows what it makes of a sheet.
 * @typedef {import("./surface.js").Surface<any>} Surface */

/** Draws the pit, as sharp as the screen is. */
export class Renderer {
  letterbox = new Letterbox();
  /** Draw calls of the last picture, for the debug panel. */
  drawCalls = 0;

  canvas;
  #surface;
  /** @type {import("./surface.js").Painters<any> | null} */ #painters = null;
  /** The sheet as the surface draws it.
   * @type {any} */
  #texture = null;
  #layerSize = 0;
  #pixelRatio = 1;
  /** Fetched when something was drawn.
   * @type {import("./governor.js").Governor | null} */
  #governor = null;
  #wantsGovernor = true;
  /** What was drawn last: how many numbers of instances, and gravity. */
  #drawn = new Float32Array(0);
  #drawnLength = 0;
  #drawnGravity = { x: 0, y: 0 };
  #drawnBelow = new Remembered();
  #drawnAbove = new Remembered();
  #drawnForms = new Remembered();
  #drawnShake = 0;
  /** The rim's width in CSS pixels. */ #rim = 0;
  #openness = 0;
  #lastNow = 0;
  #isStale = true;
  /** Whether the canvas's pixels are to be fitted to its size. */ #isMisfit = true;
  /** Whether something was drawn since the last animation frame. */ #hasDrawn = false;
  /** What is shown, to be drawn again when the canvas gets another size. Like all that each picture
   * needs it is kept from one to the next. */
  #shown = /** @type {{ picture: Picture | null, gravity: Vector }} */ ({ picture: null, gravity: UPRIGHT });
  /** @type {Layout} */ #layout = {
    canvasWidth: 0, canvasHeight: 0, left: 0, top: 0, pixelsPerPoint: 1, rimPoints: 0,
    worldWidth: 0, worldHeight: 0, gravity: UPRIGHT, openness: 0,
  };
  #style = { popIn: true, variants: 0, cuts: 0 };
  #colours;

  /** Before the first world there is nothing to draw, not even a floor. */
  #sheet = /** @type {Sheet | null | undefined} */ (undefined);

  /** @param {HTMLCanvasElement} canvas
   * @param {Surface} surface of that canvas */
  constructor(canvas, surface) {
    this.canvas = canvas;
    this.#surface = surface;
    this.#colours = readColours(canvas);
    this.#build();
    this.#watch();
  }

  /** Tells the size of the world.
   * @param {number} width points
   * @param {number} height */
  setWorld(width, height) {
    if (!(width > 0 && height > 0)) return;
    this.letterbox.worldWidth = width;
    this.letterbox.worldHeight = height;
    document.documentElement.style.setProperty("--world-aspect", String(width / height));
    document.documentElement.toggleAttribute("data-wide-world", width > height);
    this.resize();
  }

  /** Tells the scene's pictures; without them no sticker is drawn.
   * @param {Sheet | null} sheet */
  setSheet(sheet) {
    this.#sheet = sheet;
    this.#forgetTexture();
    this.resize();
  }

  /** The pit's colours now, light or dark. */
  get colours() {
    return this.#colours;
  }

  /** To be called when the canvas has another size on the screen, or is to be drawn more or less
   * sharply. Its pixels change with the next drawing, because that leaves a canvas empty. */
  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    this.#rim = Math.min(14, Math.max(6, Math.min(clientWidth, clientHeight) * 0.016));
    this.letterbox.fit(clientWidth, clientHeight, this.#rim * 2);
    this.#isMisfit = true;
  }

  /** In each animation frame: is the device as fast as its screen?
   * @param {import("./display.js").Display} display */
  pace(display) {
    if (!this.#hasDrawn) return;
    this.#hasDrawn = false;
    if (this.#wantsGovernor) untilDone(() => this.#loadGovernor());
    this.#wantsGovernor = false;
    const { elapsed, period } = display;
    if (elapsed > 0 && this.#governor?.frame(elapsed, period)) this.resize();
  }

  async #loadGovernor() {
    /** @type {typeof import("./governor.js")} */
    const { Governor } = await importLater("./governor.js", import.meta.url);
    this.#governor = new Governor();
  }

  #fit() {
    this.#isMisfit = false;
    const { clientWidth, clientHeight } = this.canvas;
    const sharpest = Math.min(devicePixelRatio || 1, MOST_PIXELS_PER_CSS);
    this.#pixelRatio = Math.max(Math.min(1, sharpest), sharpest * (this.#governor?.share ?? 1));
    this.#isStale = true;
    const width = Math.max(1, Math.round(clientWidth * this.#pixelRatio));
    const height = Math.max(1, Math.round(clientHeight * this.#pixelRatio));
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    this.#prepareTexture();
  }

  /**
   * Draws, unless the picture on the screen is the same: a pit at rest costs no battery.
   * @param {Picture} picture
   * @param {Vector} gravity
   * @param {number} now ms
   */
  draw(picture, gravity, now) {
    const surface = this.#surface;
    if (!this.#painters || this.#sheet === undefined || surface.isLost) return;
    this.#shown.picture = picture;
    this.#shown.gravity = gravity;
    if (this.#isMisfit) this.#fit();
    this.#openWalls(picture.isOpen, now);
    this.#compareMarks(picture);
    const { instances, forms, below, above } = picture;
    if (!this.#differs(instances, gravity)) return;
    const layout = this.#lay(gravity, picture.shake);
    surface.begin(layout.canvasWidth, layout.canvasHeight);
    this.drawCalls = this.#painters.floor.draw(layout, this.#colours);
    surface.blend();
    const shade = rgb(this.#colours.shade);
    const { stickers, marks } = this.#painters;
    this.drawCalls += marks.draw(layout, below, shade);
    if (this.#texture) {
      const style = this.#style;
      style.popIn = !motionQuery.matches;
      style.variants = this.#sheet?.bySlot ? this.#sheet.pictures.length : 0;
      style.cuts = this.#sheet?.isCut ? this.#sheet.pictures.length : 0;
      stickers.draw(layout, instances, forms, this.#texture, shade, style);
      if (instances.length > 0) this.drawCalls += 1;
    }
    this.drawCalls += marks.draw(layout, above, shade);
    this.#isStale = false;
    this.#hasDrawn = true;
  }

  /** @param {boolean} isOpen
   * @param {number} now */
  #openWalls(isOpen, now) {
    const last = this.#lastNow;
    this.#lastNow = now;
    const target = isOpen ? 1 : 0;
    if (this.#openness === target) return;
    const elapsed = Math.min(100, now - last);
    const share = motionQuery.matches ? 1 : glide(elapsed, OPENING);
    this.#openness += (target - this.#openness) * share;
    if (Math.abs(target - this.#openness) < 0.01) this.#openness = target;
    this.#isStale = true;
  }

  /** @param {Picture} picture */
  #compareMarks({ below, above, forms, shake }) {
    if (this.#drawnBelow.replacedBy(below)) this.#isStale = true;
    if (this.#drawnAbove.replacedBy(above)) this.#isStale = true;
    if (this.#drawnForms.replacedBy(forms)) this.#isStale = true;
    if (this.#drawnShake !== shake) this.#isStale = true;
    this.#drawnShake = shake;
  }

  /** Whether anything has changed since the last call.
   * @param {Float32Array} instances
   * @param {Vector} gravity */
  #differs(instances, gravity) {
    const { length } = instances;
    let differs = this.#isStale || this.#drawnLength !== length;
    if (this.#drawn.length < length) this.#drawn = new Float32Array(2 * length);
    const drawn = this.#drawn;
    for (let at = 0; at < length && !differs; at += 1) {
      const isAge = at % INSTANCE_FLOATS === INSTANCE_AGE;
      // Ages are seen only while stickers pop up, which a touched one does a second time.
      differs = isAge
        ? Math.min(drawn[at], instances[at]) < YOUTH
        : drawn[at] !== instances[at];
    }
    const leant = this.#drawnGravity;
    differs ||= leant.x !== gravity.x || leant.y !== gravity.y;
    if (!differs) return false;
    drawn.set(instances);
    this.#drawnLength = length;
    leant.x = gravity.x;
    leant.y = gravity.y;
    return true;
  }

  /** @param {Vector} gravity
   * @param {number} shake points
   * @returns {Layout} */
  #lay(gravity, shake) {
    const { left, top, scale, worldWidth, worldHeight } = this.letterbox;
    const ratio = this.#pixelRatio;
    const layout = this.#layout;
    layout.canvasWidth = this.canvas.width;
    layout.canvasHeight = this.canvas.height;
    layout.left = (left + shake * scale) * ratio;
    layout.top = top * ratio;
    layout.pixelsPerPoint = scale * ratio;
    layout.rimPoints = this.#rim / scale;
    layout.worldWidth = worldWidth;
    layout.worldHeight = worldHeight;
    layout.gravity = gravity;
    layout.openness = this.#openness;
    return layout;
  }

  #build() {
    this.#painters = this.#surface.makePainters();
    this.#texture = null;
    this.#layerSize = 0;
    this.resize();
  }

  #forgetTexture() {
    if (this.#texture) this.#surface.forget(this.#texture);
    this.#texture = null;
    this.#layerSize = 0;
  }

  /** Makes the sheet anew when the stickers are now larger on the screen than it is sharp for. */
  #prepareTexture() {
    if (!this.#sheet) return;
    const size = Sheet.layerSize(this.#sheet.size * this.letterbox.scale * this.#pixelRatio);
    if (size <= this.#layerSize || this.#surface.isLost) return;
    if (this.#texture) this.#surface.forget(this.#texture);
    this.#texture = this.#surface.prepare(this.#sheet, size);
    this.#layerSize = size;
  }

  #watch() {
    new ResizeObserver(() => {
      this.resize();
      // The browser shows this frame next, and an empty canvas in it without a drawing.
      if (this.#shown.picture) this.draw(this.#shown.picture, this.#shown.gravity, this.#lastNow);
    }).observe(this.canvas);
    // The ratio changes without a new size when a window moves to another screen.
    addEventListener("resize", () => this.resize());
    darkQuery.addEventListener("change", () => {
      this.#colours = readColours(this.canvas);
      this.#isStale = true;
    });
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // otherwise the browser never gives it back
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
