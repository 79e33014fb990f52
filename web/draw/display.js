// @ts-check

/** Frames by which the screen's rate is judged: 0.4 s at 60 Hz. */
const SAMPLE = 24;
/** Their shortest quarter decides: a busy page leaves frames out, but few come too early. */
const RANK = SAMPLE / 4;
/** How many judgements there are, of which the fastest counts: the page may be busy for a second. */
const REMEMBERED = 3;
/** A longer time between two frames says nothing of the screen: the page was hidden, or a dialog was
 * open, ms. */
export const PAUSE = 400;
/** Screens' rates are not exact: 118 Hz count as 120. */
const TOLERANCE = 0.1;
/** How many pictures a second are enough: faster screens get every second or third, but no fewer than
 * these. */
const ENOUGH = 60;
/** How late, ms, a frame comes that has kept messages waiting, too, which looks like jitter of the line:
 * at 25 ms the link loses a bar (`Page.quality`). */
const LATE = 20;
/** How long one late frame is part of the jitter's average, ms. */
const BUSY_FOR = 3000;

/** @param {number} one
 * @param {number} other */
const shorter = (one, other) => Math.min(one, other);

/** How often the screen shows pictures, seen from the times of animation frames. */
export class Display {
  /** From one of the screen's pictures to the next, ms; before it is known, what most have. */
  period = 1000 / 60;
  /** From the animation frame before to the last one, ms; not a number after a pause. A field,
   * because V8 boxes a float that is passed on. */
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

  /** How many of the screen's pictures there are for each of ours: at 60, 75 and 90 Hz each, at
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
