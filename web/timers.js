// @ts-check

/** Timers that can all be forgotten at once. */
export class Timers {
  /** @type {Set<number>} */ #running = new Set();

  /** @param {number} delay ms @param {() => void} action @returns {number} for `cancel` */
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
