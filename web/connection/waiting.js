// @ts-check

/**
 * Waiting times between attempts to reconnect. When the server goes, everybody's connection is lost
 * in the same instant, so the first attempts are spread over seconds: a room of 4000 phones would
 * else come back within one tenth of a second. Later ones double, with jitter.
 */
export class Backoff {
  #failures = 0;

  /**
   * @param {number} spread ms within which the first attempt falls
   * @param {number} first ms before the second one
   * @param {number} longest ms
   */
  constructor(spread = 3000, first = 500, longest = 8000) {
    this.spread = spread;
    this.first = first;
    this.longest = longest;
  }

  /** The next wait in ms: at first any part of the spread, then between half of the doubled time and
   * all of it. */
  next() {
    const failures = this.#failures++;
    if (failures === 0) return this.spread * Math.random();
    return Math.min(this.longest, this.first * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
  }

  /**
   * The server has named the first wait: that one is spread already.
   * @param {number} delay ms
   * @returns {number} the same
   */
  told(delay) {
    this.#failures = 1;
    return delay;
  }

  reset() {
    this.#failures = 0;
  }
}

/** Timers that can all be forgotten at once. */
export class Timers {
  /** @type {Set<number>} */ #running = new Set();

  /** @param {number} delay ms
   * @param {() => void} action
   * @returns {number} for `cancel` */
  after(delay, action) {
    const timer = setTimeout(() => {
      this.#running.delete(timer);
      action();
    }, delay);
    this.#running.add(timer);
    return timer;
  }

  /** @param {number} timer */
  cancel(timer) {
    clearTimeout(timer);
    this.#running.delete(timer);
  }

  clear() {
    this.#running.forEach((timer) => clearTimeout(timer));
    this.#running.clear();
  }
}
