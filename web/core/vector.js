// @ts-check

/**
 * A point, a direction or a tilt; x grows to the right, y downwards.
 * @typedef {{ x: number, y: number }} Vector
 */

/** Gravity and tilt while nobody tilts, and where nothing falls. */
export const UPRIGHT = Object.freeze({ x: 0, y: 1 });
export const FLAT = Object.freeze({ x: 0, y: 0 });

/** The length of a vector. Not `Math.hypot`, which puts its numbers into an array: this is asked for
 * in every picture, some of it for every sticker.
 * @param {number} x
 * @param {number} y */
export const lengthOf = (x, y) => Math.sqrt(x * x + y * y);

/** @param {number} value
 * @param {number} low
 * @param {number} high */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** The share of its way that something glides in a time, if 63 % of it take `pace`.
 * @param {number} elapsed
 * @param {number} pace */
export const glide = (elapsed, pace) => 1 - Math.exp(-elapsed / pace);
