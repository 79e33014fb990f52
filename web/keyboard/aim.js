// @ts-check
import { ARROWS } from "../input/keys.js";

/** @typedef {import("../core/vector.js").Vector} Vector */
/** @typedef {import("../draw/letterbox.js").Letterbox} Letterbox */

/** Directions by physical key: these lie under one hand while the keys that tilt lie under the other.
 * @type {Record<string, [number, number]>} */
const DIRECTIONS = {
  ...ARROWS,
  KeyJ: [-1, 0],
  KeyL: [1, 0],
  KeyI: [0, -1],
  KeyK: [0, 1],
};
/** How far one press moves it, points. */
const STEP = 12;
/** A key that is held moves it faster and faster: from the first speed to the last, pt/s, within so
 * many ms. */
const [SLOW, FAST, WITHIN] = [160, 1000, 900];
/** A press shorter than this is one step, ms. */
const PRESS = 140;

const MARK = `<svg viewBox="-24 -24 48 48" aria-hidden="true">
  <g class="edge"><circle r="15"/><path d="M0-23V-9M0 23V9M-23 0H-9M23 0H9"/></g>
  <g class="line"><circle r="15"/><path d="M0-23V-9M0 23V9M-23 0H-9M23 0H9"/></g>
  <circle class="dot" r="3.5"/></svg>
  <svg class="arrow" viewBox="0 -12 100 24" aria-hidden="true"><path d="M0-4H74V-12L100 0L74 12V4H0z"/></svg>`;

/** Which way a key points; null for any other.
 * @param {string} code */
export function directionOf(code) {
  return DIRECTIONS[code] ?? null;
}

/** A cross over the pit that keys move. */
export class Aim {
  /** @type {Vector} in the world */ point = { x: NaN, y: NaN };
  /** When it was moved last, ms. */ movedAt = 0;
  #mark = document.createElement("div");
  #letterbox;
  /** @type {Map<string, number>} since when a key is held */ #held = new Map();
  #last = 0;
  /** Where the mark is shown: x and y on the canvas, CSS pixels. */
  #shown = new Float64Array(2).fill(NaN);

  /** @param {HTMLElement} arena that it lies over
   * @param {Letterbox} letterbox */
  constructor(arena, letterbox) {
    this.#letterbox = letterbox;
    this.#mark.id = "aim";
    this.#mark.innerHTML = MARK;
    this.#mark.hidden = true;
    arena.append(this.#mark);
  }

  get isShown() {
    return !this.#mark.hidden;
  }

  /** Shows it where it was last, at first in the middle. */
  show() {
    const { worldWidth, worldHeight } = this.#letterbox;
    if (Number.isNaN(this.point.x)) this.point = { x: worldWidth / 2, y: worldHeight / 2 };
    this.#mark.hidden = false;
    this.#last = performance.now();
    this.#place();
  }

  hide() {
    this.#held.clear();
    this.#mark.hidden = true;
  }

  /** @param {string} code of a key that points somewhere */
  press(code) {
    this.#held.set(code, performance.now());
    const [x, y] = DIRECTIONS[code];
    this.#move(x * STEP, y * STEP);
  }

  /** @param {string} code */
  lift(code) {
    this.#held.delete(code);
  }

  /** No key counts any more until it is pressed again. */
  rest() {
    this.#held.clear();
  }

  /** @param {Vector} point */
  jump(point) {
    this.point = point;
    this.#move(0, 0);
  }

  /** Once a picture.
   * @param {number} now ms */
  advance(now) {
    const seconds = Math.min(100, now - this.#last) / 1000;
    this.#last = now;
    if (this.#held.size > 0) this.#glide(now, seconds);
    // Also if no key has moved it: the pit may have another place or size by now.
    this.#place();
  }

  /** Moves it as long as keys are held.
   * @param {number} now ms
   * @param {number} seconds since the last picture */
  #glide(now, seconds) {
    let x = 0;
    let y = 0;
    let since = Infinity;
    for (const [code, pressed] of this.#held) {
      if (now - pressed < PRESS) continue;
      x += DIRECTIONS[code][0];
      y += DIRECTIONS[code][1];
      since = Math.min(since, pressed);
    }
    const length = Math.hypot(x, y);
    const speed = SLOW + (FAST - SLOW) * Math.min(1, (now - since) / WITHIN);
    const way = length > 0 ? (speed * seconds) / length : 0;
    if (way > 0) this.#move(x * way, y * way);
  }

  /** Shows how strong a throw would be, and where to.
   * @param {Vector | null} direction of length 1; null while nothing is thrown
   * @param {number} strength 0…1 */
  draw(direction, strength) {
    this.#mark.classList.toggle("throws", direction !== null);
    if (!direction) return;
    const angle = Math.atan2(direction.y, direction.x);
    this.#mark.style.setProperty("--angle", `${angle}rad`);
    this.#mark.style.setProperty("--strength", String(strength));
  }

  /** @param {boolean} holds whether something is carried */
  close(holds) {
    this.#mark.classList.toggle("holds", holds);
  }

  /** @param {number} x
   * @param {number} y points */
  #move(x, y) {
    const { point } = this;
    this.point = this.#letterbox.clamp({ x: point.x + x, y: point.y + y }, 0);
    this.movedAt = performance.now();
    this.#place();
  }

  #place() {
    const { left, top, scale } = this.#letterbox;
    const x = left + this.point.x * scale;
    const y = top + this.point.y * scale;
    // At rest no picture has to put a text together.
    if (x === this.#shown[0] && y === this.#shown[1]) return;
    this.#shown[0] = x;
    this.#shown[1] = y;
    this.#mark.style.transform = `translate(${x}px, ${y}px)`;
  }
}
