// @ts-check

/** How long a headline takes to come, stays, and takes to go, ms. The rain's floor is open for 1.2 s
 * (`RainScene.openTicks`): the headline is there for all of it, but for the first moment. */
const [COMING, STAYING, GOING] = [150, 1200, 700];

/** A large line over the pit that fades in and out. */
export class Headline {
  #element;
  #calm = matchMedia("(prefers-reduced-motion: reduce)");
  #turn = 0;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** @param {string} text */
  async show(text) {
    const turn = (this.#turn += 1);
    this.#element.textContent = text;
    this.#element.hidden = false;
    await this.#fade([0, 1], COMING);
    if (turn === this.#turn) await this.#fade([1, 1], STAYING);
    if (turn === this.#turn) await this.#fade([1, 0], GOING);
    if (turn === this.#turn) this.#element.hidden = true;
  }

  /** Fades it; where less motion is wanted, it is simply there.
   * @param {number[]} opacity
   * @param {number} duration */
  async #fade(opacity, duration) {
    const frames = this.#calm.matches ? { opacity: [1, 1] } : { opacity };
    const easing = opacity[0] === 0 ? "ease-out" : "ease-in";
    const animation = this.#element.animate(frames, { duration, easing });
    // In a hidden page no animation runs; the timer ends the wait there as well.
    await new Promise((done) => {
      animation.onfinish = done;
      setTimeout(done, duration + 100);
    });
  }
}
