// @ts-check

/** Round trips in ms that are good for four, three and two bars, as in `Page.quality`. */
const ROUND_TRIPS = [80, 160, 350];

/**
 * The bars to show. A page that is busy takes messages late, which looks like jitter of the line;
 * then the round trip alone counts, whose shortest ones are the line's own.
 * @param {{ quality: number, roundTrip: number }} link quality: 0…4
 * @param {boolean} isBusy
 */
export function linkBars({ quality, roundTrip }, isBusy) {
  if (!isBusy || quality === 0) return quality;
  const worse = ROUND_TRIPS.findIndex((limit) => roundTrip < limit);
  return Math.max(quality, worse < 0 ? 1 : 4 - worse);
}
