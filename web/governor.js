// @ts-check

/** Judged over so many pictures. */
const SAMPLE = 45;
/** Slower than this on average, in ms between pictures, is too much work for the device. */
const SLOWEST = 26;
/** A longer pause is not the drawing's fault: a hidden page, a dialog. */
const PAUSE = 400;

/** Lowers the sharpness on a device that can't keep up, down to one pixel a CSS pixel. */
export class Governor {
  /** The share of the screen's sharpness to use, 0…1. */
  share = 1;
  #last = 0;
  #pictures = 0;
  #milliseconds = 0;

  /**
   * Once a picture that was drawn.
   * @param {number} now ms
   * @returns {boolean} whether the share has changed
   */
  frame(now) {
    const elapsed = now - this.#last;
    this.#last = now;
    if (elapsed > PAUSE) return false;
    this.#pictures += 1;
    this.#milliseconds += elapsed;
    if (this.#pictures < SAMPLE) return false;
    const isSlow = this.#milliseconds / this.#pictures > SLOWEST;
    this.#pictures = this.#milliseconds = 0;
    if (!isSlow || this.share < 0.35) return false;
    this.share *= 0.8;
    return true;
  }
}
