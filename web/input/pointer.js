// @ts-check
import { STICKER_SIZE } from "../draw/sheet.js";
import { FlickTracker } from "./flick.js";

/** @typedef {import("../play/movingsticker.js").MovingSticker} MovingSticker */
/** @typedef {import("../draw/letterbox.js").Letterbox} Letterbox */
/** @typedef {import("../core/vector.js").Vector} Vector */

/**
 * What fingers on the pit ask for; points in the world, velocities in pt/s.
 * @typedef {object} PitGestures
 * @property {(point: Vector, slot: number) => boolean} tapped on a sticker, or −1; heard at once, and
 *   whether it was done
 * @property {(point: Vector, velocity: Vector, onSticker: boolean) => boolean} thrown whether it was
 * @property {(point: Vector) => MovingSticker | null} pick the sticker there
 * @property {(point: Vector, slack: number) => number} slotAt the sticker there, or −1
 * @property {(slot: number, point: Vector, isFinger: boolean) => boolean} grabbed whether it may be
 *   tried
 * @property {(slot: number, point: Vector) => void} dragged
 * @property {(slot: number, velocity: Vector) => boolean} released whether it was held
 * @property {() => boolean} drops whether a tap drops something
 * @property {() => number} lead ms from what is seen to when the server acts
 */

/**
 * A finger on a sticker waits until it is clear what it wants: a short hold or a move takes the
 * sticker, lifting it at once is a tap.
 * @typedef {object} Finger
 * @property {FlickTracker} tracker
 * @property {MovingSticker | null} sticker
 * @property {Vector} start in the world
 * @property {number} slot of the sticker that it holds or moves, or −1
 * @property {number} tapped of the sticker that it taps, or −1 for none. Where taps on the floor
 *   drop stickers, only a tap right on a sticker counts
 * @property {number} drag how far it moves before it takes the sticker, CSS pixels
 * @property {"waiting" | "holding" | "free"} mode
 * @property {number} timer of the hold
 */

/** How long a finger rests on a sticker before it takes it, ms. */
const HOLD = 220;
/** How far one moves that takes it at once, CSS pixels: a finger that only taps or rests rolls
 * by up to 10 (Android's touch slop is 8 dp, iOS' 10 pt), a mouse by less. */
const DRAG = { finger: 10, mouse: 7 };
/** How far from a finger's middle a sticker may be that is held or moved, CSS pixels. */
const FINGER_SLACK = 10;

/** How far outside the world a touch may be that still means its edge, CSS pixels. */
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
    canvas.addEventListener("lostpointercapture", (event) => this.#lose(event));
    canvas.addEventListener("pointerleave", () => this.#hideGhost());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /**
   * Once a picture: the touched stickers move on.
   * @param {Float32Array} instances
   * @param {number} now ms
   */
  advance(instances, now) {
    if (this.#fingers.size === 0) return;
    for (const { sticker } of this.#fingers.values()) sticker?.advance(instances, now);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    const { x, y } = this.#place(event);
    const point = this.#worldPoint(x, y);
    if (!point) return;
    this.#canvas.setPointerCapture(event.pointerId);
    const isMouse = event.pointerType === "mouse";
    const slack = isMouse ? 0 : FINGER_SLACK / this.#letterbox.scale;
    const start = this.#letterbox.toWorld(x, y);
    const slot = this.#gestures.slotAt(start, slack);
    /** @type {Finger} */
    const finger = {
      tracker: new FlickTracker(x, y, event.timeStamp),
      sticker: this.#gestures.pick(point),
      start,
      slot,
      tapped: this.#gestures.drops() ? this.#gestures.slotAt(start, 0) : slot,
      drag: isMouse ? DRAG.mouse : DRAG.finger,
      mode: slot < 0 ? "free" : "waiting",
      timer: 0,
    };
    if (slot >= 0) finger.timer = setTimeout(() => this.#take(finger), HOLD);
    this.#fingers.set(event.pointerId, finger);
    this.#canvas.classList.add("pressed");
    this.#preview(x, y);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    // The button was let go outside the page, which is told nothing of it.
    if (event.pointerType === "mouse" && event.buttons === 0) this.#forget(event);
    const finger = this.#fingers.get(event.pointerId);
    const events = finger ? (event.getCoalescedEvents?.() ?? []) : [];
    for (const step of events.length > 0 ? events : [event]) {
      const { x, y } = this.#place(step);
      finger?.tracker.add(x, y, step.timeStamp);
    }
    const { x, y } = this.#place(event);
    if (finger?.mode === "waiting" && finger.tracker.moved > finger.drag) this.#take(finger);
    if (finger?.mode === "holding") this.#drag(finger, x, y);
    else if (finger || event.pointerType === "mouse") this.#preview(x, y);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) return this.#forget(event);
    const { x, y } = this.#place(event);
    finger.tracker.add(x, y, event.timeStamp);
    if (finger.mode === "waiting" && finger.tracker.moved > finger.drag) this.#take(finger);
    if (finger.mode === "holding") {
      this.#drag(finger, x, y);
      this.#letGo(finger, finger.tracker.speed(event.timeStamp));
      return this.#forget(event);
    }
    this.#forget(event);
    const velocity = finger.tracker.velocity(event.timeStamp);
    const point = this.#worldPoint(x, y);
    if (velocity) this.#throw(finger, velocity);
    else if (point) this.#gestures.tapped(point, finger.tapped);
    if (event.pointerType === "mouse") this.#preview(x, y);
  }

  /** @param {Finger} finger */
  #take(finger) {
    clearTimeout(finger.timer);
    if (finger.mode !== "waiting") return;
    const isFinger = finger.drag === DRAG.finger;
    const isTried = this.#gestures.grabbed(finger.slot, finger.start, isFinger);
    finger.mode = isTried ? "holding" : "free";
    this.#hideGhost();
  }

  /** @param {Finger} finger
   * @param {number} x
   * @param {number} y */
  #drag(finger, x, y) {
    this.#gestures.dragged(finger.slot, this.#letterbox.toWorld(x, y));
  }

  /** @param {Finger} finger
   * @param {Vector} velocity CSS pixels a second */
  #letGo(finger, velocity) {
    finger.mode = "free";
    this.#gestures.released(finger.slot, this.#inWorld(velocity));
  }

  /** No finger counts any more until it is put down again, and no mouse until it moves. */
  forgetAll() {
    for (const pointerId of [...this.#fingers.keys()]) this.#forget({ pointerId });
    this.#hideGhost();
  }

  /** @param {{ pointerId: number }} event */
  #forget(event) {
    const finger = this.#fingers.get(event.pointerId);
    clearTimeout(finger?.timer);
    // If the system has taken the finger away, what it held is let go without speed.
    if (finger?.mode === "holding") this.#letGo(finger, { x: 0, y: 0 });
    this.#fingers.delete(event.pointerId);
    if (this.#fingers.size > 0) return;
    this.#canvas.classList.remove("pressed");
    this.#hideGhost();
  }

  /** A browser that was busy may take the capture from a pressed pointer: it is taken back. With
   * all buttons up, no event follows except a pointerup that is already queued.
   * @param {PointerEvent} event */
  #lose(event) {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) return;
    if (event.buttons !== 0) return this.#canvas.setPointerCapture(event.pointerId);
    setTimeout(() => this.#fingers.get(event.pointerId) === finger && this.#forget(event));
  }

  /** @param {Finger} finger
   * @param {Vector} velocity CSS pixels a second */
  #throw({ tracker, sticker }, velocity) {
    const touched = this.#worldPoint(tracker.start.x, tracker.start.y);
    const point = sticker ? sticker.predict(this.#gestures.lead()) : touched;
    if (!point) return;
    this.#gestures.thrown(point, this.#inWorld(velocity), sticker !== null);
  }

  /** @param {Vector} velocity CSS pixels a second
   * @returns {Vector} pt/s, at most the fastest */
  #inWorld(velocity) {
    const speed = Math.hypot(velocity.x, velocity.y) / this.#letterbox.scale;
    const factor = Math.min(1, FASTEST / Math.max(speed, 1)) / this.#letterbox.scale;
    return { x: velocity.x * factor, y: velocity.y * factor };
  }

  /** Shows the next sticker where it would fall; over a sticker the hand that would throw it.
   * @param {number} x
   * @param {number} y */
  #preview(x, y) {
    const point = this.#worldPoint(x, y);
    const onSticker = point !== null && this.#gestures.pick(point) !== null;
    this.#canvas.classList.toggle("over-sticker", onSticker);
    if (!point || onSticker || !this.#gestures.drops()) return this.#hideGhost();
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

  /** @param {MouseEvent} event
   * @returns {Vector} CSS pixels in the canvas */
  #place(event) {
    const box = this.#canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}
