// @ts-check
import { Budget } from "../core/budget.js";
import { lengthOf } from "../core/vector.js";
import {
  INSTANCE_FLOATS, INSTANCE_HEIGHT, INSTANCE_HOLDER, INSTANCE_SLOT, INSTANCE_WIDTH,
} from "../core/wire.js";

/** @typedef {import("../core/module.js").PageModule} PageModule */
/** @typedef {import("../connection/connection.js").Connection} Connection */
/** @typedef {import("../core/vector.js").Vector} Vector */

/** How many stickers a person may hold. */
const MOST = 3;
/** Moves a second of all hands; the server allows 180. */
const MOVES = { perSecond: 165, burst: 12 };
/** The shortest time between two moves of one hand, ms: a little less than 1/60 s. */
const MOVE_INTERVAL = 15;
/** How many ms a hand may stay unconfirmed by the stream before somebody else is taken to have been faster. */
const CONFIRMED_WITHIN = 5000;
/** After a release the picture catches up with the stream: in how many ms by 63 %. */
const SETTLE = 90;
/** How much of a hand's way is remembered: ms, and points, of which each picture adds one. */
const MEMORY = 1500;
const MOST_POINTS = 256;
/** A hand's greatest speed, points a ms, as in the server. */
const FASTEST = 3.6;

/** One finger's hold on a sticker: the hand follows the finger as the server's will. Its way is kept as
 * numbers, so that a picture makes no objects. */
class Hand {
  /** Where the hand was: x, y and time of each point, the oldest first. */
  #way = new Float64Array(3 * MOST_POINTS);
  #points = 1;
  /** @type {Vector} where the finger is */ finger;
  sentAt = -Infinity;
  isSent = true;
  isConfirmed = false;
  /** When it was opened; infinite while it holds. */
  openedAt = Infinity;
  /** How far the picture is ahead of the stream, points; the same object all the time. */
  shift = { x: 0, y: 0 };

  /** @param {number} slot
   * @param {Vector} point
   * @param {number} now */
  constructor(slot, point, now) {
    this.slot = slot;
    this.startedAt = now;
    this.finger = point;
    this.#way.set([point.x, point.y, now]);
  }

  /** Whether it holds; an open one only lets the picture catch up. */
  get isClosed() {
    return this.openedAt === Infinity;
  }

  /** @param {Vector} point */
  move(point) {
    this.finger = point;
    this.isSent = false;
  }

  /** Brings the hand towards the finger.
   * @param {number} now */
  advance(now) {
    if (this.#points === MOST_POINTS) this.#forget(1);
    const way = this.#way;
    const last = 3 * (this.#points - 1);
    const dx = this.finger.x - way[last];
    const dy = this.finger.y - way[last + 1];
    const reach = FASTEST * (now - way[last + 2]);
    const part = Math.min(1, reach / Math.max(1e-6, lengthOf(dx, dy)));
    if (part > 0) {
      way[last + 3] = way[last] + dx * part;
      way[last + 4] = way[last + 1] + dy * part;
      way[last + 5] = now;
      this.#points += 1;
    }
    let old = 0;
    while (this.#points - old > 2 && now - way[3 * old + 5] > MEMORY) old += 1;
    if (old > 0) this.#forget(old);
  }

  /** Makes the shift the way from where the hand was at some time to where it is, or a share of it.
   * @param {number} time ms
   * @param {number} share 0…1 */
  shiftSince(time, share) {
    const way = this.#way;
    const last = 3 * (this.#points - 1);
    let at = last;
    while (at > 0 && way[at + 2] > time) at -= 3;
    let x = way[at];
    let y = way[at + 1];
    if (at < last && time > way[at + 2]) {
      const part = (time - way[at + 2]) / (way[at + 5] - way[at + 2]);
      x += (way[at + 3] - x) * part;
      y += (way[at + 4] - y) * part;
    }
    this.shift.x = (way[last] - x) * share;
    this.shift.y = (way[last + 1] - y) * share;
  }

  /** @param {number} points the oldest */
  #forget(points) {
    this.#way.copyWithin(0, 3 * points, 3 * this.#points);
    this.#points -= points;
  }
}

/**
 * The stickers that this person holds. The stream shows them where the finger was a moment ago; the
 * picture adds the way that the finger has gone since, so that they follow without lag.
 */
export class Hands {
  #module;
  #connection;
  #mayAct;
  #budget = new Budget(MOVES.perSecond, MOVES.burst);
  /** Whether the scene's walls hold what is held, too. */ hasWalls = true;
  /** Few, so that a list is searched as fast as a table.
   * @type {Hand[]} */
  #hands = [];

  /** @param {PageModule} module
   * @param {Connection} connection
   * @param {() => boolean} mayAct */
  constructor(module, connection, mayAct) {
    this.#module = module;
    this.#connection = connection;
    this.#mayAct = mayAct;
  }

  /** Slots of the stickers that are held now. */
  get slots() {
    return this.#hands.filter((hand) => hand.isClosed).map(({ slot }) => slot);
  }

  /** @param {number} slot of a sticker that may be held now */
  holds(slot) {
    return this.#find(slot)?.isClosed === true;
  }

  /** Whether the picture has any to move. */
  get areBusy() {
    return this.#hands.length > 0;
  }

  /** @param {number} slot
   * @param {Vector} point
   * @returns {boolean} whether it is being taken */
  grab(slot, point) {
    if (this.holds(slot) || this.slots.length >= MOST || !this.#mayAct()) return false;
    const message = this.#module.grab(slot, point.x, point.y);
    if (message.length === 0) return false;
    this.#connection.send(message);
    this.lose(slot);
    this.#hands.push(new Hand(slot, this.#inside(point), performance.now()));
    return true;
  }

  /** A finger outside the world means its edge.
   * @param {number} slot
   * @param {Vector} point */
  move(slot, point) {
    const hand = this.#find(slot);
    if (hand?.isClosed) hand.move(this.#inside(point));
  }

  /** @param {number} slot
   * @param {Vector} velocity pt/s
   * @returns {boolean} whether it was held */
  release(slot, velocity) {
    const hand = this.#find(slot);
    if (!hand?.isClosed) return false;
    const now = performance.now();
    hand.advance(now);
    if (!hand.isSent) this.#send(hand, now);
    this.#connection.send(this.#module.release(slot, velocity.x, velocity.y));
    hand.openedAt = now;
    return true;
  }

  /** The server has not confirmed the hand: somebody else holds the sticker, or the answer is late.
   * It is let go in any case, so that the server does not keep it held.
   * @param {Hand} hand */
  #giveUp(hand) {
    this.#connection.send(this.#module.release(hand.slot, 0, 0));
    this.lose(hand.slot);
  }

  /** Somebody else holds it.
   * @param {number} slot */
  lose(slot) {
    this.#hands = this.#hands.filter((hand) => hand.slot !== slot);
  }

  /** After a new connection nothing is held. */
  clear() {
    this.#hands = [];
  }

  /**
   * Once a picture: tells where the fingers are and moves what they hold to them.
   * @param {Float32Array} instances of this picture; changed
   * @param {number} now ms
   * @param {number} lead ms from a finger's move to its effect in the picture
   */
  advance(instances, now, lead) {
    if (this.#hands.length === 0) return;
    // From the last on, because one that has settled is taken out.
    for (let index = this.#hands.length - 1; index >= 0; index -= 1) {
      this.#follow(this.#hands[index], now, lead);
    }
    const own = this.#module.clientId;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      const hand = this.#find(instances[at + INSTANCE_SLOT]);
      if (!hand) continue;
      const isOurs = instances[at + INSTANCE_HOLDER] === own;
      if (hand.isConfirmed && !isOurs && hand.isClosed) this.lose(hand.slot);
      hand.isConfirmed ||= isOurs;
      // Before the server has agreed, the sticker stays where it is.
      if (!hand.isConfirmed) continue;
      this.#carry(instances, at, hand.shift);
    }
  }

  /**
   * Moves a sticker by the way that the stream is behind; no wall lets it through.
   * @param {Float32Array} instances
   * @param {number} at
   * @param {Vector} shift
   */
  #carry(instances, at, shift) {
    const size = Math.min(instances[at + INSTANCE_WIDTH], instances[at + INSTANCE_HEIGHT]);
    const room = this.hasWalls ? size / 2 : -Infinity;
    const { worldWidth, worldHeight } = this.#module;
    instances[at] = shifted(instances[at], shift.x, room, worldWidth - room);
    instances[at + 1] = shifted(instances[at + 1], shift.y, room, worldHeight - room);
  }

  /** @param {Vector} point
   * @returns {Vector} */
  #inside({ x, y }) {
    const { worldWidth, worldHeight } = this.#module;
    return {
      x: Math.min(Math.max(x, 0), worldWidth),
      y: Math.min(Math.max(y, 0), worldHeight),
    };
  }

  /** The hand on a sticker, if there is one.
   * @param {number} slot */
  #find(slot) {
    const hands = this.#hands;
    for (let index = 0; index < hands.length; index += 1) {
      if (hands[index].slot === slot) return hands[index];
    }
    return undefined;
  }

  /** @param {Hand} hand
   * @param {number} now
   * @param {number} lead */
  #follow(hand, now, lead) {
    if (!hand.isClosed) {
      const left = Math.exp(-(now - hand.openedAt) / SETTLE);
      hand.shiftSince(hand.openedAt - lead, left);
      if (left < 0.01) this.lose(hand.slot);
      return;
    }
    if (!hand.isConfirmed && now - hand.startedAt > CONFIRMED_WITHIN) return this.#giveUp(hand);
    const isDue = !hand.isSent && now - hand.sentAt >= MOVE_INTERVAL;
    if (isDue && this.#budget.spend(now)) this.#send(hand, now);
    hand.advance(now);
    hand.shiftSince(now - lead, 1);
  }

  /** @param {Hand} hand
   * @param {number} now */
  #send(hand, now) {
    this.#connection.send(this.#module.move(hand.slot, hand.finger.x, hand.finger.y));
    hand.sentAt = now;
    hand.isSent = true;
  }
}

/**
 * A place moved on, but not beyond a limit, and never back from where it is.
 * @param {number} place
 * @param {number} shift
 * @param {number} low
 * @param {number} high
 */
function shifted(place, shift, low, high) {
  return Math.min(Math.max(place + shift, Math.min(place, low)), Math.max(place, high));
}
