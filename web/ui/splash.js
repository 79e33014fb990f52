// @ts-check

/** @typedef {import("../core/vector.js").Vector} Vector */

/** The answer to a touch in the same frame, while the sticker is still on its way. Where less motion is
 * wanted, it stands still and only fades. */
export class Splash {
  #layer;
  #calm = matchMedia("(prefers-reduced-motion: reduce)");

  /** @param {HTMLElement} layer */
  constructor(layer) {
    this.#layer = layer;
  }

  /** A ripple that spreads.
   * @param {number} x CSS pixels
   * @param {number} y
   * @param {number} size */
  drop(x, y, size) {
    this.#play("ripple", size, `translate(${x - size / 2}px, ${y - size / 2}px)`, [
      { scale: "0.5", opacity: 0.9 },
      { scale: "1.7", opacity: 0 },
    ]);
  }

  /** A streak along the throw.
   * @param {number} x
   * @param {number} y
   * @param {number} size
   * @param {Vector} velocity */
  throw(x, y, size, velocity) {
    const angle = Math.atan2(velocity.y, velocity.x);
    this.#play("streak", size, `translate(${x}px, ${y - size / 2}px) rotate(${angle}rad)`, [
      { scale: "0.4 1", opacity: 0.8 },
      { scale: "4 0.5", opacity: 0 },
    ]);
  }

  /**
   * @param {string} kind
   * @param {number} size
   * @param {string} transform
   * @param {Keyframe[]} frames
   */
  #play(kind, size, transform, frames) {
    const shown = this.#calm.matches ? frames.map(({ opacity }) => ({ opacity })) : frames;
    const holder = document.createElement("div");
    const mark = document.createElement("div");
    mark.className = kind;
    mark.style.width = mark.style.height = `${size}px`;
    holder.className = "splash";
    holder.style.transform = transform;
    holder.style.transformOrigin = `0 ${size / 2}px`;
    holder.append(mark);
    this.#layer.append(holder);
    const animation = mark.animate(shown, { duration: 420, easing: "ease-out" });
    animation.onfinish = animation.oncancel = () => holder.remove();
  }
}
