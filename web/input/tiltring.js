// @ts-check
import { text } from "../strings/language.js";

/** @typedef {import("../core/vector.js").Vector} Vector */

/** How far the ball's centre gets from the ring's, in the picture's units. */
const REACH = 34;
/** Smaller changes are not seen: a tenth of a degree, and of the picture's units. */
const SMALL_TURN = 0.002;
const SMALL_MOVE = 0.1;
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

/** The ball in the ring: it lies where this person's stickers would roll, and can be dragged. The
 * arrow below it is everybody's tilt; while one person has the pit, that one's is a dot as well. */
export class TiltRing {
  /** Where the ball is held by a finger or the mouse.
   * @type {Vector | null} */
  held = null;

  #element;
  #ball;
  #arrow;
  #dot;
  /** @type {number | null} */ #pointer = null;
  /** The tilt that screen readers were told of last. */
  #told = { x: NaN, y: NaN };

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

  /** @param {Vector} own @param {Vector} everyone */
  draw(own, everyone) {
    const length = Math.min(1, Math.hypot(everyone.x, everyone.y));
    const angle = Math.atan2(everyone.y, everyone.x);
    this.#ball.place(0, 1, own.x * REACH, own.y * REACH);
    this.#tell(own);
    this.#arrow.place(angle, length, 0, 0);
    this.#dot.place(0, 1, everyone.x * REACH, everyone.y * REACH);
  }

  /** To screen readers: only when it would be said in other words.
   * @param {Vector} own */
  #tell(own) {
    if (this.#told.x === own.x && this.#told.y === own.y) return;
    this.#told.x = own.x;
    this.#told.y = own.y;
    const words = leanInWords(own);
    if (this.#element.getAttribute("aria-valuetext") === words) return;
    this.#element.setAttribute("aria-valuetext", words);
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

/** A part of the picture that is turned, scaled and moved. Its matrix is written as numbers: a
 * `transform` attribute would be put together and taken apart as text for every picture. */
class Placed {
  #transform;
  #matrix;

  /** @param {Element | null} element */
  constructor(element) {
    const svg = /** @type {SVGGraphicsElement} */ (element);
    this.#transform = /** @type {SVGTransform} */ (svg.transform.baseVal.consolidate());
    this.#matrix = this.#transform.matrix;
  }

  /** Touches the picture only when something has moved so far that it can be seen.
   * @param {number} angle radians @param {number} scale @param {number} x @param {number} y */
  place(angle, scale, x, y) {
    const cosine = Math.cos(angle) * scale;
    const sine = Math.sin(angle) * scale;
    const matrix = this.#matrix;
    const isTurned = Math.abs(matrix.a - cosine) + Math.abs(matrix.b - sine) > SMALL_TURN;
    if (!isTurned && Math.abs(matrix.e - x) + Math.abs(matrix.f - y) < SMALL_MOVE) return;
    matrix.a = matrix.d = cosine;
    matrix.b = sine;
    matrix.c = -sine;
    matrix.e = x;
    matrix.f = y;
    this.#transform.setMatrix(matrix);
  }
}

/** A tilt for those who can't see the ball.
 * @param {Vector} tilt length 0…1 */
function leanInWords({ x, y }) {
  if (Math.hypot(x, y - 1) < UNSAID) return text("lean.none");
  if (Math.hypot(x, y) < UNSAID) return text("lean.flat");
  const eighth = Math.round((Math.atan2(y, x) * 4) / Math.PI);
  const direction = text(DIRECTIONS[(eighth + 8) % 8]);
  return text("lean.some", { direction, percent: Math.round(Math.hypot(x, y) * 10) * 10 });
}
