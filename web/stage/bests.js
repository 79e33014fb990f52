// @ts-check

/** What counts as lately, ms. */
const MINUTE = 60_000;
/** In how many parts the minute is kept. The oldest part is dropped as a whole, so that what is told
 * happened in the last 55 to 60 s. */
const PARTS = 12;
const PART = MINUTE / PARTS;

/** @typedef {{ value: number, who: number }} Best `who` is a person, or −1 for nobody known */

/** The largest value of the last minute, and whose it is. Only each part's largest is kept, so that
 * it takes the same room however long it runs. */
export class MinuteBest {
  /** Only larger values are kept. Callers compare before a closer look that is expensive, and before they pass a
   * value on, which V8 boxes. */
  least = 0;
  #parts = Array.from({ length: PARTS }, () => ({ number: -1, value: 0, who: -1 }));

  /** Once a picture, before its values are compared.
   * @param {number} now ms */
  advance(now) {
    this.least = this.#part(now).value;
  }

  /** @param {number} value
   * @param {number} who
   * @param {number} now ms */
  offer(value, who, now) {
    const part = this.#part(now);
    if (value <= part.value) return;
    part.value = value;
    part.who = who;
    this.least = value;
  }

  /** @param {number} now ms
   * @returns {Best | null} */
  at(now) {
    const newest = Math.floor(now / PART);
    let best = null;
    for (const part of this.#parts) {
      const isRecent = part.number > newest - PARTS && part.value > 0;
      if (isRecent && (best === null || part.value > best.value)) best = part;
    }
    return best && { value: best.value, who: best.who };
  }

  clear() {
    for (const part of this.#parts) {
      part.number = -1;
      part.value = 0;
    }
    this.least = 0;
  }

  /** @param {number} now */
  #part(now) {
    const number = Math.floor(now / PART);
    // The stage's first picture looks back up to a second, which can be before the page's 0.
    const part = this.#parts[(number + PARTS) % PARTS];
    if (part.number !== number) {
      part.number = number;
      part.value = 0;
    }
    return part;
  }
}
