// @ts-check
import { KeptFloats } from "../core/keptfloats.js";
import { clamp } from "../core/vector.js";
import {
  INSTANCE_FLOATS, INSTANCE_HEIGHT, INSTANCE_HOLDER, INSTANCE_SLOT, INSTANCE_WIDTH,
} from "../core/wire.js";

/** Floats of a sticker's form: how far it is peeled off, 0…1; how much it is pressed flat, and the
 * direction in which it is, radians; how far above its place it is drawn, points. */
export const FORM_FLOATS = 4;

/** How long peeling takes, ms. */
const PEEL = 120;
/** What is peeled off is nearer: by what share it is larger, and by how many points at most, or a card would
 * hide the pit. */
export const [GROWTH, MOST_GROWTH] = [0.3, 30];
/** What has just come grows past its size and settles: how many seconds that takes, and 1 + cubic·t³ + square·t²
 * while t goes from −1 to 0. */
export const POP = Object.freeze({ seconds: 0.26, cubic: 2.9, square: 1.9 });
/** How much of what a sticker loses along a blow it gains across. */
export const WIDER = 0.6;
/** How much of a sticker's corner curls up, in halves of its shorter side, and at most in points. */
export const CURL = Object.freeze({ share: 0.27, most: 13 });
/** How far the halo around what is held goes beyond it, points; its shadow goes no farther. */
const HALO = 8;
/** How far around its middle a finger hides what is there, CSS pixels. */
const FINGER = 44;

/** Slower blows than the first are not seen; from the second on a blow flattens as much as any, pt/s. */
const [GENTLE, HARD] = [140, 1600];
/** The most by which a blow flattens a sticker: a quarter. */
const FLATTEST = 0.25;
/** A flattened sticker springs back: how many ms a swing takes, and in how many it fades to 37 %. */
const [SWING, DECAY] = [170, 75];
/** After how many ms nothing is seen of it any more. */
const SETTLED = 400;
/** How much a sticker is flattened when it is let go, and lands. */
const LANDING = 0.16;
/** A second blow counts if it is harder by this factor than what is left of the first. */
const HARDER = 1.3;

const NONE = new Float32Array(0);

/** How much larger a sticker is drawn.
 * @param {number} lift 0…1
 * @param {number} size points */
export function growthOf(lift, size) {
  return 1 + lift * Math.min(GROWTH, MOST_GROWTH / size);
}

/** What stickers look like for a moment: pressed flat by a blow, peeled off by a hand. By slots,
 * in memory that is kept from picture to picture. Functions that are called for each sticker are told integers
 * only: V8 boxes a float that is passed to a function which is not inlined. */
export class Forms {
  #letterbox;
  #calm = matchMedia("(prefers-reduced-motion: reduce)");
  /** How far each slot's sticker is peeled off, and whether it was held in the last picture. */
  #lifts = new Float32Array(64);
  #held = new Uint8Array(64);
  /** Whether it is held by a finger of this person's. */
  #underFinger = new Uint8Array(64);
  /** The last blow of each slot's sticker: when, ms, how hard, and in what direction. */
  #times = new Float64Array(64).fill(-Infinity);
  #strengths = new Float32Array(64);
  #angles = new Float32Array(64);
  /** How hard and in what direction the blow is that is being noted. */
  #strength = 0;
  #angle = 0;
  #kept = new KeptFloats();
  /** When the last picture was, ms, and by how much what is held is peeled off farther in this one. */
  #now = 0;
  #step = 1;

  /** @param {import("./letterbox.js").Letterbox} letterbox where the world lies on the canvas */
  constructor(letterbox) {
    this.#letterbox = letterbox;
  }

  /** A blow presses both that met along its direction.
   * @param {Float32Array} effects in which its numbers begin
   * @param {number} at there
   * @param {number} now ms */
  strike(effects, at, now) {
    const speed = effects[at + 4];
    if (speed < GENTLE) return;
    this.#strength = FLATTEST * Math.min(1, (speed - GENTLE) / (HARD - GENTLE)) ** 0.7;
    this.#angle = Math.atan2(effects[at + 6], effects[at + 5]);
    this.#press(effects[at + 2] | 0, now);
    this.#press(effects[at + 3] | 0, now);
  }

  /**
   * Something presses a sticker flat.
   * @param {number} slot
   * @param {number} strength the share by which it is flatter at once
   * @param {number} angle of the blow, radians
   * @param {number} now ms
   */
  press(slot, strength, angle, now) {
    this.#strength = strength;
    this.#angle = angle;
    this.#press(slot, now);
  }

  /** As hard and in the direction as noted.
   * @param {number} slot
   * @param {number} now */
  #press(slot, now) {
    if (slot < 0 || this.#calm.matches) return;
    this.#reach(slot);
    const left = this.#strengths[slot] * Math.exp(-(now - this.#times[slot]) / DECAY);
    if (this.#strength < left * HARDER) return;
    this.#times[slot] = now;
    this.#strengths[slot] = this.#strength;
    this.#angles[slot] = this.#angle;
  }

  /** A finger has taken it: it is shown above the finger, which would hide it.
   * @param {number} slot */
  takeUnderFinger(slot) {
    this.#reach(slot);
    this.#underFinger[slot] = 1;
  }

  /** In another world the slots are those of other stickers. */
  forget() {
    this.#lifts.fill(0);
    this.#held.fill(0);
    this.#underFinger.fill(0);
    this.#times.fill(-Infinity);
  }

  /**
   * The forms of a picture's stickers, in their order; empty while all of them lie flat.
   * @param {Float32Array} instances
   * @param {number} now ms
   * @returns {Float32Array} valid until the next call
   */
  of(instances, now) {
    this.#step = this.#calm.matches ? 1 : clamp((now - this.#now) / PEEL, 0, 1);
    this.#now = now;
    const count = instances.length / INSTANCE_FLOATS;
    this.#kept.fit(count * FORM_FLOATS);
    const { floats } = this.#kept;
    let isAny = false;
    for (let index = 0; index < count; index += 1) {
      const at = index * INSTANCE_FLOATS;
      const slot = instances[at + INSTANCE_SLOT] | 0;
      if (slot >= this.#lifts.length) this.#reach(slot);
      this.#peel(slot, instances[at + INSTANCE_HOLDER] >= 0);
      const form = index * FORM_FLOATS;
      for (let float = form; float < form + FORM_FLOATS; float += 1) floats[float] = 0;
      const isPeeled = this.#lifts[slot] > 0;
      const isPressed = now - this.#times[slot] < SETTLED;
      if (isPressed) this.#squash(slot, form);
      if (isPeeled) this.#lift(instances, at, slot, form);
      if (isPeeled || isPressed) isAny = true;
    }
    return isAny ? this.#kept.first(count * FORM_FLOATS) : NONE;
  }

  /** @param {number} slot
   * @param {boolean} isHeld */
  #peel(slot, isHeld) {
    if (!isHeld && this.#held[slot] === 1) this.press(slot, LANDING, Math.PI / 2, this.#now);
    this.#held[slot] = isHeld ? 1 : 0;
    const lift = this.#lifts[slot];
    if (isHeld ? lift === 1 : lift === 0) return;
    this.#lifts[slot] = isHeld ? Math.min(1, lift + this.#step) : Math.max(0, lift - this.#step);
    if (this.#lifts[slot] === 0) this.#underFinger[slot] = 0;
  }

  /** Writes how much it is pressed flat, and in what direction.
   * @param {number} slot
   * @param {number} form where its form begins */
  #squash(slot, form) {
    const { floats } = this.#kept;
    const elapsed = Math.max(0, this.#now - this.#times[slot]);
    const swing = Math.cos((2 * Math.PI * elapsed) / SWING);
    floats[form + 1] = this.#strengths[slot] * Math.exp(-elapsed / DECAY) * swing;
    floats[form + 2] = this.#angles[slot];
  }

  /** Writes how far it is peeled off, at most as far as it can be where it is (at a wall the canvas's edge would
   * cut it off), and how far above its place it is drawn.
   * @param {Float32Array} instances
   * @param {number} at
   * @param {number} slot
   * @param {number} form where its form begins */
  #lift(instances, at, slot, form) {
    const { floats } = this.#kept;
    const { left, top, scale, worldWidth, worldHeight } = this.#letterbox;
    const x = instances[at];
    const y = instances[at + 1];
    const across = Math.abs(instances[at + 2]) / 2;
    const down = Math.abs(instances[at + 3]) / 2;
    const width = instances[at + INSTANCE_WIDTH];
    const height = instances[at + INSTANCE_HEIGHT];
    // By how much more of itself it may grow, with its halo, before it meets an edge at the sides, or above
    // or below.
    const roomAcross = Math.min(x, worldWidth - x) + left / scale - HALO;
    const roomDown = Math.min(y, worldHeight - y) + top / scale - HALO;
    const room = Math.min(
      roomAcross / (width * across + height * down) - 1,
      roomDown / (width * down + height * across) - 1,
    );
    const most = clamp(room / (growthOf(1, width) - 1), 0, 1);
    const lift = this.#lifts[slot];
    floats[form] = Math.min(lift * lift * (3 - 2 * lift), most);
    if (this.#underFinger[slot] === 1) this.#raise(instances, at, form);
  }

  /** Writes how far above its place it is drawn, points: as far as the finger would hide it, but not out of
   * the world.
   * @param {Float32Array} instances
   * @param {number} at
   * @param {number} form where its form begins; how far it is peeled off stands there */
  #raise(instances, at, form) {
    const { floats } = this.#kept;
    const height = instances[at + INSTANCE_HEIGHT];
    const hidden = FINGER / this.#letterbox.scale;
    if (height >= hidden) return;
    const room = Math.max(0, instances[at + 1] - height * 0.65);
    floats[form + 3] = Math.min(room, hidden - height / 2) * floats[form];
  }

  /** Makes room for a slot.
   * @param {number} slot */
  #reach(slot) {
    if (slot < this.#lifts.length) return;
    const size = Math.max(slot + 1, 2 * this.#lifts.length);
    this.#lifts = grown(this.#lifts, new Float32Array(size));
    this.#held = grown(this.#held, new Uint8Array(size));
    this.#underFinger = grown(this.#underFinger, new Uint8Array(size));
    this.#times = grown(this.#times, new Float64Array(size).fill(-Infinity));
    this.#strengths = grown(this.#strengths, new Float32Array(size));
    this.#angles = grown(this.#angles, new Float32Array(size));
  }
}

/** @template {Float32Array | Float64Array | Uint8Array} Numbers
 * @param {Numbers} from
 * @param {Numbers} to
 * @returns {Numbers} to */
function grown(from, to) {
  to.set(from);
  return to;
}
