// @ts-check
import { clamp } from "../../core/vector.js";
import {
  CORNERS, INSTANCE_AGE, INSTANCE_FLOATS, INSTANCE_HEIGHT, INSTANCE_KIND, INSTANCE_SLOT,
  INSTANCE_WIDTH,
} from "../../core/wire.js";
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
const SHADOWS = [FLAT, PEELED];
/** How many times farther away the shadow of a peeled sticker falls than that of one that lies flat. */
const FARTHER = 5;

/** A kind is a byte. */
const KINDS = 256;

/** @typedef {typeof FLAT} Shadow */

/** A scene's stickers, cut out, and their shadows. Each is made when it is first drawn; they are a
 * few dozen. Every sticker of every picture asks for them, so they are found by integers: for
 * each other key V8 would make a string, or box a float. */
export class Sprites {
  /** Points of an edge of the scene's largest stickers. */ points;
  #sheet;
  #size;
  /** Pixels a point. */ #scale;
  /** By picture and kind.
   * @type {Map<number, HTMLCanvasElement>} */ #stickers = new Map();
  /** By form and by which shadow it is, of one colour.
   * @type {Map<number, HTMLCanvasElement>} */
  #shadows = new Map();
  /** The shadows' colour.
   * @type {RGB | null} */ #shade = null;
  /** Forms that stickers have: the height of a width of 1, and the corner in halves of the shorter side. */
  #forms = new Float64Array(8);
  #formCount = 0;

  /** @param {Sheet} sheet
   * @param {number} size pixels of an edge */
  constructor(sheet, size) {
    this.points = sheet.size;
    this.#sheet = sheet;
    this.#size = size;
    this.#scale = size / sheet.size;
  }

  /** Before each picture: which colour its shadows have.
   * @param {RGB} shade */
  castIn(shade) {
    const before = this.#shade;
    if (shade === before) return;
    this.#shade = shade;
    if (before === null || css(before) !== css(shade)) this.#shadows.clear();
  }

  /** @param {number} picture its place in the sheet
   * @param {number} kind
   * @param {Float32Array} instances
   * @param {number} at where the sticker's own numbers begin */
  sticker(picture, kind, instances, at) {
    const key = picture * KINDS + kind;
    const known = this.#stickers.get(key);
    if (known) return known;
    const aspect = instances[at + INSTANCE_HEIGHT] / instances[at + INSTANCE_WIDTH];
    const made = this.#sheet.isCut ? this.#cutSticker(picture) : this.#makeSticker(picture, kind, aspect);
    this.#stickers.set(key, made);
    return made;
  }

  /** @param {number} kind
   * @param {number} shadow which of `SHADOWS`
   * @param {Float32Array} instances
   * @param {number} at where the sticker's own numbers begin */
  shadow(kind, shadow, instances, at) {
    const isCut = this.#sheet.isCut;
    const form = isCut ? kind : this.#formOf(kind, instances, at);
    const key = form * SHADOWS.length + shadow;
    const known = this.#shadows.get(key);
    if (known) return known;
    const aspect = instances[at + INSTANCE_HEIGHT] / instances[at + INSTANCE_WIDTH];
    const made = isCut
      ? this.#cutShadow(kind, SHADOWS[shadow])
      : this.#makeShadow(CORNERS[kind], aspect, SHADOWS[shadow]);
    this.#shadows.set(key, made);
    return made;
  }

  /** Which of the forms a sticker has; one that is new is noted.
   * @param {number} kind
   * @param {Float32Array} instances
   * @param {number} at */
  #formOf(kind, instances, at) {
    const aspect = instances[at + INSTANCE_HEIGHT] / instances[at + INSTANCE_WIDTH];
    const corner = CORNERS[kind];
    for (let form = 0; form < this.#formCount; form += 1) {
      if (this.#forms[2 * form] === aspect && this.#forms[2 * form + 1] === corner) return form;
    }
    if (2 * this.#formCount === this.#forms.length) {
      const larger = new Float64Array(2 * this.#forms.length);
      larger.set(this.#forms);
      this.#forms = larger;
    }
    this.#forms[2 * this.#formCount] = aspect;
    this.#forms[2 * this.#formCount + 1] = corner;
    this.#formCount += 1;
    return this.#formCount - 1;
  }

  /** @param {number} picture
   * @param {number} kind
   * @param {number} aspect */
  #makeSticker(picture, kind, aspect) {
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

  /** @param {number} corner in halves of the shorter side
   * @param {number} aspect
   * @param {Shadow} shadow */
  #makeShadow(corner, aspect, { room: points, blur, opacity }) {
    const room = points * this.#scale;
    const [width, height] = [this.#size, this.#size * aspect];
    const [canvas, context] = layer(width + 2 * room, height + 2 * room);
    const radius = corner * Math.min(width, height) * 0.5;
    shadowOnly(context, this.#colourOf(opacity), blur * this.#scale, { x: 0, y: 0 }, () =>
      roundedBox(context, room, room, width, height, radius),
    );
    return canvas;
  }

  /** @param {number} kind
   * @param {Shadow} shadow */
  #cutShadow(kind, shadow) {
    const room = shadow.room * this.#scale;
    const [canvas, context] = layer(this.#size + 2 * room, this.#size + 2 * room);
    // Only the shadow: the picture itself lies outside.
    const away = 2 * canvas.width;
    context.shadowColor = this.#colourOf(shadow.opacity);
    context.shadowBlur = shadow.blur * this.#scale;
    context.shadowOffsetX = away;
    context.drawImage(this.#sheet.rasterise(kind, this.#size), room - away, room);
    return canvas;
  }

  /** @param {number} opacity of a shadow */
  #colourOf(opacity) {
    if (this.#shade === null) throw new Error("no colour for shadows yet: castIn comes first");
    return css(this.#shade, opacity);
  }
}

/** All stickers with their shadows, as `gl/stickers.js` draws them: two copies of a picture each. No
 * sticker makes an object once its picture and shadow are known. */
export class CanvasStickers {
  #context;
  /** The sticker's own axes in pixels, as a transform's first four numbers. */
  #turned = new Float64Array(4);

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
  draw(layout, instances, forms, sprites, shade, style) {
    sprites.castIn(shade);
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      this.#drawOne(layout, instances, at, forms, sprites, style);
    }
    this.#context.globalAlpha = 1;
  }

  /** @param {Layout} layout
   * @param {Float32Array} instances
   * @param {number} at where its numbers begin
   * @param {Float32Array} forms
   * @param {Sprites} sprites
   * @param {import("../surface.js").StickerStyle} style */
  #drawOne(layout, instances, at, forms, sprites, { popIn, variants }) {
    const { gravity, left, top, pixelsPerPoint } = layout;
    const age = instances[at + INSTANCE_AGE];
    const form = (at / INSTANCE_FLOATS) * FORM_FLOATS;
    const isPlain = forms.length === 0;
    const lift = isPlain ? 0 : forms[form];
    const above = isPlain ? 0 : forms[form + 3];
    const popped = popIn && age < POP.seconds ? Math.max(0, pop(age)) : 1;
    const size = lift > 0 ? popped * growthOf(lift, instances[at + INSTANCE_WIDTH]) : popped;
    const width = instances[at + INSTANCE_WIDTH] * size;
    const height = instances[at + INSTANCE_HEIGHT] * size;
    if (!(width > 0)) return;
    const kind = instances[at + INSTANCE_KIND] | 0;
    // Kinds 16 and 17, card and square, have no pictures among these: snow and cake follow the
    // sixteen.
    const byKind = kind > KIND.square ? kind - 2 : kind;
    const picture = variants > 0 ? (instances[at + INSTANCE_SLOT] | 0) % variants : byKind;
    const x = instances[at];
    const y = instances[at + 1] - above;
    const context = this.#context;
    const turned = this.#turned;
    this.#turn(layout, instances, at, forms, form);
    const seen = popIn ? 1 : clamp(age / 0.2, 0, 1);
    const away = 1 + FARTHER * lift;
    context.setTransform(
      turned[0], turned[1], turned[2], turned[3],
      left + (x + gravity.x * 2.5 * away) * pixelsPerPoint,
      top + (y + (1 + gravity.y * 2.5) * away) * pixelsPerPoint,
    );
    for (let which = 0; which < SHADOWS.length; which += 1) {
      const shadow = SHADOWS[which];
      const opacity = seen * (shadow === FLAT ? 1 - lift : lift);
      if (!(opacity > 0)) continue;
      context.globalAlpha = opacity;
      // How much larger a shadow is than its sticker of that width.
      const room = (shadow.room * width) / sprites.points;
      context.drawImage(
        sprites.shadow(kind, which, instances, at),
        -width / 2 - room, -height / 2 - room, width + 2 * room, height + 2 * room,
      );
    }
    context.globalAlpha = seen;
    context.setTransform(
      turned[0], turned[1], turned[2], turned[3], left + x * pixelsPerPoint, top + y * pixelsPerPoint,
    );
    const sticker = sprites.sticker(picture, kind, instances, at);
    context.drawImage(sticker, -width / 2, -height / 2, width, height);
  }

  /** How a sticker is turned and pressed: flatter along the blow, and as much wider across that it seems
   * to keep its mass.
   * @param {Layout} layout
   * @param {Float32Array} instances
   * @param {number} at
   * @param {Float32Array} forms
   * @param {number} form where its own begins */
  #turn({ pixelsPerPoint }, instances, at, forms, form) {
    const turned = this.#turned;
    const cosine = instances[at + 2];
    const sine = instances[at + 3];
    const squash = forms.length > 0 ? forms[form + 1] : 0;
    const x = squash === 0 ? 1 : Math.cos(forms[form + 2]);
    const y = squash === 0 ? 0 : Math.sin(forms[form + 2]);
    const wide = 1 + WIDER * squash;
    const flat = (1 + WIDER) * squash;
    // The first axis points along (cosine, sine), the second one along (-sine, cosine).
    const first = cosine * x + sine * y;
    turned[0] = (cosine * wide - first * flat * x) * pixelsPerPoint;
    turned[1] = (sine * wide - first * flat * y) * pixelsPerPoint;
    const second = cosine * y - sine * x;
    turned[2] = (-sine * wide - second * flat * x) * pixelsPerPoint;
    turned[3] = (cosine * wide - second * flat * y) * pixelsPerPoint;
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
