// @ts-check
import { Budget } from "../core/budget.js";
import { INSTANCE_FLOATS, INSTANCE_SLOT } from "../core/wire.js";

/** @typedef {import("../core/module.js").PageModule} PageModule */
/** @typedef {import("../connection/connection.js").Connection} Connection */
/** @typedef {import("../core/vector.js").Vector} Vector */

/** A client may hold so many. */
const MOST = 3;
/** Moves a second of all hands; the server allows 180. */
const MOVES = { perSecond: 165, burst: 12 };
/** Moves of one hand come at most so often, in ms: a little less than 1/60 s. */
const MOVE_INTERVAL = 15;
/** If the stream has not confirmed a hand after so many ms, somebody else was faster. */
const CONFIRMED_WITHIN = 5000;
/** After a release the picture catches up with the stream: the time in ms to 63 %. */
const SETTLE = 90;
/** The way of a hand is remembered so long, in ms. */
const MEMORY = 1500;
/** In the server a hand follows its finger so fast, in points a ms, and no faster. */
const FASTEST = 3.6;

/** One finger's hold on a sticker: the hand follows the finger as the server's will. */
class Hand {
  /** @type {(Vector & { time: number })[]} */ #trail;
  /** @type {Vector} where the finger is */ finger;
  sentAt = -Infinity;
  isSent = true;
  isConfirmed = false;
  /** When it was opened; infinite while it holds. */
  openedAt = Infinity;
  /** @type {Vector} */ shift = { x: 0, y: 0 };

  /** @param {number} slot @param {Vector} point @param {number} now */
  constructor(slot, point, now) {
    this.slot = slot;
    this.startedAt = now;
    this.finger = point;
    this.#trail = [{ ...point, time: now }];
  }

  get point() {
    return this.#trail[this.#trail.length - 1];
  }

  /** @param {Vector} point */
  move(point) {
    this.finger = point;
    this.isSent = false;
  }

  /** Brings the hand towards the finger.
   * @param {number} now */
  advance(now) {
    const { x, y, time } = this.point;
    const [dx, dy] = [this.finger.x - x, this.finger.y - y];
    const part = Math.min(1, (FASTEST * (now - time)) / Math.max(1e-6, Math.hypot(dx, dy)));
    if (part > 0) this.#trail.push({ x: x + dx * part, y: y + dy * part, time: now });
    while (this.#trail.length > 2 && now - this.#trail[1].time > MEMORY) this.#trail.shift();
  }

  /** Where the hand was.
   * @param {number} time @returns {Vector} */
  at(time) {
    let index = this.#trail.length - 1;
    while (index > 0 && this.#trail[index].time > time) index -= 1;
    const [from, to] = [this.#trail[index], this.#trail[index + 1]];
    if (!to || time <= from.time) return from;
    const part = (time - from.time) / (to.time - from.time);
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
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
  /** @type {Map<number, Hand>} */ #hands = new Map();

  /** @param {PageModule} module @param {Connection} connection @param {() => boolean} mayAct */
  constructor(module, connection, mayAct) {
    this.#module = module;
    this.#connection = connection;
    this.#mayAct = mayAct;
  }

  /** Slots of the stickers that are held now. */
  get slots() {
    return [...this.#hands.values()].filter(isClosed).map(({ slot }) => slot);
  }

  /** How far the picture is ahead of the stream for a sticker.
   * @param {number} slot */
  shift(slot) {
    return this.#hands.get(slot)?.shift ?? null;
  }

  /** @param {number} slot @param {Vector} point @returns {boolean} whether it is being taken */
  grab(slot, point) {
    const isHeld = this.#hands.get(slot)?.openedAt === Infinity;
    if (isHeld || this.slots.length >= MOST || !this.#mayAct()) return false;
    const message = this.#module.grab(slot, point.x, point.y);
    if (message.length === 0) return false;
    this.#connection.send(message);
    this.#hands.set(slot, new Hand(slot, this.#inside(point), performance.now()));
    return true;
  }

  /** A finger outside the world means its edge.
   * @param {number} slot @param {Vector} point */
  move(slot, point) {
    const hand = this.#hands.get(slot);
    if (hand && isClosed(hand)) hand.move(this.#inside(point));
  }

  /** @param {number} slot @param {Vector} velocity pt/s @returns {boolean} whether it was held */
  release(slot, velocity) {
    const hand = this.#hands.get(slot);
    if (!hand || !isClosed(hand)) return false;
    const now = performance.now();
    hand.advance(now);
    if (!hand.isSent) this.#send(hand, now);
    this.#connection.send(this.#module.release(slot, velocity.x, velocity.y));
    hand.openedAt = now;
    return true;
  }

  /** Somebody else holds it, or nobody knows: should the server's answer only be late, then
   * nobody is left holding it.
   * @param {Hand} hand */
  #giveUp(hand) {
    this.#connection.send(this.#module.release(hand.slot, 0, 0));
    this.lose(hand.slot);
  }

  /** Somebody else holds it.
   * @param {number} slot */
  lose(slot) {
    this.#hands.delete(slot);
  }

  /** After a new connection nothing is held. */
  clear() {
    this.#hands.clear();
  }

  /**
   * Once a picture: tells where the fingers are and moves what they hold to them.
   * @param {Float32Array} instances of this picture; changed
   * @param {number} now ms
   * @param {number} lead ms from a finger's move to its effect in the picture
   */
  advance(instances, now, lead) {
    if (this.#hands.size === 0) return;
    for (const hand of this.#hands.values()) this.#follow(hand, now, lead);
    const own = this.#module.clientId;
    for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
      const hand = this.#hands.get(instances[at + INSTANCE_SLOT]);
      if (!hand) continue;
      const isOurs = instances[at + INSTANCE_SLOT + 1] === own;
      if (hand.isConfirmed && !isOurs && isClosed(hand)) this.lose(hand.slot);
      hand.isConfirmed ||= isOurs;
      // Before the server has agreed, the sticker stays where it is.
      if (!hand.isConfirmed) continue;
      this.#carry(instances, at, hand.shift);
    }
  }

  /**
   * Moves a sticker by the way that the stream is behind; no wall lets it through.
   * @param {Float32Array} instances @param {number} at @param {Vector} shift
   */
  #carry(instances, at, shift) {
    const room = this.hasWalls ? Math.min(instances[at + 4], instances[at + 5]) / 2 : -Infinity;
    const { worldWidth, worldHeight } = this.#module;
    instances[at] = shifted(instances[at], shift.x, room, worldWidth - room);
    instances[at + 1] = shifted(instances[at + 1], shift.y, room, worldHeight - room);
  }

  /** @param {Vector} point @returns {Vector} */
  #inside({ x, y }) {
    const { worldWidth, worldHeight } = this.#module;
    return {
      x: Math.min(Math.max(x, 0), worldWidth),
      y: Math.min(Math.max(y, 0), worldHeight),
    };
  }

  /** @param {Hand} hand @param {number} now @param {number} lead */
  #follow(hand, now, lead) {
    if (!isClosed(hand)) {
      const left = Math.exp(-(now - hand.openedAt) / SETTLE);
      const [end, before] = [hand.point, hand.at(hand.openedAt - lead)];
      hand.shift = { x: (end.x - before.x) * left, y: (end.y - before.y) * left };
      if (left < 0.01) this.#hands.delete(hand.slot);
      return;
    }
    if (!hand.isConfirmed && now - hand.startedAt > CONFIRMED_WITHIN) return this.#giveUp(hand);
    const isDue = !hand.isSent && now - hand.sentAt >= MOVE_INTERVAL;
    if (isDue && this.#budget.spend(now)) this.#send(hand, now);
    hand.advance(now);
    const before = hand.at(now - lead);
    hand.shift = { x: hand.point.x - before.x, y: hand.point.y - before.y };
  }

  /** @param {Hand} hand @param {number} now */
  #send(hand, now) {
    this.#connection.send(this.#module.move(hand.slot, hand.finger.x, hand.finger.y));
    hand.sentAt = now;
    hand.isSent = true;
  }
}

/**
 * A place moved on, but not beyond a limit, and never back from where it is.
 * @param {number} place @param {number} shift @param {number} low @param {number} high
 */
function shifted(place, shift, low, high) {
  return Math.min(Math.max(place + shift, Math.min(place, low)), Math.max(place, high));
}

/** @param {Hand} hand */
function isClosed(hand) {
  return hand.openedAt === Infinity;
}
