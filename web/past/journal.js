// @ts-check
import { TICK } from "../core/wire.js";
import { locale } from "../strings/language.js";

/** @typedef {import("../core/module.js").PageModule} PageModule */
/** @typedef {import("./past.js").PastSource} PastSource */
/**
 * What the server tells of a journal: positions are ticks, times milliseconds since 1970, lengths
 * points.
 * @typedef {{ first: number, last: number, firstTime: number, lastTime: number, start: number,
 *   speed: number, scene: number, width: number, height: number, stickers: string }} Summary
 */
/**
 * A stretch that the module has: from a snapshot to its last record, and where the next begins (0
 * for none).
 * @typedef {{ start: number, end: number, next: number, time: number }} Stretch
 */

/** Bytes before the snapshot in the server's answer. */
const HEADER = 28;
/** As many stretches as the module keeps. */
const MOST_STRETCHES = 8;
/** Ticks before the end of what is loaded at which the next stretch is fetched, at normal speed. */
const AHEAD = 240;
/** The pause after a request that failed, ms. */
const RETRY = 2000;

/** The past as `stickerpit replay` serves it.
 * @implements {PastSource} */
export class JournalSource {
  #module;
  #summary;
  /** @type {Stretch[]} in their order */ #stretches = [];
  /** @type {Set<number>} positions that are being fetched */ #fetched = new Set();
  #clock = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "medium" });

  /** @param {PageModule} module
   * @param {Summary} summary */
  constructor(module, summary) {
    this.#module = module;
    this.#summary = summary;
    module.journalSet = summary.stickers;
  }

  /** Asks the server what there is; null where the present is served.
   * @param {PageModule} module */
  static async open(module) {
    const answer = await fetch(new URL("./api/replay", document.baseURI));
    if (!answer.ok) return null;
    return new JournalSource(module, await answer.json());
  }

  get first() {
    return this.#summary.first;
  }
  get last() {
    return this.#summary.last;
  }
  get start() {
    return this.#summary.start;
  }
  get speed() {
    return this.#summary.speed;
  }
  get set() {
    return this.scene === 0 ? this.#summary.stickers : "";
  }
  get scene() {
    return this.#summary.scene;
  }
  get width() {
    return this.#summary.width;
  }
  get height() {
    return this.#summary.height;
  }

  /** @param {number} position
   * @param {number} direction
   * @returns {number | null} */
  find(position, direction) {
    const stretch = this.#holding(position);
    if (!stretch) return this.#load(Math.floor(position));
    if (position <= stretch.end) {
      this.#lookAhead(stretch, position, direction);
      return position;
    }
    // The ticks up to the next stretch are missing.
    const goesBack = direction < 0 || stretch.next === 0;
    return goesBack ? stretch.end : this.find(stretch.next, direction);
  }

  /** @param {number} position */
  forget(position) {
    this.#stretches = this.#stretches.filter((stretch) => stretch !== this.#holding(position));
  }

  /** @param {number} position */
  label(position) {
    const stretch = this.#holding(position);
    const [from, time] = stretch
      ? [stretch.start, stretch.time]
      : [this.#summary.first, this.#summary.firstTime];
    return this.#clock.format(new Date(time + (position - from) * TICK));
  }

  /** The stretch in which a position lies. For one in a gap between two stretches it is the first of them.
   * @param {number} position */
  #holding(position) {
    return this.#stretches.find(({ start, end, next }) => {
      return position >= start && (position <= end || position < (next || Infinity));
    });
  }

  /** @param {Stretch} stretch
   * @param {number} position
   * @param {number} speed or direction */
  #lookAhead(stretch, position, speed) {
    const reach = AHEAD * Math.max(1, Math.abs(speed));
    if (speed < 0) {
      const before = stretch.start - 1;
      if (position - stretch.start > reach || before < this.first) return;
      if (!this.#holding(before)) this.#load(before);
    } else if (stretch.next > 0 && stretch.end - position < reach) {
      if (!this.#stretches.some(({ start }) => start === stretch.next)) this.#load(stretch.next);
    }
  }

  /** @param {number} position
   * @returns {null} */
  #load(position) {
    if (this.#fetched.has(position) || this.#fetched.size > 2) return null;
    this.#fetched.add(position);
    this.#fetch(position).then(
      () => this.#fetched.delete(position),
      () => setTimeout(() => this.#fetched.delete(position), RETRY),
    );
    return null;
  }

  /** @param {number} position */
  async #fetch(position) {
    const url = new URL(`./api/replay/stretch?at=${position}`, document.baseURI);
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const bytes = await answer.arrayBuffer();
    const header = new DataView(bytes, 0, HEADER);
    const number = (/** @type {number} */ at) => Number(header.getBigUint64(at, true));
    const [start, time, next] = [number(0), number(8), number(16)];
    const ticks = this.#module.takePast(new Uint8Array(bytes, HEADER), header.getUint32(24, true));
    if (ticks < 0) throw new Error("a stretch can't be read");
    const kept = this.#stretches.filter((stretch) => stretch.start !== start);
    kept.push({ start, end: start + ticks, next, time });
    kept.sort((one, other) => one.start - other.start);
    // The module does the same: it gives up the end that is farther from the new stretch.
    if (kept.length > MOST_STRETCHES) {
      const before = start - kept[0].start;
      const behind = kept[kept.length - 1].start - start;
      kept.splice(before > behind ? 0 : -1, 1);
    }
    this.#stretches = kept;
  }
}
