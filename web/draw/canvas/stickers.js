// @ts-check
import { clamp } from "../../core/vector.js";
import { CORNERS, INSTANCE_FLOATS } from "../../core/wire.js";
import { CURL, FORM_FLOATS, POP, WIDER, growthOf } from "../forms.js";
import { KIND } from "../sheet.js";
import { css, layer, roundedBox, shadowOnly } from "./path.js";

/** @typedef {import("../renderer.js").Layout} Layout */
/** @typedef {import("../sheet.js").Sheet} Sheet */
/** @typedef {import("../colour.js").RGB} RGB */

/** Two shadows, of a sticker that lies flat and of one that is peeled off: the room that each takes
 * around the sticker and its blur, points, and its opacity. */
const FLAT = { room: 9, blur: 6, opacity: 0.42 };
const PEELED = { room: 26, blur: 18, opacity: 0.34 };
/** How many times farther away the shadow of a peeled sticker falls than that of one that lies flat. */
const FARTHER = 5;

/** @typedef {typeof FLAT} Shadow */

const NONE = new Float32Array(0);

/** A scene's stickers, cut out, and their shadows. Each is made when it is first drawn; they are a
 * few dozen. */
export class Sprites {
  #sheet;
  #size;
  /** Pixels a point. */ #scale;
  /** @type {Map<string, HTMLCanvasElement>} */ #made = new Map();

  /** @param {Sheet} sheet
   * @param {number} size pixels of an edge */
  constructor(sheet, size) {
    this.#sheet = sheet;
    this.#size = size;
    this.#scale = size / sheet.size;
  }

  /** @param {number} picture its place in the sheet
   * @param {number} kind
   * @param {number} aspect height of a width of 1 */
  sticker(picture, kind, aspect) {
    return this.#find(`${picture} ${kind}`, () => {
      if (this.#sheet.isCut) return this.#cutSticker(picture);
      const [width, height] = [this.#size, this.#size * aspect];
      const [canvas, context] = layer(width, height);
      const radius = CORNERS[kind] * Math.min(width, height) * 0.5;
      roundedBox(context, 0, 0, width, height, radius);
      context.clip();
      context.fillStyle = "#fff";
      context.fillRect(0, 0, width, height);
      context.drawImage(this.#sheet.rasterise(picture, this.#size), 0, 0, width, height);
      context.strokeStyle = "rgba(0, 0, 0, 0.14)";
      context.lineWidth = 2 * this.#scale;
      context.stroke();
      const curl = curlOf(Math.min(width, height), this.#scale);
      const crease = (width / 2 + height / 2 - 2 * radius) * Math.SQRT1_2 + radius - curl;
      curlUp(context, width, height, crease, curl, (fold) => {
        fold.beginPath();
        roundedBox(fold, -width / 2, -height / 2, width, height, radius);
        fold.fill();
      });
      return canvas;
    });
  }

  /** @param {number} picture */
  #cutSticker(picture) {
    const size = this.#size;
    const cut = this.#sheet.rasterise(picture, size);
    const [canvas, context] = layer(size, size);
    context.drawImage(cut, 0, 0);
    const curl = curlOf(size, this.#scale);
    const crease = (this.#sheet.reachOf(picture) * size) / 2 - curl;
    curlUp(context, size, size, crease, curl, (fold) => fold.drawImage(cut, -size / 2, -size / 2));
    return canvas;
  }

  /** @param {number} kind
   * @param {number} aspect
   * @param {RGB} shade
   * @param {Shadow} shadow */
  shadow(kind, aspect, shade, shadow) {
    if (this.#sheet.isCut) return this.#cutShadow(kind, shade, shadow);
    const corner = CORNERS[kind];
    return this.#find(`${corner} ${aspect} ${css(shade)} ${shadow.blur}`, () => {
      const room = shadow.room * this.#scale;
      const [width, height] = [this.#size, this.#size * aspect];
      const [canvas, context] = layer(width + 2 * room, height + 2 * room);
      const radius = corner * Math.min(width, height) * 0.5;
      const colour = css(shade, shadow.opacity);
      shadowOnly(context, colour, shadow.blur * this.#scale, { x: 0, y: 0 }, () =>
        roundedBox(context, room, room, width, height, radius),
      );
      return canvas;
    });
  }

  /** @param {number} kind
   * @param {RGB} shade
   * @param {Shadow} shadow */
  #cutShadow(kind, shade, shadow) {
    return this.#find(`cut ${kind} ${css(shade)} ${shadow.blur}`, () => {
      const room = shadow.room * this.#scale;
      const [canvas, context] = layer(this.#size + 2 * room, this.#size + 2 * room);
      // Only the shadow: the picture itself lies outside.
      const away = 2 * canvas.width;
      context.shadowColor = css(shade, shadow.opacity);
      context.shadowBlur = shadow.blur * this.#scale;
      context.shadowOffsetX = away;
      context.drawImage(this.#sheet.rasterise(kind, this.#size), room - away, room);
      return canvas;
    });
  }

  /** How much larger a shadow is than its sticker of that width in points.
   * @param {number} width
   * @param {Shadow} shadow */
  roomAround(width, shadow) {
    return (shadow.room * width) / this.#sheet.size;
  }

  /** @param {string} key
   * @param {() => HTMLCanvasElement} make */
  #find(key, make) {
    const known = this.#made.get(key) ?? make();
    this.#made.set(key, known);
    return known;
  }
}

/** All stickers with their shadows, as `gl/stickers.js` draws them: two copies of a picture each. */
export class CanvasStickers {
  #context;
  /** The sticker's own axes in pixels, as a transform's first four numbers. */
  #turned = [1, 0, 0, 1];

  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.#context = context;
  }

  /**
   * @param {Layout} layout
   * @param {Float32Array} instances
   * @param {Float32Array} forms theirs, empty while all lie flat
   * @param {Sprites} sprites
   * @param {RGB} shade
   * @param {import("../surface.js").StickerStyle} style
   */
  draw(layout, instances, forms, sprites, shade, { popIn, variants }) {
    const context = this.#context;
    const { gravity } = layout;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      const age = instances[at + 7];
      const form = (at / INSTANCE_FLOATS) * FORM_FLOATS;
      const isPlain = forms.length === 0;
      const lift = isPlain ? 0 : forms[form];
      const above = isPlain ? 0 : forms[form + 3];
      const size = (popIn ? Math.max(0, pop(age)) : 1) * growthOf(lift, instances[at + 4]);
      const width = instances[at + 4] * size;
      const height = instances[at + 5] * size;
      if (!(width > 0)) continue;
      const kind = instances[at + 6];
      const aspect = instances[at + 5] / instances[at + 4];
      // Kinds 16 and 17, card and square, have no pictures among these: snow and cake follow the
      // sixteen.
      const byKind = kind > KIND.square ? kind - 2 : kind;
      const picture = variants > 0 ? instances[at + 8] % variants : byKind;
      const [x, y] = [instances[at], instances[at + 1] - above];
      this.#turn(layout, instances[at + 2], instances[at + 3], isPlain ? NONE : forms, form);
      const seen = popIn ? 1 : clamp(age / 0.2, 0, 1);
      const away = 1 + FARTHER * lift;
      this.#moveTo(layout, x + gravity.x * 2.5 * away, y + (1 + gravity.y * 2.5) * away);
      for (const shadow of [FLAT, PEELED]) {
        context.globalAlpha = seen * (shadow === FLAT ? 1 - lift : lift);
        if (context.globalAlpha === 0) continue;
        const room = sprites.roomAround(width, shadow);
        context.drawImage(
          sprites.shadow(kind, aspect, shade, shadow),
          -width / 2 - room, -height / 2 - room, width + 2 * room, height + 2 * room,
        );
      }
      context.globalAlpha = seen;
      this.#moveTo(layout, x, y);
      const sticker = sprites.sticker(picture, kind, aspect);
      context.drawImage(sticker, -width / 2, -height / 2, width, height);
    }
    context.globalAlpha = 1;
  }

  /** How a sticker is turned and pressed: flatter along the blow, and as much wider across that it seems
   * to keep its mass.
   * @param {Layout} layout
   * @param {number} cosine
   * @param {number} sine
   * @param {Float32Array} forms
   * @param {number} form where its own begins */
  #turn({ pixelsPerPoint }, cosine, sine, forms, form) {
    const squash = forms.length > 0 ? forms[form + 1] : 0;
    const [x, y] = squash === 0 ? [1, 0] : [Math.cos(forms[form + 2]), Math.sin(forms[form + 2])];
    const [wide, flat] = [1 + WIDER * squash, (1 + WIDER) * squash];
    const turned = this.#turned;
    for (let column = 0; column < 2; column += 1) {
      const [across, down] = column === 0 ? [cosine, sine] : [-sine, cosine];
      const along = across * x + down * y;
      turned[2 * column] = (across * wide - along * flat * x) * pixelsPerPoint;
      turned[2 * column + 1] = (down * wide - along * flat * y) * pixelsPerPoint;
    }
  }

  /** @param {Layout} layout
   * @param {number} x points
   * @param {number} y */
  #moveTo({ left, top, pixelsPerPoint }, x, y) {
    const [a, b, c, d] = this.#turned;
    this.#context.setTransform(a, b, c, d, left + x * pixelsPerPoint, top + y * pixelsPerPoint);
  }
}

/** Grows past its size and settles, within a quarter of a second: 0…1 and a little more.
 * @param {number} age seconds */
function pop(age) {
  const t = clamp(age / POP.seconds, 0, 1) - 1;
  return 1 + POP.cubic * t ** 3 + POP.square * t ** 2;
}

/** How much of a sticker has come off.
 * @param {number} size pixels of its smaller side
 * @param {number} scale pixels a point */
function curlOf(size, scale) {
  return Math.min((CURL.share * size) / 2, CURL.most * scale);
}

/** A corner of a sticker comes off at the right above, and shows its back.
 * @param {CanvasRenderingContext2D} context with the sticker
 * @param {number} width
 * @param {number} height
 * @param {number} crease how far from the middle it bends
 * @param {number} curl how much comes off
 * @param {(context: CanvasRenderingContext2D) => void} shape draws the sticker's form around its middle
 */
function curlUp(context, width, height, crease, curl, shape) {
  const far = width + height;
  // The sticker's own form, folded over. From here on x goes from the middle towards the corner.
  const [back, fold] = layer(width, height);
  fold.translate(width / 2, height / 2);
  fold.rotate(-Math.PI / 4);
  fold.save();
  fold.beginPath();
  fold.rect(crease - 2 * curl, -far, 2 * curl, 2 * far);
  fold.clip();
  fold.translate(2 * crease, 0);
  fold.scale(-1, 1);
  fold.rotate(Math.PI / 4);
  shape(fold);
  fold.restore();
  const shine = fold.createLinearGradient(crease - curl, 0, crease, 0);
  for (const [at, grey] of [[0, 194], [0.7, 255], [1, 194]]) {
    shine.addColorStop(at, `rgb(${grey}, ${grey}, ${grey})`);
  }
  fold.globalCompositeOperation = "source-in";
  fold.fillStyle = shine;
  fold.fillRect(-far, -far, 2 * far, 2 * far);
  context.save();
  context.translate(width / 2, height / 2);
  context.rotate(-Math.PI / 4);
  context.globalCompositeOperation = "destination-out";
  context.fillRect(crease, -far, far, 2 * far);
  context.restore();
  // What it covers and shades is only the sticker.
  context.globalCompositeOperation = "source-atop";
  context.shadowColor = "rgba(0, 0, 0, 0.4)";
  context.shadowBlur = curl * 0.7;
  context.drawImage(back, 0, 0);
}
