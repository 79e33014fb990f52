// @ts-check
import { clamp, lengthOf } from "../core/vector.js";
import {
  BOUNDARY_FLOATS, EFFECT, EFFECT_FLOATS, INSTANCE_AGE, INSTANCE_FLOATS, INSTANCE_HEIGHT,
  INSTANCE_HOLDER, INSTANCE_KIND, INSTANCE_SLOT, INSTANCE_WIDTH, SLOTS, THROWN,
} from "../core/wire.js";

/** Effects of a picture: more at a time are neither heard nor seen. */
const MOST = 12;
/** How many stickers of a picture are compared with all others and all walls at most: of what seems to have
 * struck something, but is near nothing, there may be any number. */
const MOST_COMPARED = 2 * MOST;
/** From pictures further apart than this, ms, no speed can be told. */
const LONGEST = 150;
/** Nothing moves faster, pt/s: what seems to was put elsewhere by a correction. */
const FASTEST = 6000;
/** A blow takes away at least the first speed, pt/s, and more than gravity can: that changes a speed by
 * the second number in a second. */
const [LEAST, GRAVITY] = [120, 1500];
/** From one picture to the next a sticker moves on evenly if its velocity changes by what gravity can and by
 * this part of itself at most: the shown time may run a quarter slower or faster than the server's. */
const UNEVEN = 0.3;
/** How a sticker must have moved for a blow, a bit for each picture, the newest lowest: in three evenly,
 * and then in one not. The newest picture shows what the blow has left, in which the sticker may move any way. */
const [LOOKED_AT, BLOW] = [0b11110, 0b11100];
/** How long after a blow a sticker rests from blows, ms: its speed changes over some pictures. So does
 * one that has become faster at once: if its place was put right, that ends like a blow. */
const REST = 120;
/** Younger stickers are still pushed apart by their neighbours, seconds. */
const NEW = 0.25;
/** How many points away from a sticker's edge is what it struck, at most. */
const NEAR = 12;
/** And it lies ahead: the angle between the way to it and the direction of the blow has at least this
 * cosine, which is 53 degrees. */
const AHEAD = 0.6;

/**
 * What is known of the world besides its stickers; the module is one of these.
 * @typedef {object} Surroundings
 * @property {boolean} isFrozen whether the world stands still, without having struck anything
 * @property {{ width: number, height: number }} world its size, points
 * @property {Float32Array} boundaryNumbers its walls and ledges, `BOUNDARY_FLOATS` numbers each
 */

/** Effects as the module tells them of a world that it runs (`TickEffect`), read from pictures of one that
 * it does not: a sticker that loses its speed from one picture to the next has struck something.
 *
 * A place that is put right, or a frame that comes late, looks like a blow for a picture or two. So a blow
 * is told one picture after it was seen first, and only of a sticker that moved evenly before it and is
 * near something that it can have struck.
 *
 * Every sticker of every picture is looked at, and V8 boxes a float that is passed to a function which is
 * not inlined. So what is measured stands in arrays by slot, and functions that are called for each sticker
 * are told integers only. */
export class SeenEffects {
  numbers = new Float32Array(MOST * EFFECT_FLOATS);
  #count = 0;
  /** Stickers of this picture that were compared with all others. */ #compared = 0;
  #picture = 0;
  /** When the last picture was, ms; the time from the one before to it, seconds; and the speed that a blow
   * takes away at least in pictures with that time between them, pt/s. */
  #now = -Infinity;
  #seconds = NaN;
  #least = LEAST;
  /** By slot: the picture in which it was seen last, and whether it moved evenly in that one and those
   * before, a bit for each, the newest lowest. */
  #seen = new Float64Array(SLOTS).fill(-2);
  #even = new Uint8Array(SLOTS);
  #x = new Float32Array(SLOTS);
  #y = new Float32Array(SLOTS);
  #age = new Float32Array(SLOTS);
  #holder = new Int32Array(SLOTS);
  /** The velocities with which each sticker came into the last three pictures, the newest first, pt/s; NaN
   * where it was not in the picture before. */
  #vx = new Float32Array(3 * SLOTS);
  #vy = new Float32Array(3 * SLOTS);
  /** When it last had a blow or became faster at once, ms. */
  #restsSince = new Float64Array(SLOTS).fill(-Infinity);

  forget() {
    this.#seen.fill(-2);
  }

  /**
   * Looks at the next picture.
   * @param {Float32Array} instances
   * @param {Surroundings} around
   * @param {number} now ms
   * @returns {number} how many effects there are now in `numbers`
   */
  look(instances, around, now) {
    this.#count = this.#compared = 0;
    const elapsed = now - this.#now;
    if (elapsed <= 0) return 0;
    if (elapsed > LONGEST || around.isFrozen) this.forget();
    this.#now = now;
    this.#seconds = elapsed / 1000;
    this.#least = LEAST + 2 * this.#seconds * GRAVITY;
    // If all stopped dead at once, the stream has stalled, and the next motion says nothing of the
    // time before.
    if (this.#isLastPicture(instances)) {
      this.#even.fill(0);
      return 0;
    }
    this.#picture += 1;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      this.#follow(instances, at, around);
    }
    return this.#count;
  }

  /** Whether all lie where they lay, in the same hands.
   * @param {Float32Array} instances */
  #isLastPicture(instances) {
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      const slot = instances[at + INSTANCE_SLOT];
      const isThere = this.#x[slot] === instances[at] && this.#y[slot] === instances[at + 1];
      const isHeldAlike = this.#holder[slot] === instances[at + INSTANCE_HOLDER];
      if (this.#seen[slot] !== this.#picture || !isThere || !isHeldAlike) return false;
    }
    return true;
  }

  /** @param {Float32Array} instances
   * @param {number} at
   * @param {Surroundings} around */
  #follow(instances, at, around) {
    const slot = instances[at + INSTANCE_SLOT] | 0;
    const holder = instances[at + INSTANCE_HOLDER] | 0;
    const age = instances[at + INSTANCE_AGE];
    const isSame = this.#seen[slot] === this.#picture - 1 && age >= this.#age[slot];
    const before = isSame ? this.#holder[slot] : holder;
    this.#measure(instances, at, isSame);
    const vx = this.#vx[slot];
    const vy = this.#vy[slot];
    const speedSquared = vx * vx + vy * vy;
    if (holder >= 0 && before < 0) this.#note(EFFECT.taken, holder, instances, at, -1, 0, 0, 0);
    if (holder < 0 && before >= 0 && speedSquared > THROWN * THROWN) {
      this.#note(EFFECT.thrown, before, instances, at, -1, Math.sqrt(speedSquared), 0, 0);
    }
    const isFree = holder < 0 && before < 0 && speedSquared < FASTEST * FASTEST;
    this.#even[slot] = isFree ? (this.#even[slot] << 1) | this.#evenness(slot) : 0;
    const isReady = (this.#even[slot] & LOOKED_AT) === BLOW && age > NEW;
    if (isReady && this.#now - this.#restsSince[slot] > REST) this.#judge(instances, at, around);
    this.#seen[slot] = this.#picture;
    this.#age[slot] = age;
    this.#holder[slot] = holder;
  }

  /** Notes where a sticker is and how fast it came there; what was noted before moves on.
   * @param {Float32Array} instances
   * @param {number} at
   * @param {boolean} isSame whether it was in the picture before */
  #measure(instances, at, isSame) {
    const slot = instances[at + INSTANCE_SLOT] | 0;
    const x = instances[at];
    const y = instances[at + 1];
    for (let place = slot + 2 * SLOTS; place > slot; place -= SLOTS) {
      this.#vx[place] = this.#vx[place - SLOTS];
      this.#vy[place] = this.#vy[place - SLOTS];
    }
    this.#vx[slot] = isSame ? (x - this.#x[slot]) / this.#seconds : NaN;
    this.#vy[slot] = isSame ? (y - this.#y[slot]) / this.#seconds : NaN;
    this.#x[slot] = x;
    this.#y[slot] = y;
  }

  /** Whether a sticker came into this picture as it came into the one before. What has become faster at
   * once rests from blows.
   * @param {number} slot
   * @returns {0 | 1} */
  #evenness(slot) {
    const vx = this.#vx[slot];
    const vy = this.#vy[slot];
    const ux = this.#vx[slot + SLOTS];
    const uy = this.#vy[slot + SLOTS];
    const was = Math.sqrt(ux * ux + uy * uy);
    const change = Math.sqrt((vx - ux) * (vx - ux) + (vy - uy) * (vy - uy));
    if (change <= UNEVEN * was + this.#seconds * GRAVITY) return 1;
    if (vx * vx + vy * vy > was * was) this.#restsSince[slot] = this.#now;
    return 0;
  }

  /** Compares the velocity with that of two pictures ago: the picture between may show half of a
   * blow.
   * @param {Float32Array} instances
   * @param {number} at
   * @param {Surroundings} around */
  #judge(instances, at, around) {
    if (this.#count === MOST || this.#compared === MOST_COMPARED) return;
    const slot = instances[at + INSTANCE_SLOT] | 0;
    const ux = this.#vx[slot + 2 * SLOTS];
    const uy = this.#vy[slot + 2 * SLOTS];
    const lostX = ux - this.#vx[slot];
    const lostY = uy - this.#vy[slot];
    if (lostX * ux + lostY * uy < this.#least * lengthOf(ux, uy)) return;
    this.#compared += 1;
    const change = lengthOf(lostX, lostY);
    const other = this.#neighbour(instances, at, lostX / change, lostY / change);
    if (other < 0 && !this.#isNearAnything(instances, at, around)) return;
    this.#restsSince[slot] = this.#now;
    if (other >= 0) this.#restsSince[other] = this.#now;
    this.#note(EFFECT.blow, -1, instances, at, other, change, lostX / change, lostY / change);
  }

  /** Whether a wall or another sticker is as near as what was struck can be: both may have moved on since.
   * @param {Float32Array} instances
   * @param {number} at
   * @param {Surroundings} around */
  #isNearAnything(instances, at, around) {
    const slot = instances[at + INSTANCE_SLOT] | 0;
    const x = instances[at];
    const y = instances[at + 1];
    const came = lengthOf(this.#vx[slot + 2 * SLOTS], this.#vy[slot + 2 * SLOTS]);
    const went = lengthOf(this.#vx[slot], this.#vy[slot]);
    // From its middle to a corner, and the ways of both in two pictures.
    const across = lengthOf(instances[at + INSTANCE_WIDTH], instances[at + INSTANCE_HEIGHT]);
    const reach = across / 2 + NEAR + 2 * this.#seconds * (came + went);
    const { width, height } = around.world;
    const side = Math.min(Math.abs(x), Math.abs(y), Math.abs(width - x), Math.abs(height - y));
    if (side < reach) return true;
    const boundaries = around.boundaryNumbers;
    for (let wall = 0; wall < boundaries.length; wall += BOUNDARY_FLOATS) {
      if (distanceTo(boundaries, wall, x, y) < reach) return true;
    }
    for (let other = 0; other < instances.length; other += INSTANCE_FLOATS) {
      const distance = lengthOf(instances[other] - x, instances[other + 1] - y);
      if (other !== at && distance < reach + instances[other + INSTANCE_WIDTH] / 2) return true;
    }
    return false;
  }

  /** The slot of the nearest sticker that lies ahead in a direction; −1 for none, which means a wall. What
   * struck is taken for where it was a picture ago, because it may have bounced off since.
   * @param {Float32Array} instances
   * @param {number} at
   * @param {number} normalX
   * @param {number} normalY */
  #neighbour(instances, at, normalX, normalY) {
    const slot = instances[at + INSTANCE_SLOT] | 0;
    const x = instances[at] - this.#vx[slot] * this.#seconds;
    const y = instances[at + 1] - this.#vy[slot] * this.#seconds;
    let nearest = -1;
    let best = Infinity;
    for (let other = 0; other < instances.length; other += INSTANCE_FLOATS) {
      if (other === at) continue;
      const dx = instances[other] - x;
      const dy = instances[other + 1] - y;
      const distance = lengthOf(dx, dy);
      const reach = (instances[at + INSTANCE_WIDTH] + instances[other + INSTANCE_WIDTH]) / 2 + NEAR;
      const isAhead = dx * normalX + dy * normalY > AHEAD * distance;
      if (distance > reach || distance >= best || !isAhead) continue;
      nearest = instances[other + INSTANCE_SLOT];
      best = distance;
    }
    return nearest;
  }

  /** @param {number} kind
   * @param {number} person
   * @param {Float32Array} instances
   * @param {number} at
   * @param {number} other
   * @param {number} speed
   * @param {number} normalX
   * @param {number} normalY */
  #note(kind, person, instances, at, other, speed, normalX, normalY) {
    if (this.#count === MOST) return;
    const numbers = this.numbers;
    let end = this.#count * EFFECT_FLOATS;
    this.#count += 1;
    numbers[end++] = kind;
    numbers[end++] = person;
    numbers[end++] = instances[at + INSTANCE_SLOT];
    numbers[end++] = other;
    numbers[end++] = speed;
    numbers[end++] = normalX;
    numbers[end++] = normalY;
    numbers[end++] = instances[at + INSTANCE_KIND];
    numbers[end++] = instances[at + INSTANCE_WIDTH];
    numbers[end++] = instances[at];
    numbers[end] = instances[at + 1];
  }
}

/** How far a point is from a wall or ledge, points.
 * @param {Float32Array} boundaries
 * @param {number} at where its numbers begin
 * @param {number} x
 * @param {number} y */
function distanceTo(boundaries, at, x, y) {
  const startX = boundaries[at + 1];
  const startY = boundaries[at + 2];
  const alongX = boundaries[at + 3] - startX;
  const alongY = boundaries[at + 4] - startY;
  const squared = alongX * alongX + alongY * alongY;
  const share = ((x - startX) * alongX + (y - startY) * alongY) / squared;
  const part = squared > 0 ? clamp(share, 0, 1) : 0;
  return lengthOf(startX + part * alongX - x, startY + part * alongY - y);
}
