// @ts-check
import { TICK } from "../core/wire.js";
import { text } from "../strings/language.js";

/** @typedef {import("../core/module.js").PageModule} PageModule */

/**
 * Where the past comes from. Positions are ticks, counted on beyond 32 bits.
 * @typedef {object} PastSource
 * @property {number} first the first position that can be shown
 * @property {number} last
 * @property {(position: number, direction: number) => number | null} find where to be for a
 *   position: itself, the one beyond a gap in the direction in which it is gone (back below 0), or
 *   null while it is loaded
 * @property {(position: number) => void} forget what was found can't be shown after all
 * @property {(position: number) => string} label when that was, in words
 */

/** How long ticks may be run for one picture, ms: what is left of its 16.7 ms is for drawing. */
const PATIENCE = 10;
/** Ticks that are run between two looks at the clock. */
const TICKS_AT_ONCE = 4;
/** The most time that passes between two pictures, ms: a page that was hidden goes on where it was. */
const LONGEST_PAUSE = 250;

/** What is shown of the past, and how fast it goes. */
export class Past {
  /** Where it is, in ticks, between two of them as a rule. */
  position = 0;
  /** 1 is as fast as it was; backwards below 0. */
  speed = 1;
  isPlaying = false;
  /** Since when a picture is waited for, ms; null when what is shown is what is wanted. */
  waitsSince = /** @type {number | null} */ (null);
  /** Called when it has been played to its end. */
  ended = () => {};

  #module;
  #toast;
  /** @type {PastSource | null} */ #source = null;
  #last = 0;
  /** The way that the last seek or step went. */ #direction = 1;
  #warned = false;

  /** @param {PageModule} module
   * @param {import("../ui/toast.js").Toast} toast */
  constructor(module, toast) {
    this.#module = module;
    this.#toast = toast;
  }

  get isShown() {
    return this.#source !== null;
  }

  get first() {
    return this.#source?.first ?? 0;
  }

  get last() {
    return this.#source?.last ?? 0;
  }

  /** When that is, in words. */
  get label() {
    return this.#source?.label(this.position) ?? "";
  }

  /** @param {PastSource} source
   * @param {number} position
   * @param {number} speed */
  enter(source, position, speed) {
    this.#source = source;
    this.#warned = false;
    this.speed = speed;
    this.isPlaying = true;
    this.#last = performance.now();
    this.seek(position);
  }

  /** Shows the present again. */
  leave() {
    this.#source = null;
    this.isPlaying = false;
    this.waitsSince = null;
    this.#module.leavePast();
  }

  /** @param {number} position */
  seek(position) {
    this.#direction = position - this.position;
    this.position = Math.min(this.last, Math.max(this.first, position));
    this.waitsSince ??= performance.now();
  }

  /** Stands still at a tick some ticks from here.
   * @param {number} ticks */
  step(ticks) {
    this.isPlaying = false;
    this.seek((ticks > 0 ? Math.floor(this.position) : Math.ceil(this.position)) + ticks);
  }

  /** Plays on, from the other end where it has come to one; or stands still. */
  toggle() {
    this.isPlaying = !this.isPlaying;
    if (!this.isPlaying) return;
    if (this.speed > 0 && this.position >= this.last) this.seek(this.first);
    if (this.speed < 0 && this.position <= this.first) this.seek(this.last);
  }

  /**
   * The stickers to draw now; null while they are on their way.
   * @param {number} now ms
   * @returns {Float32Array | null}
   */
  sample(now) {
    const source = this.#source;
    if (!source) return null;
    const elapsed = Math.min(LONGEST_PAUSE, Math.max(0, now - this.#last));
    this.#last = now;
    const step = this.isPlaying ? (elapsed / TICK) * this.speed : 0;
    const wanted = Math.min(this.last, Math.max(this.first, this.position + step));
    const found = source.find(wanted, this.isPlaying ? this.speed : this.#direction);
    const sample = found === null ? null : this.#sampleAt(found);
    // What is not there yet is waited for, and time stands still meanwhile.
    if (!sample) {
      this.waitsSince ??= now;
      return null;
    }
    this.position = /** @type {number} */ (found);
    this.waitsSince = null;
    if (this.isPlaying) this.#lookForEnd();
    if (this.#module.pastDiverged && !this.#warned) {
      this.#warned = true;
      this.#toast.say(text("past.unsure"));
    }
    return sample;
  }

  /** @param {number} position */
  #sampleAt(position) {
    const tick = Math.floor(position);
    const began = performance.now();
    for (const wanted of [tick, tick + 1]) {
      let reach = this.#module.reachPast(low32(wanted), TICKS_AT_ONCE);
      while (reach === 0) {
        if (performance.now() - began > PATIENCE) return null;
        reach = this.#module.reachPast(low32(wanted), TICKS_AT_ONCE);
      }
      if (reach < 0 && wanted === tick) {
        this.#source?.forget(tick);
        return null;
      }
    }
    return this.#module.samplePast(low32(tick), position - tick);
  }

  #lookForEnd() {
    const isAtEnd = this.speed > 0 && this.position >= this.last;
    if (!isAtEnd && (this.speed > 0 || this.position > this.first)) return;
    this.isPlaying = false;
    if (isAtEnd) this.ended();
  }
}

/** The last minute of what the page followed.
 * @implements {PastSource} */
export class RecordedSource {
  first;
  last;

  /** @param {PageModule} module */
  constructor(module) {
    const { first, ticks } = module.enterPast();
    this.first = first;
    this.last = first + ticks;
  }

  /** @param {number} position */
  find(position) {
    return position;
  }

  forget() {}

  /** @param {number} position */
  label(position) {
    const seconds = ((this.last - position) * TICK) / 1000;
    return text("past.ago", { seconds: seconds.toFixed(1) });
  }
}

/** The low 32 bits of a position, by which the module knows a tick.
 * @param {number} position */
function low32(position) {
  return position % 2 ** 32 | 0;
}
