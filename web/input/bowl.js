// @ts-check
import { lengthOf } from "../core/vector.js";
import { text } from "../strings/language.js";
import { Placed } from "./placed.js";

/** @typedef {import("../core/vector.js").Vector} Vector */

/** How far the ball's centre gets from the bowl's, in the picture's units. */
export const REACH = 34;
/** Leaning less than this is not worth a word. */
const UNSAID = 0.15;
/** By eighths of a turn from the right on, as the screen has them. */
const DIRECTIONS = /** @type {const} */ ([
  "lean.right",
  "lean.lowerRight",
  "lean.down",
  "lean.lowerLeft",
  "lean.left",
  "lean.upperLeft",
  "lean.up",
  "lean.upperRight",
]);

/** The ball in its bowl: it lies where this person's stickers would roll, and can be dragged. The
 * arrow below it is everybody's tilt, and dots are other people's. While one person has the pit, that
 * one's tilt is the dot. */
export class Bowl {
  /** Where the ball is held by a finger or the mouse.
   * @type {Vector | null} */
  held = null;
  /** Other people's dots; null until somebody else tilts, because their code is fetched only then.
   * @type {import("./othersdots.js").OthersDots | null} */
  others = null;

  #element;
  #ball;
  #arrow;
  #dot;
  /** @type {number | null} */ #pointer = null;
  /** The number of the words that screen readers were told last. */
  #told = NaN;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#ball = new Placed(element.querySelector(".ball"));
    this.#arrow = new Placed(element.querySelector(".everyone"));
    this.#dot = new Placed(element.querySelector(".dot"));
    element.addEventListener("pointerdown", (event) => this.#grab(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
      element.addEventListener(end, (event) => this.#release(event));
    }
  }

  /** @param {Vector} own
   * @param {Vector} everyone
   * @param {number} now ms */
  draw(own, everyone, now) {
    this.#ball.to[0] = own.x * REACH;
    this.#ball.to[1] = own.y * REACH;
    this.#ball.move();
    this.#tell(own);
    const shorten = 1 / Math.max(1, lengthOf(everyone.x, everyone.y));
    this.#arrow.to[0] = everyone.x * shorten;
    this.#arrow.to[1] = everyone.y * shorten;
    this.#arrow.turn();
    this.#dot.to[0] = everyone.x * REACH;
    this.#dot.to[1] = everyone.y * REACH;
    this.#dot.move();
    this.others?.draw(now);
  }

  /** To screen readers: only when it would be said in other words.
   * @param {Vector} own */
  #tell(own) {
    const number = numberOf(own);
    if (this.#told === number) return;
    this.#told = number;
    this.#element.setAttribute("aria-valuetext", leanInWords(number));
    this.#element.setAttribute("aria-valuenow", String(Math.round(own.x * 100)));
  }

  /** @param {PointerEvent} event */
  #grab(event) {
    if (this.#pointer !== null || event.button !== 0) return;
    event.preventDefault(); // no focus ring, no text selection
    this.#pointer = event.pointerId;
    this.#element.setPointerCapture(event.pointerId);
    this.#element.classList.add("held");
    this.#move(event);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    const box = this.#element.getBoundingClientRect();
    const reach = (box.width / 120) * REACH;
    const x = (event.clientX - box.left - box.width / 2) / reach;
    const y = (event.clientY - box.top - box.height / 2) / reach;
    const shorten = 1 / Math.max(1, Math.hypot(x, y));
    this.held = { x: x * shorten, y: y * shorten };
  }

  /** @param {PointerEvent} event */
  #release(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    this.held = null;
    this.#element.classList.remove("held");
  }
}

/** Tilts of which the same is said have the same number: tens of percent, and eighths of a turn; less
 * than 0 where there is none.
 * @param {Vector} tilt length 0…1 */
function numberOf({ x, y }) {
  const length = Math.sqrt(x * x + y * y);
  if (x * x + (y - 1) * (y - 1) < UNSAID * UNSAID) return -1;
  if (length < UNSAID) return -2;
  const eighth = Math.round((Math.atan2(y, x) * 4) / Math.PI);
  return 8 * Math.round(length * 10) + ((eighth + 8) % 8);
}

/** A tilt for those who can't see the ball.
 * @param {number} number of what is said of it */
function leanInWords(number) {
  if (number < 0) return text(number === -1 ? "lean.none" : "lean.flat");
  return text("lean.some", { direction: text(DIRECTIONS[number % 8]), percent: 10 * Math.floor(number / 8) });
}
