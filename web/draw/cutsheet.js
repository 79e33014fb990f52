// @ts-check
import { clamp } from "../core/vector.js";
import { COVERS, MOST_REACH, Sheet, loadPicture } from "./sheet.js";

/** @typedef {import("./fetchedset.js").FetchedSet} FetchedSet */

/** Pixels along an edge of a field of distances. Few are enough, because the sticker's edge itself
 * comes from its picture. */
const FIELD = 128;
/** Pixels along an edge of the picture in its middle: a field is `COVERS` times as wide, and so reaches
 * as far as the shadow beside the sticker. */
const EDGE = FIELD / COVERS;
/** A pixel with at least this opacity, of 255, is part of the sticker. */
const OPAQUE = 128;

/** The pictures of a set, whose own edges are the stickers'. Behind them the texture has as many
 * layers again: fields that tell the distance from the edge, for light and shadow. */
export class CutSheet extends Sheet {
  /** @override */
  isCut = true;
  #set;

  /** @param {FetchedSet} set
   * @param {(HTMLImageElement | null)[]} pictures */
  constructor(set, pictures) {
    super(pictures, set.size, false);
    this.#set = set;
  }

  /** @param {FetchedSet} set */
  static async of(set) {
    const urls = Array.from({ length: set.count }, (_, kind) => set.urlOf(kind));
    return new CutSheet(set, await Promise.all(urls.map(loadPicture)));
  }

  /** @override */
  get layerCount() {
    return 2 * this.pictures.length;
  }

  /** @override
   * @param {number} at
   * @param {number} size */
  layer(at, size) {
    const count = this.pictures.length;
    return at < count ? this.rasterise(at, size) : this.#field(at - count, size);
  }

  /** A picture that could not be had is its shape in a colour of its own, with a white edge.
   * @override
   * @param {CanvasRenderingContext2D} context
   * @param {number} kind
   * @param {number} size */
  standIn(context, kind, size) {
    context.scale(size / 100, size / 100);
    context.lineJoin = "round";
    this.#set.trace(context, kind);
    const rounding = this.#set.roundingOf(kind);
    context.strokeStyle = context.fillStyle = "#fff";
    context.lineWidth = 2 * rounding;
    context.fill();
    if (rounding > 0) context.stroke();
    context.translate(50, 50);
    context.scale(0.86, 0.86);
    context.translate(-50, -50);
    this.#set.trace(context, kind);
    context.strokeStyle = context.fillStyle = `hsl(${(kind * 67) % 360} 80% 60%)`;
    context.fill();
    if (rounding > 0) context.stroke();
  }

  /** @override
   * @param {number} kind */
  reachOf(kind) {
    return reachOf(this.#insideOf(kind));
  }

  /** Which pixels of a field are the sticker's, 0 or 1.
   * @param {number} kind */
  #insideOf(kind) {
    const [, context] = canvasOf(FIELD);
    context.drawImage(this.rasterise(kind, EDGE), (FIELD - EDGE) / 2, (FIELD - EDGE) / 2, EDGE, EDGE);
    const { data } = context.getImageData(0, 0, FIELD, FIELD);
    return Uint8Array.from({ length: FIELD * FIELD }, (_, at) => (data[4 * at + 3] >= OPAQUE ? 1 : 0));
  }

  /** Red by the distance from the edge: half of it at the edge, more inside; none and all of it are half
   * an edge of the picture away. Blue, all over, by how far the picture reaches to the right and up.
   * @param {number} kind
   * @param {number} size */
  #field(kind, size) {
    const [small, context] = canvasOf(FIELD);
    const image = context.createImageData(FIELD, FIELD);
    const isInside = this.#insideOf(kind);
    const outside = distances(isInside, 1);
    const inside = distances(isInside, 0);
    const reach = Math.round((255 * reachOf(isInside)) / MOST_REACH);
    for (let at = 0; at < FIELD * FIELD; at += 1) {
      const depth = (Math.sqrt(inside[at]) - Math.sqrt(outside[at])) / EDGE;
      image.data[4 * at] = Math.round(255 * clamp(0.5 + depth, 0, 1));
      image.data[4 * at + 2] = reach;
      image.data[4 * at + 3] = 255;
    }
    context.putImageData(image, 0, 0);
    const [canvas, large] = canvasOf(size);
    large.drawImage(small, 0, 0, size, size);
    return canvas;
  }
}

/** How far a picture reaches from its middle to the right and up, in halves of its edge: that corner of the
 * sticker comes off. At most `MOST_REACH`, which a field that is all blue says.
 * @param {Uint8Array} isInside a field's pixels */
function reachOf(isInside) {
  let most = 0;
  for (let at = 0; at < FIELD * FIELD; at += 1) {
    if (isInside[at] === 1) most = Math.max(most, (at % FIELD) - Math.floor(at / FIELD));
  }
  return (most * Math.SQRT1_2) / (EDGE / 2);
}

/** @param {number} size
 * @returns {[HTMLCanvasElement, CanvasRenderingContext2D]} */
function canvasOf(size) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  return [canvas, /** @type {CanvasRenderingContext2D} */ (context)];
}

/**
 * The squares of the distances in pixels from each pixel to the nearest one that is `wanted`: first
 * along the columns, then over the rows as the lower envelope of parabolas (Felzenszwalb and
 * Huttenlocher, "Distance Transforms of Sampled Functions").
 * @param {Uint8Array} pixels a square of 0 and 1
 * @param {number} wanted
 */
function distances(pixels, wanted) {
  const far = 4 * FIELD * FIELD;
  const squares = Float64Array.from(pixels, (pixel) => (pixel === wanted ? 0 : far));
  const line = new Float64Array(FIELD);
  for (const [step, next] of [[FIELD, 1], [1, FIELD]]) {
    for (let start = 0; start < FIELD; start += 1) {
      for (let at = 0; at < FIELD; at += 1) line[at] = squares[start * next + at * step];
      envelope(line, (at, value) => {
        squares[start * next + at * step] = value;
      });
    }
  }
  return squares;
}

/** Where each parabola of a line's envelope begins, and which it is; kept from line to line. */
const [begins, parabolas] = [new Float64Array(FIELD + 1), new Int32Array(FIELD)];

/** @param {Float64Array} line
 * @param {(at: number, value: number) => void} put */
function envelope(line, put) {
  let last = 0;
  parabolas[0] = 0;
  [begins[0], begins[1]] = [-Infinity, Infinity];
  /** @param {number} one
   * @param {number} other where the two cross */
  const crossing = (one, other) =>
    (line[one] + one * one - line[other] - other * other) / (2 * one - 2 * other);
  for (let at = 1; at < line.length; at += 1) {
    let begin = crossing(at, parabolas[last]);
    while (begin <= begins[last]) begin = crossing(at, parabolas[(last -= 1)]);
    last += 1;
    parabolas[last] = at;
    begins[last] = begin;
    begins[last + 1] = Infinity;
  }
  let place = 0;
  for (let at = 0; at < line.length; at += 1) {
    while (begins[place + 1] < at) place += 1;
    const away = at - parabolas[place];
    put(at, away * away + line[parabolas[place]]);
  }
}
