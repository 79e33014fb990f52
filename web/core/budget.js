// @ts-check

/** A token bucket: how often something may happen. Keeps us under the server's limits, whose breach
 * closes the connection. */
export class Budget {
  #tokens;
  #last = 0;

  /** @param {number} perSecond
   * @param {number} burst */
  constructor(perSecond, burst) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.#tokens = burst;
  }

  /** @param {number} now ms
   * @returns {boolean} whether one more is allowed; if so it is spent */
  spend(now) {
    const earned = ((now - this.#last) / 1000) * this.perSecond;
    this.#tokens = Math.min(this.burst, this.#tokens + earned);
    this.#last = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
