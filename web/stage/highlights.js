// @ts-check
import {
  INSTANCE_AGE, INSTANCE_FLOATS, INSTANCE_HOLDER, INSTANCE_SLOT, INSTANCE_WIDTH, SLOTS, THROWN,
} from "../core/wire.js";
import { MinuteBest } from "./bests.js";

/**
 * What is known of the world besides its stickers.
 * @typedef {object} Surroundings
 * @property {boolean} drops whether a flick throws what lies there, so that a sticker that starts and that no hand let go was thrown
 * @property {number} fall how much of gravity points down the screen, −1…1
 */

/** Pictures further apart say nothing of speeds: the page was hidden or busy, ms. */
const LONGEST = 120;
/** No hand makes a sticker faster, pt/s: what seems to be was corrected. */
const FASTEST = 10_000;
/** How fast two must meet for a hit that is worth telling, pt/s: a fall from the height of a hand. */
const LEAST_HIT = 300;
/** How fast a sticker is that may have pushed another one up, pt/s. */
const PUSHING = 300;
/** A sticker that lies is slower than this, pt/s. */
const AT_REST = 150;
/** How near things are that touch, points: half a sticker's diagonal, and the way of a picture. */
const NEAR = 14;
/** How long a throw lasts at most, ms: from one end of the pit to the other and back. */
const LONGEST_FLIGHT = 5000;
/** Younger stickers have just been thrown in, seconds. */
const NEW = 0.2;
/** Slower motion is only trembling, pt/s. */
const MOVING = 40;

/** The hardest hit and the highest throw of the last minute. Hits are the blows that the world tells of;
 * throws are seen in its pictures: where each sticker was in this one and in the three before.
 *
 * It looks at every sticker of every picture, and V8 boxes a float that is passed to a function which is not
 * inlined. So what is measured stands in arrays by slot, functions are told integers only, and lengths are
 * compared by their squares. */
export class Highlights {
  /** How fast the two met, pt/s. */
  hits = new MinuteBest();
  /** Heights above the place of the throw, points. */
  throws = new MinuteBest();
  /** When something moved last, ms. */
  movedAt = -Infinity;

  #picture = 0;
  /** When the last picture was, ms, and the time from the one before to it, seconds. */
  #now = -Infinity;
  #seconds = NaN;
  /** The picture in which a slot was seen last, and how many it was seen in without a break. */
  #seen = new Float64Array(SLOTS).fill(-1);
  #run = new Uint32Array(SLOTS);
  #x = new Float32Array(SLOTS);
  #y = new Float32Array(SLOTS);
  #age = new Float32Array(SLOTS);
  #holder = new Int32Array(SLOTS);
  /** The velocities with which each sticker came into the last three pictures, the newest first, pt/s. */
  #vx = new Float32Array(3 * SLOTS);
  #vy = new Float32Array(3 * SLOTS);
  /** When it was thrown, or −∞; from what height, the height since, and by whom. */
  #thrown = new Float64Array(SLOTS).fill(-Infinity);
  #from = new Float32Array(SLOTS);
  #top = new Float32Array(SLOTS);
  #thrower = new Int32Array(SLOTS);

  /** Begins anew: another world, or the same after a pause. */
  pause() {
    this.#seen.fill(-1);
    this.#thrown.fill(-Infinity);
  }

  /** Forgets what was told, too. */
  clear() {
    this.pause();
    this.hits.clear();
    this.throws.clear();
  }

  /** Two have met. What a hand moves has not hit anything.
   * @param {number} slot
   * @param {number} other −1 for a wall
   * @param {number} speed pt/s
   * @param {number} now ms */
  strike(slot, other, speed, now) {
    if (speed < LEAST_HIT || this.#isHeld(slot) || this.#isHeld(other)) return;
    this.hits.offer(speed, -1, now);
  }

  /** @param {number} slot */
  #isHeld(slot) {
    return slot >= 0 && this.#seen[slot] === this.#picture && this.#holder[slot] >= 0;
  }

  /** @param {Float32Array} instances of a picture
   * @param {Surroundings} world
   * @param {number} now */
  advance(instances, world, now) {
    const elapsed = now - this.#now;
    if (elapsed <= 0) return;
    if (elapsed > LONGEST) this.pause();
    this.#now = now;
    this.#seconds = elapsed / 1000;
    this.#picture += 1;
    this.throws.advance(now);
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) this.#look(instances, at, world);
  }

  /** @param {Float32Array} instances
   * @param {number} at
   * @param {Surroundings} world */
  #look(instances, at, world) {
    const slot = instances[at + INSTANCE_SLOT] | 0;
    const holder = instances[at + INSTANCE_HOLDER] | 0;
    const age = instances[at + INSTANCE_AGE];
    const isSame = this.#seen[slot] === this.#picture - 1 && age >= this.#age[slot];
    const run = isSame ? this.#run[slot] + 1 : 0;
    this.#measure(instances, at);
    const vx = this.#vx[slot];
    const vy = this.#vy[slot];
    const speedSquared = vx * vx + vy * vy;
    const isMeasured = run > 0 && speedSquared < FASTEST * FASTEST;
    if (!isSame) this.#thrown[slot] = -Infinity;
    if (isMeasured && speedSquared > MOVING * MOVING) this.movedAt = this.#now;
    const before = isSame ? this.#holder[slot] : -1;
    const isFree = holder < 0 && before < 0;
    const isLetGo = holder < 0 && before >= 0;
    const isThrownIn = isFree && run === 2 && age < NEW;
    // What a hand has moved was not flicked: speeds count anew from where it was let go.
    let goesOn = isFree && (isMeasured || !isSame);
    if (isMeasured && vy < -THROWN && (isLetGo || isThrownIn)) {
      this.#begin(slot, before, world);
    } else if (isMeasured && isFree && run > 3) {
      goesOn = this.#judge(instances, at, world);
    }
    this.#follow(slot, holder);
    this.#seen[slot] = this.#picture;
    this.#run[slot] = goesOn ? run : 0;
    this.#age[slot] = age;
    this.#holder[slot] = holder;
  }

  /** Notes where a sticker is and how fast it came there; what was noted before moves on.
   * @param {Float32Array} instances
   * @param {number} at */
  #measure(instances, at) {
    const slot = instances[at + INSTANCE_SLOT] | 0;
    const x = instances[at];
    const y = instances[at + 1];
    for (let place = slot + 2 * SLOTS; place > slot; place -= SLOTS) {
      this.#vx[place] = this.#vx[place - SLOTS];
      this.#vy[place] = this.#vy[place - SLOTS];
    }
    this.#vx[slot] = (x - this.#x[slot]) / this.#seconds;
    this.#vy[slot] = (y - this.#y[slot]) / this.#seconds;
    this.#x[slot] = x;
    this.#y[slot] = y;
  }

  /** Whether what lay has just been thrown up. The velocity is compared with that of two pictures ago,
   * because the picture between may show half of the start.
   * @param {Float32Array} instances
   * @param {number} at
   * @param {Surroundings} world
   * @returns {boolean} false for a push, whose speed is none to be judged by */
  #judge(instances, at, world) {
    const slot = instances[at + INSTANCE_SLOT] | 0;
    const ux = this.#vx[slot + 2 * SLOTS];
    const uy = this.#vy[slot + 2 * SLOTS];
    const lay = ux * ux + uy * uy < AT_REST * AT_REST;
    const isSudden = world.drops && lay && this.#vy[slot] < -2 * THROWN;
    if (!isSudden) return true;
    // It was flicked, unless something that touches it has pushed it.
    if (this.#wasPushed(instances, at)) return false;
    this.#begin(slot, -1, world);
    return true;
  }

  /** Begins to follow a throw. Where things fall up, its height says nothing.
   * @param {number} slot
   * @param {number} who
   * @param {Surroundings} world */
  #begin(slot, who, world) {
    if (world.fall <= 0) return;
    this.#thrown[slot] = this.#now;
    this.#from[slot] = this.#top[slot] = this.#y[slot];
    this.#thrower[slot] = who;
  }

  /** @param {number} slot
   * @param {number} holder */
  #follow(slot, holder) {
    if (this.#thrown[slot] === -Infinity) return;
    const y = this.#y[slot];
    const from = this.#from[slot];
    const isOver = holder >= 0 || y > from || this.#now - this.#thrown[slot] > LONGEST_FLIGHT;
    if (isOver) {
      this.#thrown[slot] = -Infinity;
      return;
    }
    if (y >= this.#top[slot]) return;
    this.#top[slot] = y;
    if (from - y > this.throws.least) this.throws.offer(from - y, this.#thrower[slot], this.#now);
  }

  /** Whether a sticker touches another one that was fast.
   * @param {Float32Array} instances
   * @param {number} at */
  #wasPushed(instances, at) {
    const x = instances[at];
    const y = instances[at + 1];
    const reach = instances[at + INSTANCE_WIDTH] / 2 + 2 * NEAR;
    for (let other = 0; other < instances.length; other += INSTANCE_FLOATS) {
      if (other === at) continue;
      const awayX = instances[other] - x;
      const awayY = instances[other + 1] - y;
      const most = reach + instances[other + INSTANCE_WIDTH] / 2;
      if (awayX * awayX + awayY * awayY > most * most) continue;
      const slot = instances[other + INSTANCE_SLOT] | 0;
      const vx = this.#vx[slot + SLOTS];
      const vy = this.#vy[slot + SLOTS];
      if (vx * vx + vy * vy >= PUSHING * PUSHING) return true;
    }
    return false;
  }
}
