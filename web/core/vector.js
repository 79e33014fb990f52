// @ts-check
// A type only: no page loads this file.

/**
 * A point, a direction or a tilt; x grows to the right, y downwards.
 * @typedef {{ x: number, y: number }} Vector
 */
export {};
