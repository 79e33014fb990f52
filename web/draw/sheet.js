// @ts-check

/** The stickers by kind. */
export const STICKERS = Object.freeze(/** @type {const} */ ([
  "smile",
  "robot",
  "orange",
  "pizza",
  "donut",
  "ghost",
  "cat",
  "rainbow",
  "planet",
  "cactus",
  "daisy",
  "boba",
  "ball",
  "heart",
  "egg",
  "frog",
]));

/** A usual sticker's edge in points: a pit for up to a hundred has 48 to 76. */
export const STICKER_SIZE = 62;

/** @param {number} kind */
export function stickerURL(kind) {
  const number = String(kind).padStart(2, "0");
  return new URL(`../stickers/${number}-${STICKERS[kind]}.svg`, import.meta.url).href;
}

/** Kinds that aren't plain stickers: the first that has its picture after the sixteen. */
export const KIND = Object.freeze({ card: 16, square: 17, snow: 18, cake: 19 });

const file = (/** @type {string} */ name) =>
  new URL(`../stickers/${name}.svg`, import.meta.url).href;
const CARDS = ["sunset", "sea", "hills", "night", "tulips"].map((name) => file(`card-${name}`));
const SQUARES = ["coral", "teal", "sun", "violet", "leaf", "rose"].map((name) =>
  file(`square-${name}`),
);
const PLAIN = STICKERS.map((_, kind) => stickerURL(kind));
const RAIN = [...PLAIN, file("18-snow"), file("19-cake")];

/** The picture of what rains; none of kinds that never do.
 * @param {number} kind
 * @returns {string | undefined} */
export function pictureOf(kind) {
  return RAIN[kind < PLAIN.length ? kind : kind - KIND.snow + PLAIN.length];
}

/**
 * What a scene's sheet holds. Cards and squares have a picture by slot, so that neighbours differ;
 * others one by kind. Size: edge in points of its largest stickers.
 * @type {Record<string, { urls: string[], size: number, bySlot: boolean }>}
 */
const SHEETS = {
  pit: { urls: PLAIN, size: 76, bySlot: false },
  rain: { urls: RAIN, size: 36, bySlot: false },
  gallery: { urls: SQUARES, size: 100, bySlot: true },
  drag: { urls: SQUARES, size: 100, bySlot: true },
  toss: { urls: CARDS, size: 254, bySlot: true },
};

/** For the stickers' shader and `CutSheet`, which explains them. */
export const [COVERS, MOST_REACH] = [2, 1.5];

/** @param {string} url
 * @returns {Promise<HTMLImageElement | null>} null when it can't be had */
export async function loadPicture(url) {
  const image = new Image();
  image.decoding = "async";
  image.src = url;
  try {
    await image.decode();
    return image;
  } catch {
    return null; // drawn as a plain disc; one missing picture must not stop the pit
  }
}

/** The pictures of a scene and the texture made of them. */
export class Sheet {
  /** Whether the pictures' own edges are the stickers', see `CutSheet`. */
  isCut = false;

  /** @param {(HTMLImageElement | null)[]} pictures
   * @param {number} size
   * @param {boolean} bySlot */
  constructor(pictures, size, bySlot) {
    this.pictures = pictures;
    this.size = size;
    this.bySlot = bySlot;
  }

  /** @param {string} scene */
  static async load(scene) {
    const { urls, size, bySlot } = SHEETS[scene];
    return new Sheet(await Promise.all(urls.map(loadPicture)), size, bySlot);
  }

  /** The layer's edge in pixels at which a sticker of that many device pixels looks sharp.
   * @param {number} pixels */
  static layerSize(pixels) {
    return Math.min(1024, Math.max(64, 2 ** Math.ceil(Math.log2(pixels))));
  }

  /** How far a kind's picture reaches to the right and up, in halves of its edge, where its own edge is
   * the sticker's.
   * @param {number} _kind */
  reachOf(_kind) {
    return 1;
  }

  /** How many layers the texture has. */
  get layerCount() {
    return this.pictures.length;
  }

  /** What a layer shows.
   * @param {number} at
   * @param {number} size its edge in pixels
   * @returns {HTMLCanvasElement} */
  layer(at, size) {
    return this.rasterise(at, size);
  }

  /**
   * A texture with one layer a kind, so that the mipmaps of neighbours never bleed into each other.
   * @param {WebGL2RenderingContext} gl
   * @param {number} size edge of a layer in pixels, a power of two
   */
  upload(gl, size) {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
    const levels = Math.log2(size) + 1;
    gl.texStorage3D(gl.TEXTURE_2D_ARRAY, levels, gl.RGBA8, size, size, this.layerCount);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    for (let at = 0; at < this.layerCount; at += 1) {
      gl.texSubImage3D(
        gl.TEXTURE_2D_ARRAY,
        0,
        0,
        0,
        at,
        size,
        size,
        1,
        gl.RGBA,
        gl.UNSIGNED_BYTE,
        this.layer(at, size),
      );
    }
    gl.generateMipmap(gl.TEXTURE_2D_ARRAY);
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    return texture;
  }

  /** A picture as pixels, a plain disc where it could not be had.
   * @param {number} kind
   * @param {number} size its edge in pixels */
  rasterise(kind, size) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const picture = this.pictures[kind];
    if (picture) {
      context.drawImage(picture, 0, 0, size, size);
    } else {
      this.standIn(context, kind, size);
    }
    return canvas;
  }

  /** Fills in for a picture that could not be had.
   * @param {CanvasRenderingContext2D} context
   * @param {number} kind
   * @param {number} size */
  standIn(context, kind, size) {
    context.fillStyle = `hsl(${(kind * 67) % 360} 80% 60%)`;
    context.fillRect(size * 0.06, size * 0.06, size * 0.88, size * 0.88);
  }
}
