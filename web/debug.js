// @ts-check

/** @typedef {import("./module.js").LinkNumbers} LinkNumbers */
/** @typedef {import("./connection.js").Connection} Connection */

/** Numbers for those who build the pit: Shift+D or `?debug`. */
export class DebugPanel {
  #element;
  #connection;
  #frames = 0;
  #since = 0;
  #last = { frames: 0, milliseconds: 0 };

  /** @param {HTMLElement} element @param {Connection} connection */
  constructor(element, connection) {
    this.#element = element;
    this.#connection = connection;
    element.hidden = !new URLSearchParams(location.search).has("debug");
    addEventListener("keydown", (event) => {
      const types = event.target instanceof HTMLInputElement && event.target.type === "text";
      if (event.code === "KeyD" && event.shiftKey && !types) element.hidden = !element.hidden;
    });
  }

  /**
   * Once a picture.
   * @param {number} now ms
   * @param {() => LinkNumbers} link
   * @param {{ count: number, drawCalls: number }} picture
   */
  frame(now, link, picture) {
    this.#frames += 1;
    const elapsed = now - this.#since;
    if (elapsed < 500) return;
    if (!this.#element.hidden) this.#element.textContent = this.#text(link(), picture, elapsed);
    this.#frames = 0;
    this.#since = now;
    this.#last = { ...this.#connection.decoding };
  }

  /**
   * @param {LinkNumbers} link
   * @param {{ count: number, drawCalls: number }} picture
   * @param {number} elapsed
   */
  #text(link, picture, elapsed) {
    const { decoding, keyframeRequests, state, lastClose } = this.#connection;
    const frames = decoding.frames - this.#last.frames;
    const spent = decoding.milliseconds - this.#last.milliseconds;
    /** @type {[string, string][]} */
    const lines = [
      ["state", `${state}${lastClose ? ` (${lastClose})` : ""}`],
      ["tick", String(link.tick)],
      ["delay", `${link.delay.toFixed(1)} ms`],
      ["round trip", `${link.roundTrip.toFixed(1)} ms`],
      ["jitter", `${link.jitter.toFixed(1)} ms`],
      ["frames", `${link.frames} (${((frames * 1000) / elapsed).toFixed(0)}/s)`],
      ["keyframes", `${link.keyframes} (${keyframeRequests} asked for)`],
      ["skipped", String(link.skipped)],
      ["gaps", String(link.gaps)],
      ["decode", frames > 0 ? `${((spent / frames) * 1000).toFixed(0)} µs` : "–"],
      ["stickers", String(picture.count)],
      ["draw calls", String(picture.drawCalls)],
      ["pictures", `${((this.#frames * 1000) / elapsed).toFixed(0)}/s`],
    ];
    return lines.map(([name, value]) => `${name.padEnd(11)}${value}`).join("\n");
  }
}
