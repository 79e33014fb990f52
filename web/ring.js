// @ts-check
import { leanInWords } from "./lean.js";

/** How far the ball's centre gets from the ring's, in the picture's units. */
const REACH = 34;

/** The ball in the ring: it lies where this person's stickers would roll, and can be dragged. The
 * arrow below it is everybody's tilt. */
export class TiltRing {
  /** Where the ball is held by a finger or the mouse. @type {{ x: number, y: number } | null} */
  held = null;

  #element;
  #ball;
  #arrow;
  /** @type {number | null} */ #pointer = null;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#ball = /** @type {SVGElement} */ (element.querySelector(".ball"));
    this.#arrow = /** @type {SVGElement} */ (element.querySelector(".everyone"));
    element.addEventListener("pointerdown", (event) => this.#grab(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
      element.addEventListener(end, (event) => this.#release(event));
    }
  }

  /** @param {{ x: number, y: number }} own @param {{ x: number, y: number }} everyone */
  draw(own, everyone) {
    const length = Math.min(1, Math.hypot(everyone.x, everyone.y));
    const angle = (Math.atan2(everyone.y, everyone.x) * 180) / Math.PI;
    const x = (own.x * REACH).toFixed(1);
    const y = (own.y * REACH).toFixed(1);
    place(this.#ball, `translate(${x} ${y})`);
    this.#tell(own);
    place(this.#arrow, `rotate(${angle.toFixed(1)}) scale(${length.toFixed(3)})`);
  }

  /** To screen readers: only when it would be said in other words.
   * @param {{ x: number, y: number }} own */
  #tell(own) {
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

/**
 * Touches the picture only when something has moved.
 * @param {SVGElement} element
 * @param {string} transform
 */
function place(element, transform) {
  if (element.getAttribute("transform") !== transform) element.setAttribute("transform", transform);
}
