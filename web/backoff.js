// @ts-check

/** Waiting times between attempts to reconnect: doubling, with jitter so that a whole room does not
 * come back in the same instant after the server restarts. */
export class Backoff {
  #failures = 0;

  /** @param {number} first ms before the second attempt @param {number} longest ms */
  constructor(first = 250, longest = 8000) {
    this.first = first;
    this.longest = longest;
  }

  /** The next wait in ms: between half of the doubled time and all of it. */
  next() {
    const full = Math.min(this.longest, this.first * 2 ** this.#failures);
    this.#failures += 1;
    return full * (0.5 + Math.random() / 2);
  }

  reset() {
    this.#failures = 0;
  }
}
