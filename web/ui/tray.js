// @ts-check
import { onOtherSet, shownSet } from "../draw/stickersets.js";
import { text } from "../strings/language.js";

/** The tray of stickers: shows which comes next and lets one choose. Until somebody chooses, every
 * drop is followed by a surprise. */
export class Tray {
  kind = 0;
  #next;
  #picture;
  #strip;
  #changed;
  #surprises = true;

  /**
   * @param {HTMLElement} element
   * @param {(kind: number) => void} changed
   */
  constructor(element, changed) {
    this.#changed = changed;
    this.#next = /** @type {HTMLButtonElement} */ (element.querySelector(".next"));
    this.#picture = /** @type {HTMLImageElement} */ (this.#next.querySelector("img"));
    this.#strip = /** @type {HTMLElement} */ (element.querySelector(".strip"));
    this.#fill();
    this.#next.addEventListener("click", (event) => {
      this.#surprises = true;
      this.#show(this.#another());
      letGo(this.#next, event);
    });
    this.#show(this.#another());
    onOtherSet(() => {
      this.#fill();
      this.#surprises = true;
      this.#show(this.#another());
    });
  }

  /** Offers the stickers of the set that is shown. */
  #fill() {
    const kinds = Array.from({ length: shownSet().count }, (_, kind) => this.#choice(kind));
    this.#strip.replaceChildren(...kinds);
  }

  /** To be told after a sticker has been dropped. */
  used() {
    if (this.#surprises) this.#show(this.#another());
  }

  /** Chooses one beside the one that is next.
   * @param {number} by places */
  step(by) {
    const { count } = shownSet();
    this.#surprises = false;
    this.#show((this.kind + by + count) % count);
  }

  /** @param {number} kind */
  #choice(kind) {
    const label = document.createElement("label");
    const radio = document.createElement("input");
    const image = document.createElement("img");
    Object.assign(radio, { type: "radio", name: "sticker", value: String(kind) });
    const set = shownSet();
    Object.assign(image, { src: set.urlOf(kind), alt: set.nameOf(kind), draggable: false });
    label.append(radio, image);
    // Not `change`, which does not come for the sticker that a surprise has marked already. The
    // arrow keys make clicks as well.
    radio.addEventListener("click", (event) => {
      this.#surprises = false;
      this.#show(kind);
      letGo(radio, event);
    });
    return label;
  }

  #another() {
    const { count } = shownSet();
    const step = 1 + Math.floor(Math.random() * (count - 1));
    return (this.kind + step) % count;
  }

  /** @param {number} kind */
  #show(kind) {
    this.kind = kind;
    this.#picture.src = shownSet().urlOf(kind);
    const sticker = shownSet().nameOf(kind);
    this.#next.setAttribute("aria-label", text("tray.next", { sticker }));
    this.#next.classList.toggle("surprising", this.#surprises);
    const radio = this.#strip.querySelectorAll("input")[kind];
    radio.checked = true;
    if (!this.#surprises) scrollIntoStrip(this.#strip, radio);
    this.#changed(kind);
  }
}

/** After a click by mouse or finger the arrow keys go back to tilting. A click that the keyboard
 * made has no count.
 * @param {HTMLElement} element
 * @param {MouseEvent} event */
function letGo(element, event) {
  if (event.detail > 0) element.blur();
}

/**
 * Not `scrollIntoView`, which would scroll the page as well.
 * @param {HTMLElement} strip
 * @param {HTMLElement} radio
 */
function scrollIntoStrip(strip, radio) {
  const label = /** @type {HTMLElement} */ (radio.parentElement);
  const left = label.offsetLeft - (strip.clientWidth - label.offsetWidth) / 2;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  strip.scrollTo({ left, behavior: isCalm ? "instant" : "smooth" });
}
