// @ts-check
import { lengthOf } from "../core/vector.js";
import {
  EFFECT, EFFECT_FLOATS, INSTANCE_AGE, INSTANCE_FLOATS, INSTANCE_SLOT, SLOTS, THROWN,
} from "../core/wire.js";

/** Effects of a picture: more at a time are neither heard nor seen. */
const MOST = 12;
/** From pictures further apart than this, ms, no speed can be told. */
const LONGEST = 150;
/** Nothing moves faster, pt/s: what seems to was put elsewhere by a correction. */
const FASTEST = 6000;
/** A blow takes away at least the first speed, pt/s, and more than gravity can: that changes a speed by
 * the second number in a second. */
const [LEAST, GRAVITY] = [120, 1500];
/** A sticker must have moved freely in so many pictures before a loss of speed counts as a blow. */
const STEADY = 3;
/** After a blow a sticker rests from blows for so long, ms: its speed changes over some pictures. */
const REST = 120;
/** Younger stickers are still pushed apart by their neighbours, seconds. */
const NEW = 0.25;
/** What a sticker struck is at most so many points away from its edge. */
const NEAR = 12;
/** And it lies ahead: the angle between the way to it and the direction of the blow has at least this
 * cosine, which is 53 degrees. */
const AHEAD = 0.6;

/** Effects as the module tells them of a world that it runs (`TickEffect`), read from pictures of one that
 * it does not: a sticker that loses its speed from one picture to the next has struck something. */
export class SeenEffects {
  numbers = new Float32Array(MOST * EFFECT_FLOATS);
  #count = 0;
  #picture = 0;
  #last = -Infinity;
  /** By slot: the picture in which it was seen last, and in how many it has moved freely. */
  #seen = new Float64Array(SLOTS).fill(-2);
  #steady = new Uint32Array(SLOTS);
  #x = new Float32Array(SLOTS);
  #y = new Float32Array(SLOTS);
  #age = new Float32Array(SLOTS);
  #holder = new Int32Array(SLOTS);
  /** Velocities into the last picture and into the one before, pt/s. */
  #vx = new Float32Array(2 * SLOTS);
  #vy = new Float32Array(2 * SLOTS);
  /** When it last had a blow, ms. */
  #struck = new Float64Array(SLOTS).fill(-Infinity);

  forget() {
    this.#seen.fill(-2);
  }

  /**
   * Looks at the next picture.
   * @param {Float32Array} instances
   * @param {boolean} isFrozen whether the world stands still, without
   *   having struck anything
   * @param {number} now ms
   * @returns {number} how many effects there are now in `numbers`
   */
  look(instances, isFrozen, now) {
    this.#count = 0;
    const elapsed = now - this.#last;
    if (elapsed <= 0) return 0;
    if (elapsed > LONGEST || isFrozen) this.forget();
    this.#last = now;
    // If all stopped dead at once, the stream has stalled, and the next motion says nothing of the
    // time before.
    if (this.#isLastPicture(instances)) {
      this.#steady.fill(0);
      return 0;
    }
    this.#picture += 1;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      this.#follow(instances, at, elapsed / 1000, now);
    }
    return this.#count;
  }

  /** Whether all lie where they lay, in the same hands.
   * @param {Float32Array} instances */
  #isLastPicture(instances) {
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      const slot = instances[at + INSTANCE_SLOT];
      const isThere = this.#x[slot] === instances[at] && this.#y[slot] === instances[at + 1];
      const isHeldAlike = this.#holder[slot] === instances[at + INSTANCE_SLOT + 1];
      if (this.#seen[slot] !== this.#picture || !isThere || !isHeldAlike) return false;
    }
    return true;
  }

  /** @param {Float32Array} instances
   * @param {number} at
   * @param {number} seconds
   * @param {number} now */
  #follow(instances, at, seconds, now) {
    const x = instances[at];
    const y = instances[at + 1];
    const age = instances[at + INSTANCE_AGE];
    const slot = instances[at + INSTANCE_SLOT];
    const holder = instances[at + INSTANCE_SLOT + 1];
    const isSame = this.#seen[slot] === this.#picture - 1 && age >= this.#age[slot];
    const vx = isSame ? (x - this.#x[slot]) / seconds : 0;
    const vy = isSame ? (y - this.#y[slot]) / seconds : 0;
    const before = isSame ? this.#holder[slot] : holder;
    if (holder >= 0 && before < 0) this.#note(EFFECT.taken, holder, instances, at, -1, 0, 0, 0);
    if (holder < 0 && before >= 0) {
      const speed = lengthOf(vx, vy);
      if (speed > THROWN) this.#note(EFFECT.thrown, before, instances, at, -1, speed, 0, 0);
    }
    const isFree = isSame && holder < 0 && before < 0 && lengthOf(vx, vy) < FASTEST;
    this.#steady[slot] = isFree ? this.#steady[slot] + 1 : 0;
    const isReady = this.#steady[slot] > STEADY && age > NEW && now - this.#struck[slot] > REST;
    const least = LEAST + 2 * seconds * GRAVITY;
    // Only what was fast enough can have lost so much: most stickers need no closer look.
    const isFast = lengthOf(this.#vx[slot + SLOTS], this.#vy[slot + SLOTS]) >= least;
    if (isReady && isFast) this.#judge(instances, at, vx, vy, least, now);
    this.#seen[slot] = this.#picture;
    this.#x[slot] = x;
    this.#y[slot] = y;
    this.#age[slot] = age;
    this.#holder[slot] = holder;
    this.#vx[slot + SLOTS] = this.#vx[slot];
    this.#vy[slot + SLOTS] = this.#vy[slot];
    this.#vx[slot] = vx;
    this.#vy[slot] = vy;
  }

  /** Compares the velocity with that of two pictures ago: the picture between may show half of a
   * blow.
   * @param {Float32Array} instances
   * @param {number} at
   * @param {number} vx
   * @param {number} vy
   * @param {number} least speed that a blow takes away, pt/s
   * @param {number} now */
  #judge(instances, at, vx, vy, least, now) {
    const slot = instances[at + INSTANCE_SLOT];
    const ux = this.#vx[slot + SLOTS];
    const uy = this.#vy[slot + SLOTS];
    const was = lengthOf(ux, uy);
    const lost = ((ux - vx) * ux + (uy - vy) * uy) / was;
    if (lost < least) return;
    const change = lengthOf(ux - vx, uy - vy);
    const normalX = (ux - vx) / change;
    const normalY = (uy - vy) / change;
    const other = this.#neighbour(instances, at, normalX, normalY);
    this.#struck[slot] = now;
    if (other >= 0) this.#struck[other] = now;
    this.#note(EFFECT.blow, -1, instances, at, other, change, normalX, normalY);
  }

  /** The slot of the nearest sticker that lies ahead in a direction; −1 for none, which means a wall.
   * @param {Float32Array} instances
   * @param {number} at
   * @param {number} normalX
   * @param {number} normalY */
  #neighbour(instances, at, normalX, normalY) {
    let nearest = -1;
    let best = Infinity;
    for (let other = 0; other < instances.length; other += INSTANCE_FLOATS) {
      if (other === at) continue;
      const dx = instances[other] - instances[at];
      const dy = instances[other + 1] - instances[at + 1];
      const distance = lengthOf(dx, dy);
      const reach = (instances[at + 4] + instances[other + 4]) / 2 + NEAR;
      const isAhead = dx * normalX + dy * normalY > AHEAD * distance;
      if (distance > reach || distance >= best || !isAhead) continue;
      nearest = instances[other + INSTANCE_SLOT];
      best = distance;
    }
    return nearest;
  }

  /** @param {number} kind
   * @param {number} client
   * @param {Float32Array} instances
   * @param {number} at
   * @param {number} other
   * @param {number} speed
   * @param {number} normalX
   * @param {number} normalY */
  #note(kind, client, instances, at, other, speed, normalX, normalY) {
    if (this.#count === MOST) return;
    const numbers = this.numbers;
    let end = this.#count * EFFECT_FLOATS;
    this.#count += 1;
    numbers[end++] = kind;
    numbers[end++] = client;
    numbers[end++] = instances[at + INSTANCE_SLOT];
    numbers[end++] = other;
    numbers[end++] = speed;
    numbers[end++] = normalX;
    numbers[end++] = normalY;
    numbers[end++] = instances[at + 6];
    numbers[end++] = instances[at + 4];
    numbers[end++] = instances[at];
    numbers[end] = instances[at + 1];
  }
}
