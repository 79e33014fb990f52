// @ts-check

/** How many animation frames that drew a picture are judged together: three quarters of a second. */
const SAMPLE = 45;
/** Nobody needs more pictures a second than 60, ms between two. */
const ENOUGH = 1000 / 60;
/** If a picture takes this many periods of the screen on average, drawing is too slow: every second
 * picture is late. */
const SLOW = 1.5;
/** Up to this many periods on average, drawing is as fast as the screen. */
const SMOOTH = 1.15;
/** A step down leaves this share of the sharpness: after two there are 41 % of the pixels. */
const STEP = 0.8;
/** The least share of the sharpness. */
const LEAST = 0.35;
/** If a picture takes more than this share of its former time after two steps down, pixels were not what took it:
 * with 41 % of them it would take two thirds at most, even where three of the screen's periods become two. */
const SAVED = 0.85;
/** How many samples must be smooth before it gets sharper again: six seconds at first, twice as long
 * after each step that was too much, and a minute and a half at most. */
const [PATIENCE, MOST_PATIENCE] = [8, 128];

/** Lowers the sharpness on a device that can't keep up, down to one pixel a CSS pixel, and
 * raises it again when it can. */
export class Governor {
  /** The share of the screen's sharpness to use, 0…1. */
  share = 1;
  #frames = 0;
  #milliseconds = 0;
  /** The shortest period of the screen that was seen, ms: slow drawing makes it seem longer. */
  #period = Infinity;
  /** Sharpness and time before the last steps down, and how many those are. */
  #before = { share: 1, mean: 0, steps: 0 };
  /** Smooth samples in a row. */ #smooth = 0;
  /** How many of them it takes to get sharper. */ #patience = PATIENCE;
  /** Whether it has just got sharper, which may be too much. */ #isTried = false;
  /** How many slow samples are still ignored, because steps down were of no use. */ #rest = 0;

  /**
   * To be told of each animation frame after one that drew; others say nothing about drawing.
   * @param {number} elapsed between the two, ms
   * @param {number} period the screen's own, ms
   * @returns {boolean} whether the share has changed
   */
  frame(elapsed, period) {
    this.#period = Math.min(this.#period, period);
    this.#frames += 1;
    this.#milliseconds += elapsed;
    if (this.#frames < SAMPLE) return false;
    const mean = this.#milliseconds / this.#frames;
    this.#frames = this.#milliseconds = 0;
    const share = this.share;
    const wanted = Math.max(ENOUGH, this.#period);
    if (mean > SLOW * wanted) this.#slow(mean);
    else if (mean < SMOOTH * wanted) this.#recover();
    else this.#smooth = 0;
    return this.share !== share;
  }

  /** @param {number} mean ms */
  #slow(mean) {
    this.#smooth = 0;
    if (this.#isTried) this.#hesitate();
    this.#isTried = false;
    this.#rest -= 1;
    if (this.#rest > 0) return;
    if (this.#before.steps === 2 && mean > SAVED * this.#before.mean) return this.#takeBack(mean);
    if (this.#before.steps % 2 === 0) this.#before = { share: this.share, mean, steps: 0 };
    if (this.share < LEAST) return;
    this.share *= STEP;
    this.#before.steps += 1;
  }

  /** It is not the pixels: the screen is slow by itself, or the page has other things to do.
   * @param {number} mean ms */
  #takeBack(mean) {
    this.share = this.#before.share;
    this.#before.steps = 0;
    this.#period = mean;
    this.#rest = this.#patience;
    this.#hesitate();
  }

  #recover() {
    this.#before.steps = 0;
    this.#smooth += 1;
    if (this.#smooth < this.#patience) return;
    this.#smooth = 0;
    // The sharper picture was kept up.
    if (this.#isTried) this.#patience = PATIENCE;
    this.#isTried = this.share < 1;
    // Up by one step. Several steps leave a rounding error, so the comparison is not exact.
    this.share = this.share > STEP * 0.99 ? 1 : this.share / STEP;
  }

  #hesitate() {
    this.#patience = Math.min(MOST_PATIENCE, this.#patience * 2);
  }
}
