// @ts-check
import { lengthOf } from "../core/vector.js";
import { INSTANCE_FLOATS } from "../core/wire.js";
import { MinuteBest } from "./bests.js";

/**
 * What is known of the world besides its stickers.
 * @typedef {object} Surroundings
 * @property {number} width points
 * @property {number} height
 * @property {boolean} drops whether flicks throw what lies: only there a start without a hand is one
 * @property {number} fall how much of gravity points down the screen, −1…1
 */

/** Slots that there may be (`WireLimits.bodies`). */
const SLOTS = 16_384;
/** Pictures further apart say nothing of speeds: the page was hidden or busy, ms. */
const LONGEST = 120;
/** No hand makes a sticker faster, pt/s: what seems to be was corrected. */
const FASTEST = 10_000;
/** A change of speed that is worth telling, pt/s: a fall from the height of a hand. */
const LEAST_HIT = 300;
/** How fast upwards a sticker is thrown, pt/s: the page's own measure of a throw. */
const LEAST_THROW = 300;
/** A sticker that lies is slower than this, pt/s. */
const AT_REST = 150;
/** How near things are that touch, points: half a sticker's diagonal, and the way of a picture. */
const NEAR = 14;
/** A throw is over after so long, ms: from one end of the pit to the other and back. */
const LONGEST_FLIGHT = 5000;
/** Younger stickers have just been thrown in, seconds. */
const NEW = 0.2;
/** Slower motion is only trembling, pt/s. */
const MOVING = 40;

/** The hardest hit and the highest throw of the last minute, seen from the pictures of the world:
 * where each sticker was in this one and in the four before. */
export class Highlights {
  /** Changes of speed, pt/s. */
  hits = new MinuteBest();
  /** Heights above the place of the throw, points. */
  throws = new MinuteBest();
  /** When something moved last, ms. */
  movedAt = -Infinity;

  #picture = 0;
  #last = -Infinity;
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

  /** @param {Float32Array} instances of a picture @param {Surroundings} world @param {number} now */
  advance(instances, world, now) {
    const elapsed = now - this.#last;
    if (elapsed <= 0) return;
    if (elapsed > LONGEST) this.pause();
    this.#last = now;
    this.#picture += 1;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      this.#look(instances, at, world, elapsed / 1000, now);
    }
  }

  /** @param {Float32Array} instances @param {number} at @param {Surroundings} world
   * @param {number} seconds @param {number} now */
  #look(instances, at, world, seconds, now) {
    const x = instances[at];
    const y = instances[at + 1];
    const age = instances[at + 7];
    const slot = instances[at + 8];
    const holder = instances[at + 9];
    const isSame = this.#seen[slot] === this.#picture - 1 && age >= this.#age[slot];
    const run = isSame ? this.#run[slot] + 1 : 0;
    const vx = (x - this.#x[slot]) / seconds;
    const vy = (y - this.#y[slot]) / seconds;
    const speed = lengthOf(vx, vy);
    const isMeasured = run > 0 && speed < FASTEST;
    if (!isSame) this.#thrown[slot] = -Infinity;
    if (isMeasured && speed > MOVING) this.movedAt = now;
    const before = isSame ? this.#holder[slot] : -1;
    const isFree = holder < 0 && before < 0;
    const isLetGo = holder < 0 && before >= 0;
    const isThrownIn = isFree && run === 2 && age < NEW;
    // What a hand has moved was not hit: speeds count anew from where it was let go.
    let goesOn = isFree && (isMeasured || !isSame);
    if (isMeasured && vy < -LEAST_THROW && (isLetGo || isThrownIn)) {
      this.#begin(slot, y, before, world, now);
    } else if (isMeasured && isFree && run > 3) {
      goesOn = this.#judge(instances, at, world, vx, vy, now);
    }
    this.#follow(slot, y, holder, now);
    this.#seen[slot] = this.#picture;
    this.#run[slot] = goesOn ? run : 0;
    this.#x[slot] = x;
    this.#y[slot] = y;
    this.#age[slot] = age;
    this.#holder[slot] = holder;
    this.#vx[slot + 2 * SLOTS] = this.#vx[slot + SLOTS];
    this.#vy[slot + 2 * SLOTS] = this.#vy[slot + SLOTS];
    this.#vx[slot + SLOTS] = this.#vx[slot];
    this.#vy[slot + SLOTS] = this.#vy[slot];
    this.#vx[slot] = vx;
    this.#vy[slot] = vy;
  }

  /** Compares the velocity with that of two pictures ago. The picture between is left out: it may
   * show half of a hit, or a corrected place after which the sticker goes on as before.
   * @param {Float32Array} instances @param {number} at @param {Surroundings} world
   * @param {number} vx @param {number} vy @param {number} now
   * @returns {boolean} false for a push, whose speed is none to be judged by */
  #judge(instances, at, world, vx, vy, now) {
    const slot = instances[at + 8];
    const y = instances[at + 1];
    const ux = this.#vx[slot + SLOTS];
    const uy = this.#vy[slot + SLOTS];
    const was = lengthOf(ux, uy);
    const change = lengthOf(vx - ux, vy - uy);
    if (was >= LEAST_HIT) {
      // A hit makes nothing faster, and before it a sticker went straight on; neither is true of a
      // place that is corrected little by little.
      const wx = this.#vx[slot + 2 * SLOTS];
      const wy = this.#vy[slot + 2 * SLOTS];
      const isSteady = lengthOf(ux - wx, uy - wy) < was / 4;
      const isSlower = lengthOf(vx, vy) < 1.05 * was;
      const isHit = change >= LEAST_HIT && isSteady && isSlower && this.hits.beats(change, now);
      if (isHit && this.#touches(instances, at, world, 0)) this.hits.offer(change, -1, now);
      return true;
    }
    const isSudden = world.drops && was < AT_REST && vy < -2 * LEAST_THROW;
    if (!isSudden) return true;
    // It was flicked, unless something that touches it has pushed it.
    if (this.#touches(instances, at, null, LEAST_HIT)) return false;
    this.#begin(slot, y, -1, world, now);
    return true;
  }

  /** Begins to follow a throw. Where things fall up, its height says nothing.
   * @param {number} slot @param {number} y @param {number} who @param {Surroundings} world
   * @param {number} now */
  #begin(slot, y, who, world, now) {
    if (world.fall <= 0) return;
    this.#thrown[slot] = now;
    this.#from[slot] = this.#top[slot] = y;
    this.#thrower[slot] = who;
  }

  /** @param {number} slot @param {number} y @param {number} holder @param {number} now */
  #follow(slot, y, holder, now) {
    if (this.#thrown[slot] === -Infinity) return;
    const isOver =
      holder >= 0 || y > this.#from[slot] || now - this.#thrown[slot] > LONGEST_FLIGHT;
    if (isOver) {
      this.#thrown[slot] = -Infinity;
      return;
    }
    if (y >= this.#top[slot]) return;
    this.#top[slot] = y;
    this.throws.offer(this.#from[slot] - y, this.#thrower[slot], now);
  }

  /** Whether a sticker touches a wall, or another one that was so fast.
   * @param {Float32Array} instances @param {number} at
   * @param {Surroundings | null} world null where walls don't count @param {number} least pt/s */
  #touches(instances, at, world, least) {
    const [x, y, width] = [instances[at], instances[at + 1], instances[at + 4]];
    const reach = width / 2 + NEAR;
    if (world) {
      const edge = Math.min(x, y, world.width - x, world.height - y);
      if (edge < reach) return true;
    }
    for (let other = 0; other < instances.length; other += INSTANCE_FLOATS) {
      if (other === at) continue;
      const distance = lengthOf(instances[other] - x, instances[other + 1] - y);
      if (distance > reach + instances[other + 4] / 2 + NEAR) continue;
      const slot = instances[other + 8];
      const speed = lengthOf(this.#vx[slot + SLOTS], this.#vy[slot + SLOTS]);
      if (speed >= least) return true;
    }
    return false;
  }
}
