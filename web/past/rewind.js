// @ts-check
import { importLater, once } from "../core/later.js";
import { TICKS_A_SECOND } from "../core/wire.js";
import { isTyping } from "../input/keys.js";

/** @typedef {import("./timeline.js").TimeLine} TimeLine */
/** @typedef {import("./past.js").Past} Past */

/** Ticks that must be recorded before there is a past: a second. */
const LEAST = TICKS_A_SECOND;
/** When what plays the past is loaded, ms after the page: the first pictures are more urgent. */
const LATER = 6000;

/** The button that shows again what just happened. What plays the past is fetched after the first
 * pictures, or when somebody asks for it. */
export class Rewind {
  #bar;
  #button;
  #toast;
  #module;
  #entered;
  /** @type {TimeLine | null} */ #line = null;

  /** @param {HTMLElement} bar of the time line
   * @param {HTMLElement} button
   * @param {import("../core/module.js").PageModule} module
   * @param {import("../ui/toast.js").Toast} toast
   * @param {() => void} entered called before the present is left */
  constructor(bar, button, module, toast, entered) {
    this.#bar = bar;
    this.#button = button;
    this.#module = module;
    this.#toast = toast;
    this.#entered = entered;
    button.addEventListener("click", () => this.#begin().catch(console.warn));
    addEventListener("keydown", (event) => this.#press(event));
    setTimeout(() => this.#load().catch(() => {}), LATER);
  }

  /** What plays the past, once it is there. */
  get past() {
    return this.#line?.past ?? null;
  }

  /** Whether the past is shown. */
  get isShown() {
    return this.#line !== null && this.#line.past.isShown;
  }

  /** Shows a journal, which has no present.
   * @param {import("./journal.js").JournalSource} source */
  async showJournal(source) {
    (await this.#load()).showJournal(source);
  }

  /** Shows the present again; a journal has none. */
  leave() {
    this.#line?.leave();
  }

  /** Once a picture.
   * @param {number} now ms */
  advance(now) {
    if (this.isShown) return this.#line?.advance(now);
    const isMissing = this.#isMissing;
    if (this.#button.hidden !== isMissing) this.#button.hidden = isMissing;
  }

  /** Whether there is nothing to show: at the beginning, and for who plays alone. */
  get #isMissing() {
    return this.#module.recordedTicks < LEAST;
  }

  async #begin() {
    if (this.isShown || this.#isMissing) return;
    const line = await this.#load();
    // What there was may be gone since.
    if (this.isShown || this.#isMissing) return;
    this.#entered();
    line.rewind();
  }

  #load = once(async () => {
    /** @type {typeof import("./timeline.js")} */
    const { TimeLine } = await importLater("./timeline.js", import.meta.url);
    return (this.#line = await TimeLine.open(this.#bar, this.#button, this.#module, this.#toast));
  });

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { code, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
    if (code !== "KeyR" || ctrlKey || metaKey || altKey || shiftKey || repeat) return;
    if (this.isShown || isTyping(event)) return;
    // The time line takes the same key for the way back.
    event.stopImmediatePropagation();
    this.#begin().catch(console.warn);
  }
}
