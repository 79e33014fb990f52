// @ts-check

/** Shorter round trips are not poor, ms: as in `Page.quality`. */
const POOR = 350;

/**
 * The bars to show, 0…4. A page that is busy takes messages late, which looks like jitter of the line;
 * then the round trip alone counts, whose shortest ones are the line's own.
 * @param {{ quality: number, roundTrip: number }} link @param {boolean} isBusy
 */
export function linkBars({ quality, roundTrip }, isBusy) {
  return isBusy && quality === 1 && roundTrip < POOR ? 2 : quality;
}
