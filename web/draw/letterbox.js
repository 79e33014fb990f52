// @ts-check

/** @typedef {import("../core/vector.js").Vector} Vector */

/** Where the world lies on the canvas: scaled as large as fits, in the middle, its shape kept. */
export class Letterbox {
  /** CSS pixels per point. */
  scale = 1;
  /** Left edge of the world in CSS pixels from the canvas's. */
  left = 0;
  top = 0;
  worldWidth = 720;
  worldHeight = 960;

  /**
   * @param {number} width of the canvas in CSS pixels
   * @param {number} height
   * @param {number} margin CSS pixels kept free around the world, for its rim
   */
  fit(width, height, margin) {
    const room = { width: width - 2 * margin, height: height - 2 * margin };
    this.scale = Math.max(
      0.01,
      Math.min(room.width / this.worldWidth, room.height / this.worldHeight),
    );
    this.left = (width - this.worldWidth * this.scale) / 2;
    this.top = (height - this.worldHeight * this.scale) / 2;
  }

  /**
   * @param {number} x CSS pixels in the canvas
   * @param {number} y
   * @returns {Vector} points
   */
  toWorld(x, y) {
    return { x: (x - this.left) / this.scale, y: (y - this.top) / this.scale };
  }

  /**
   * @param {number} x points
   * @param {number} y
   * @returns {Vector} CSS pixels in the canvas
   */
  toCanvas(x, y) {
    return { x: this.left + x * this.scale, y: this.top + y * this.scale };
  }

  /** The nearest place in the world at which a sticker of that radius fits.
   * @param {Vector} point
   * @param {number} radius */
  clamp(point, radius) {
    return {
      x: Math.min(Math.max(point.x, radius), this.worldWidth - radius),
      y: Math.min(Math.max(point.y, radius), this.worldHeight - radius),
    };
  }
}
