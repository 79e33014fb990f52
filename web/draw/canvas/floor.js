// @ts-check
import { lengthOf } from "../../core/vector.js";
import { rgb } from "../colour.js";
import { css, layer, mix, roundedBox, shadowOnly } from "./path.js";

/** @typedef {import("../renderer.js").Layout} Layout */
/** @typedef {import("../surface.js").FloorColours} FloorColours */

/** The world's corners, points. */
const CORNER = 5;
/** Bands of which the rim's tube is made. */
const BANDS = 10;
/** Dots across the world. */
const DOTS = 15;

/** The pit itself, as `gl/floor.js` has it: floor, dots that show everybody's tilt, rim and its
 * shadow. What only changes with the canvas is drawn once. */
export class CanvasFloor {
  #context;
  /** The sizes and colours for which the layers were made. */
  #sizes = new Float64Array(7);
  #rimColour = "";
  #shadeColour = "";
  /** How the floor is lit, for the gravity, the size of the world and the colours for which that was found. */
  #slope = /** @type {string | CanvasGradient} */ ("");
  #leant = new Float64Array(4).fill(NaN);
  #slopeColours = /** @type {FloorColours | null} */ (null);
  /** @type {HTMLCanvasElement | null} */ #rim = null;
  /** Where there are no walls the floor fades away towards its edges.
   * @type {HTMLCanvasElement | null} */
  #fade = null;

  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.#context = context;
  }

  /** @param {Layout} layout
   * @param {FloorColours} colours
   * @returns {number} draw calls, of which a plain canvas has none */
  draw(layout, colours) {
    const context = this.#context;
    this.#prepare(layout, colours);
    place(context, layout);
    const isOpen = layout.openness > 0.5;
    context.save();
    context.beginPath();
    const over = isOpen ? 8 : 0;
    roundedBox(context, -over, -over, layout.worldWidth + 2 * over, layout.worldHeight + 2 * over, CORNER);
    context.fillStyle = this.#slopeOf(layout, colours);
    context.fill();
    context.clip();
    strokeDots(context, layout, colours.needle);
    context.restore();
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (isOpen && this.#fade) {
      context.globalCompositeOperation = "destination-in";
      context.drawImage(this.#fade, 0, 0);
      context.globalCompositeOperation = "source-over";
    }
    if (layout.openness < 1 && this.#rim) {
      context.globalAlpha = 1 - layout.openness;
      context.drawImage(this.#rim, 0, 0);
      context.globalAlpha = 1;
    }
    return 0;
  }

  /** @param {Layout} layout
   * @param {FloorColours} colours */
  #prepare(layout, colours) {
    const { canvasWidth, canvasHeight, left, top, pixelsPerPoint, worldWidth, worldHeight } = layout;
    const sizes = this.#sizes;
    const isSameCanvas = sizes[0] === canvasWidth && sizes[1] === canvasHeight;
    const isSamePlace = sizes[2] === left && sizes[3] === top && sizes[4] === pixelsPerPoint;
    const isSameWorld = sizes[5] === worldWidth && sizes[6] === worldHeight;
    const isSameColour = this.#rimColour === colours.rim && this.#shadeColour === colours.shade;
    if (isSameCanvas && isSamePlace && isSameWorld && isSameColour) return;
    sizes.set([canvasWidth, canvasHeight, left, top, pixelsPerPoint, worldWidth, worldHeight]);
    this.#rimColour = colours.rim;
    this.#shadeColour = colours.shade;
    this.#rim = rimLayer(layout, colours);
    this.#fade = fadeLayer(layout);
  }

  /** @param {Layout} layout
   * @param {FloorColours} colours */
  #slopeOf(layout, colours) {
    const { gravity, worldWidth, worldHeight } = layout;
    const leant = this.#leant;
    const isSameGravity = leant[0] === gravity.x && leant[1] === gravity.y;
    const isSameWorld = leant[2] === worldWidth && leant[3] === worldHeight;
    if (isSameGravity && isSameWorld && this.#slopeColours === colours) return this.#slope;
    leant[0] = gravity.x;
    leant[1] = gravity.y;
    leant[2] = worldWidth;
    leant[3] = worldHeight;
    this.#slopeColours = colours;
    return (this.#slope = slope(this.#context, layout, colours));
  }
}

/** From here on lengths are points of the world.
 * @param {CanvasRenderingContext2D} context
 * @param {Layout} layout */
export function place(context, { pixelsPerPoint, left, top }) {
  context.setTransform(pixelsPerPoint, 0, 0, pixelsPerPoint, left, top);
}

/**
 * The floor leans: it is lighter where it has been lifted, darker where things roll to.
 * @param {CanvasRenderingContext2D} context
 * @param {Layout} layout
 * @param {FloorColours} colours
 */
function slope(context, { gravity, worldWidth, worldHeight }, colours) {
  const x = worldWidth / 2;
  const y = worldHeight / 2;
  const across = gravity.x / x;
  const down = gravity.y / y;
  const steepness = across * across + down * down;
  // 0.42 of the glow in the middle, all of it 1.38 against the slope and none of it 1 along it.
  if (steepness * x * y < 0.0004) return css(mix(rgb(colours.floor), rgb(colours.glow), 0.42));
  const dx = across / steepness;
  const dy = down / steepness;
  const light = context.createLinearGradient(x - 1.38 * dx, y - 1.38 * dy, x + dx, y + dy);
  light.addColorStop(0, colours.glow);
  light.addColorStop(1, colours.floor);
  return light;
}

/**
 * A field of dots, drawn out along everybody's tilt by how far that is from rest.
 * @param {CanvasRenderingContext2D} context
 * @param {Layout} layout
 * @param {string} colour
 */
function strokeDots(context, { gravity, worldWidth, worldHeight }, colour) {
  const cell = worldWidth / DOTS;
  const strength = Math.min(1, lengthOf(gravity.x, gravity.y));
  const length = Math.max(lengthOf(gravity.x, gravity.y), 0.001);
  const reach = strength * Math.min(1, lengthOf(gravity.x, gravity.y - 1)) * cell * 0.26;
  // A line without length would have no round ends.
  const dx = (gravity.x / length) * reach;
  const dy = (gravity.y / length) * reach + 0.01;
  context.beginPath();
  for (let y = cell / 2; y < worldHeight; y += cell) {
    for (let x = cell / 2; x < worldWidth; x += cell) {
      context.moveTo(x - dx, y - dy);
      context.lineTo(x + dx, y + dy);
    }
  }
  context.lineCap = "round";
  context.lineWidth = cell * 0.1;
  context.globalAlpha = 0.45;
  context.strokeStyle = colour;
  context.stroke();
}

/**
 * A rounded tube, lit from above, that throws a shadow into the pit and around it.
 * @param {Layout} layout
 * @param {FloorColours} colours
 */
function rimLayer(layout, colours) {
  const { worldWidth: width, worldHeight: height, pixelsPerPoint: scale } = layout;
  const [canvas, context] = layer(layout.canvasWidth, layout.canvasHeight);
  place(context, layout);
  const rim = layout.rimPoints;
  const shade = rgb(colours.shade);
  const box = (/** @type {number} */ out) =>
    roundedBox(context, -out, -out, width + 2 * out, height + 2 * out, CORNER + out);
  const below = { x: 0, y: (rim * scale) / 2 };
  shadowOnly(context, css(shade, 0.3), rim * scale * 2, below, () => box(rim));
  for (let band = BANDS - 1; band >= 0; band -= 1) {
    const across = (band + 0.5) / BANDS;
    const tube = Math.sin(across * Math.PI);
    const dark = 0.25 * Math.max(0, (across - 0.75) * 4);
    const lit = (/** @type {number} */ sky) =>
      css(mix(mix(rgb(colours.rim), rgb(colours.rimLight), tube * sky), shade, dark));
    const light = context.createLinearGradient(0, -rim, 0, height + rim);
    light.addColorStop(0, lit(0.85));
    light.addColorStop(1, lit(0.45));
    context.beginPath();
    box((rim * (band + 1)) / BANDS);
    context.fillStyle = light;
    context.fill();
  }
  context.globalCompositeOperation = "destination-out";
  context.beginPath();
  box(0);
  context.fill();
  context.globalCompositeOperation = "source-over";
  // What is around the pit throws its shadow inwards.
  context.beginPath();
  box(0);
  context.clip();
  const around = () => {
    context.rect(-width, -height, 3 * width, 3 * height);
    box(0);
  };
  shadowOnly(context, css(shade, 0.5), 20 * scale, { x: 0, y: 8 * scale }, around, "evenodd");
  shadowOnly(context, css(shade, 0.3), 4 * scale, { x: 0, y: 0 }, around, "evenodd");
  return canvas;
}

/** @param {Layout} layout */
function fadeLayer(layout) {
  const { worldWidth: width, worldHeight: height, pixelsPerPoint: scale } = layout;
  const [canvas, context] = layer(layout.canvasWidth, layout.canvasHeight);
  place(context, layout);
  // Nothing is left 8 pt outside, and nothing missing 46 pt inside.
  const path = () => roundedBox(context, 19, 19, width - 38, height - 38, 50);
  shadowOnly(context, "#000", 27 * scale, { x: 0, y: 0 }, path);
  return canvas;
}
