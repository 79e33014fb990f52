// @ts-check

/**
 * A point, a direction or a tilt; x grows to the right, y downwards.
 * @typedef {{ x: number, y: number }} Vector
 */

/** The length of a vector. Not `Math.hypot`, which puts its numbers into an array: this is asked for
 * in every picture, some of it for every sticker.
 * @param {number} x @param {number} y */
export const lengthOf = (x, y) => Math.sqrt(x * x + y * y);
