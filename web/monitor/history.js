// @ts-check

/** @typedef {import("./figures.js").Figures} Figures */

/** What a chart draws: values by name, NaN for what is not known.
 * @typedef {Record<string, number>} Point */

/** From one question to the next, ms: the server makes a page of metrics once a second at most. */
export const INTERVAL = 2000;
/** Ten minutes. A chart of a third of a screen has some 600 pixels, two for each point; more would
 * be drawn over each other, and a view that stays open for weeks takes no more room. */
export const POINTS = 300;
/** Between points that are farther apart nothing is known, and no line is drawn: one question may be
 * late, ms. */
export const GAP = 2.5 * INTERVAL;

/** The figures of the last ten minutes, counters as rates. */
export class History {
  /** @type {{ time: number, point: Point | null }[]} oldest first */ #entries = [];
  /** @type {Figures | null} */ #told = null;
  #isAnswered = false;
  /** When the server began anew, ms, as far as it is in the picture. */
  restarts = /** @type {number[]} */ ([]);

  get entries() {
    return this.#entries;
  }

  /** What was told last, while it is answered. */
  get last() {
    return this.#isAnswered ? this.#told : null;
  }

  /** @param {Figures} figures */
  add(figures) {
    const before = this.#told;
    const isRestart = before !== null && figures.elapsed < before.elapsed;
    if (isRestart) this.restarts = [...this.restarts, figures.now].slice(-POINTS);
    // Over a gap a rate would be an average of what nobody has seen.
    const isNext = this.#isAnswered && !isRestart;
    const elapsed = before !== null && isNext ? figures.now - before.now : NaN;
    const seconds = elapsed <= GAP ? elapsed / 1000 : NaN;
    // A counter that has fallen is that of a server which was started anew.
    const rate = (/** @type {number | null} */ now, /** @type {number | null | undefined} */ then) =>
      (now ?? NaN) >= (then ?? NaN) ? ((now ?? NaN) - (then ?? NaN)) / seconds : NaN;
    this.#push(figures.now, {
      tickMedian: figures.tickMedian,
      tick99: figures.tick99,
      late99: figures.late99,
      people: figures.people,
      clients: figures.clients ?? NaN,
      bodies: figures.bodies,
      bytes: rate(figures.bytes, before?.bytes),
      skipped: rate(figures.skipped, before?.skipped),
      rollbacks: rate(figures.rollbacks, before?.rollbacks),
    });
    this.#told = figures;
    this.#isAnswered = true;
  }

  /** The server did not answer: what comes next is joined to nothing.
   * @param {number} now ms */
  miss(now) {
    this.#isAnswered = false;
    this.#push(now, null);
  }

  /** @param {number} time
   * @param {Point | null} point */
  #push(time, point) {
    this.#entries.push({ time, point });
    const oldest = time - POINTS * INTERVAL;
    while (this.#entries.length > POINTS || this.#entries[0].time < oldest) this.#entries.shift();
    this.restarts = this.restarts.filter((at) => at >= oldest);
  }
}
