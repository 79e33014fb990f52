// @ts-check
import { Display } from "./display.js";

/**
 * Calls back before every picture, at an even pace: 60 times a second, or a little more often where
 * the screen's own rate asks for it.
 * @param {Display} display
 * @param {(now: number) => void} draw
 * @param {(elapsed: number | null) => void} passed every animation frame, before it is drawn: the
 *   time since the one before, or null after a pause
 */
export function everyPicture(display, draw, passed) {
  let waited = Infinity;
  const frame = (/** @type {number} */ now) => {
    requestAnimationFrame(frame);
    passed(display.frame(now));
    waited += 1;
    if (waited < display.stride) return;
    waited = 0;
    draw(now);
  };
  requestAnimationFrame(frame);
}
