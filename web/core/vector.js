// @ts-check

/**
 * A point, a direction or a tilt; x grows to the right, y downwards.
 * @typedef {{ x: number, y: number }} Vector
 */

/** The length of a vector. Not `Math.hypot`, which puts its numbers into an array: this is asked for
 * in every picture, some of it for every sticker.
 * @param {number} x @param {number} y */
export const lengthOf = (x, y) => Math.sqrt(x * x + y * y);

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** What share of the way that is left something glides in a time, if it takes `pace` for 63 % of it.
 * @param {number} elapsed @param {number} pace in the same unit */
export const glide = (elapsed, pace) => 1 - Math.exp(-elapsed / pace);
