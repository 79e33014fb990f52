// @ts-check
// How sounds follow from what happened, in numbers: nothing here makes a sound.
import { clamp } from "../core/vector.js";

/** More sounds a second are noise. */
export const MOST_A_SECOND = 12;
/** How many sounds of a second are played whatever they are. From then on a sound must be the louder, the
 * fewer are left, so that a hard blow in a rolling crowd still finds room. */
const EASY = 5;
/** The loudness that a sound must have to be the last one, 0…1. */
const LAST = 0.6;

/** Which sounds are played: at most a number of them in any second. */
export class SoundBudget {
  #times = new Float64Array(MOST_A_SECOND).fill(-Infinity);
  #oldest = 0;

  /** Whether a sound is played; if so it counts.
   * @param {number} loudness 0…1
   * @param {number} now ms */
  spend(loudness, now) {
    let used = 0;
    for (let at = 0; at < MOST_A_SECOND; at += 1) if (now - this.#times[at] < 1000) used += 1;
    const least = (LAST * (used - EASY + 1)) / (MOST_A_SECOND - EASY);
    if (used === MOST_A_SECOND || loudness < least) return false;
    this.#times[this.#oldest] = now;
    this.#oldest = (this.#oldest + 1) % MOST_A_SECOND;
    return true;
  }
}

/** The slowest blow that is heard, pt/s, and one that is as loud as any. */
const [SOFT, HARD] = [60, 1800];
/** The size of a sticker, points, whose sound is as it was made (`timbres.js`). */
const MIDDLE_SIZE = 44;

/** How loud a blow is, 0…1: larger things are heavier.
 * @param {number} speed with which the two met, pt/s
 * @param {number} size points */
export function loudnessOf(speed, size) {
  const hardness = clamp((speed - SOFT) / (HARD - SOFT), 0, 1) ** 0.6;
  return Math.min(1, hardness * clamp(Math.sqrt(size / MIDDLE_SIZE), 0.6, 1.6));
}

/** How fast a sound is played: small things sound high.
 * @param {number} size points */
export function rateOf(size) {
  return clamp((MIDDLE_SIZE / Math.max(1, size)) ** 0.6, 0.45, 1.8);
}

/** Above this, in Hz, a sound is cut off: soft blows are dull.
 * @param {number} loudness 0…1 */
export function cutoffOf(loudness) {
  return 700 * 16 ** clamp(loudness, 0, 1);
}

/** Where it is heard, −1…1 from left to right: never at one ear alone.
 * @param {number} x points
 * @param {number} worldWidth */
export function panOf(x, worldWidth) {
  return worldWidth > 0 ? clamp((x / worldWidth) * 2 - 1, -1, 1) * 0.6 : 0;
}
