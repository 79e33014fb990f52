// @ts-check
import { loadStyles } from "./dom.js";

/** What the host has decided, for everybody to see: that the world stands still, and what the host
 * has to say. */
export class HostNews {
  #announcement;
  #badge;

  /** Loads its style sheet.
   * @param {ConstructorParameters<typeof HostNews>} values */
  static async open(...values) {
    await loadStyles(new URL("./hostnews.css", import.meta.url));
    return new HostNews(...values);
  }

  /** @param {HTMLElement} announcement
   * @param {HTMLElement} badge */
  constructor(announcement, badge) {
    this.#announcement = announcement;
    this.#badge = badge;
  }

  /** Both stand in live regions: what stays the same is left alone.
   * @param {{ isFrozen: boolean, announcement: string }} news */
  show({ isFrozen, announcement }) {
    if (this.#badge.hidden === isFrozen) {
      this.#badge.hidden = !isFrozen;
      document.documentElement.toggleAttribute("data-frozen", isFrozen);
    }
    if (this.#announcement.textContent === announcement) return;
    // As text: no markup in it has any effect.
    this.#announcement.textContent = announcement;
    this.#announcement.hidden = announcement.trim() === "";
  }
}
