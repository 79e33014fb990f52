// @ts-check

/** The floor shakes so many ticks before it opens: 150 ms. */
const TICKS = 9;
/** How far, points, and how often in a second. */
const [REACH, TIMES] = [3.5, 22];

const calmQuery = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * How far to the right a picture is shifted because the floor is about to open, points.
 * @param {number} ticks until it does; negative if it is not about to
 * @param {number} now ms
 */
export function quake(ticks, now) {
  if (!(ticks > 0 && ticks <= TICKS) || calmQuery.matches) return 0;
  return REACH * Math.sin((2 * Math.PI * TIMES * now) / 1000);
}
