// @ts-check

/** Judged by so many animation frames at a time: a third of a second at 60 Hz … */
const SAMPLE = 24;
/** … by the shortest quarter of them: a busy page leaves frames out, and few come too early. */
const RANK = SAMPLE / 4;
/** The screen is as fast as in the best of so many samples, because a second may be busy. */
const REMEMBERED = 3;
/** A longer pause says nothing of the screen: a hidden page, a dialog, ms. */
export const PAUSE = 400;
/** Screens are not exact: 118 Hz are 120. */
const TOLERANCE = 0.1;
/** Pictures a second that are enough; faster screens get the next even share of theirs above it. */
const ENOUGH = 60;
/** A frame that comes so much too late makes messages wait as long, which looks like jitter: a
 * quarter of what costs a link its first bar (25 ms, `Page.quality`) and a few of them, ms. */
const LATE = 20;
/** What was late is seen in the jitter's average for so long, ms. */
const BUSY_FOR = 3000;

/** @param {number} one @param {number} other */
const shorter = (one, other) => Math.min(one, other);

/** How often the screen shows pictures, seen from the times of animation frames. */
export class Display {
  /** From one of the screen's pictures to the next, ms; before it is known, what most have. */
  period = 1000 / 60;
  /** From the animation frame before to the last one, ms; not a number after a pause. Kept here, because
   * a number that is handed on becomes an object. */
  elapsed = NaN;
  #last = -Infinity;
  #sample = new Float64Array(SAMPLE);
  #count = 0;
  #shortest = new Float64Array(REMEMBERED).fill(Infinity);
  #busyUntil = -Infinity;

  /** Every animation frame, drawn or not.
   * @param {number} now ms */
  frame(now) {
    const elapsed = now - this.#last;
    const isPause = !(elapsed > 0 && elapsed < PAUSE);
    this.#last = now;
    this.elapsed = isPause ? NaN : elapsed;
    if (isPause) return;
    if (elapsed > this.period + LATE) this.#busyUntil = now + BUSY_FOR;
    this.#sample[this.#count++] = elapsed;
    if (this.#count === SAMPLE) this.#judge();
  }

  /** Whether the page was lately too busy to take messages when they came.
   * @param {number} now */
  isBusy(now) {
    return now < this.#busyUntil;
  }

  /** Every so many of the screen's pictures get a new one of ours: at 60, 75 and 90 Hz each, at
   * 120 and 144 Hz each second one. Any other share would be uneven: 11 and 22 ms by turns at
   * 90 Hz. */
  get stride() {
    return Math.max(1, Math.floor(1000 / this.period / ENOUGH + TOLERANCE));
  }

  #judge() {
    this.#count = 0;
    this.#sample.sort();
    this.#shortest.copyWithin(0, 1);
    this.#shortest[REMEMBERED - 1] = this.#sample[RANK];
    this.period = this.#shortest.reduce(shorter);
  }
}

/**
 * Calls back before every picture, at an even pace: 60 times a second, or a little more often where
 * the screen's own rate asks for it.
 * @param {Display} display
 * @param {(now: number) => void} draw
 * @param {() => void} passed called in every animation frame, before it is drawn
 */
export function everyPicture(display, draw, passed) {
  let waited = Infinity;
  const frame = (/** @type {number} */ now) => {
    requestAnimationFrame(frame);
    display.frame(now);
    passed();
    waited += 1;
    if (waited < display.stride) return;
    waited = 0;
    draw(now);
  };
  requestAnimationFrame(frame);
}
