// @ts-check
import { FlickTracker } from "./flick.js";
import { STICKER_SIZE } from "./sheet.js";

/** @typedef {import("./follower.js").Follower} Follower */
/** @typedef {import("./letterbox.js").Letterbox} Letterbox */
/** @typedef {{ x: number, y: number }} Vector */

/**
 * What fingers on the pit ask for; points in the world, velocities in pt/s.
 * @typedef {object} PitGestures
 * @property {(point: Vector) => void} dropped
 * @property {(point: Vector, velocity: Vector) => void} thrown
 * @property {(point: Vector) => Follower | null} pick the sticker there
 * @property {() => number} lead ms from what is seen to when the server acts
 */

/** @typedef {{ tracker: FlickTracker, sticker: Follower | null }} Finger */

/** A touch so far outside the world still means its edge, in CSS pixels. */
const TOLERANCE = 18;
/** Faster than this a sticker is only a streak, pt/s. */
const FASTEST = 6000;

/** Taps, flicks and the preview of the next sticker under the pointer. */
export class PitPointer {
  #canvas;
  #letterbox;
  #gestures;
  #ghost;
  /** @type {Map<number, Finger>} */ #fingers = new Map();

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} ghost the picture that previews the next sticker
   * @param {Letterbox} letterbox
   * @param {PitGestures} gestures
   */
  constructor(canvas, ghost, letterbox, gestures) {
    this.#canvas = canvas;
    this.#ghost = ghost;
    this.#letterbox = letterbox;
    this.#gestures = gestures;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", (event) => this.#forget(event));
    canvas.addEventListener("pointerleave", () => this.#hideGhost());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /**
   * Once a picture: the touched stickers move on.
   * @param {Float32Array} instances
   * @param {number} now ms
   */
  advance(instances, now) {
    for (const { sticker } of this.#fingers.values()) sticker?.advance(instances, now);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    const { x, y } = this.#place(event);
    const point = this.#worldPoint(x, y);
    if (!point) return;
    this.#canvas.setPointerCapture(event.pointerId);
    const tracker = new FlickTracker(x, y, event.timeStamp);
    this.#fingers.set(event.pointerId, { tracker, sticker: this.#gestures.pick(point) });
    this.#canvas.classList.add("pressed");
    this.#preview(x, y);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const finger = this.#fingers.get(event.pointerId);
    const events = finger ? (event.getCoalescedEvents?.() ?? []) : [];
    for (const step of events.length > 0 ? events : [event]) {
      const { x, y } = this.#place(step);
      finger?.tracker.add(x, y, step.timeStamp);
    }
    const { x, y } = this.#place(event);
    if (finger || event.pointerType === "mouse") this.#preview(x, y);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const finger = this.#fingers.get(event.pointerId);
    this.#forget(event);
    if (!finger) return;
    const { x, y } = this.#place(event);
    finger.tracker.add(x, y, event.timeStamp);
    const velocity = finger.tracker.velocity(event.timeStamp);
    if (velocity) this.#throw(finger, velocity);
    else this.#drop(x, y);
    if (event.pointerType === "mouse") this.#preview(x, y);
  }

  /** @param {PointerEvent} event */
  #forget(event) {
    this.#fingers.delete(event.pointerId);
    if (this.#fingers.size > 0) return;
    this.#canvas.classList.remove("pressed");
    this.#hideGhost();
  }

  /** @param {number} x @param {number} y */
  #drop(x, y) {
    const point = this.#worldPoint(x, y);
    if (point) this.#gestures.dropped(point);
  }

  /** @param {Finger} finger @param {Vector} velocity CSS pixels a second */
  #throw({ tracker, sticker }, velocity) {
    const touched = this.#worldPoint(tracker.start.x, tracker.start.y);
    const point = sticker ? sticker.predict(this.#gestures.lead()) : touched;
    if (!point) return;
    const speed = Math.hypot(velocity.x, velocity.y) / this.#letterbox.scale;
    const factor = Math.min(1, FASTEST / speed) / this.#letterbox.scale;
    this.#gestures.thrown(point, { x: velocity.x * factor, y: velocity.y * factor });
  }

  /** Shows the next sticker where it would fall; over a sticker the hand that would throw it.
   * @param {number} x @param {number} y */
  #preview(x, y) {
    const point = this.#worldPoint(x, y);
    const onSticker = point !== null && this.#gestures.pick(point) !== null;
    this.#canvas.classList.toggle("over-sticker", onSticker);
    if (!point || onSticker) return this.#hideGhost();
    const { scale } = this.#letterbox;
    const place = this.#letterbox.toCanvas(point.x, point.y);
    const size = STICKER_SIZE * scale;
    this.#ghost.style.width = this.#ghost.style.height = `${size}px`;
    this.#ghost.style.transform = `translate(${place.x - size / 2}px, ${place.y - size / 2}px)`;
    this.#ghost.hidden = false;
  }

  #hideGhost() {
    this.#ghost.hidden = true;
  }

  /**
   * The place in the world, or null outside of it.
   * @param {number} x CSS pixels
   * @param {number} y
   */
  #worldPoint(x, y) {
    const point = this.#letterbox.toWorld(x, y);
    const inside = this.#letterbox.clamp(point, 0);
    const away = Math.hypot(point.x - inside.x, point.y - inside.y) * this.#letterbox.scale;
    return away > TOLERANCE ? null : this.#letterbox.clamp(point, STICKER_SIZE / 2);
  }

  /** @param {MouseEvent} event @returns {Vector} CSS pixels in the canvas */
  #place(event) {
    const box = this.#canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}
