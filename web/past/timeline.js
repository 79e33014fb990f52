// @ts-check
import { TICKS_A_SECOND } from "../core/wire.js";
import { isTyping } from "../input/keys.js";
import { text } from "../strings/language.js";
import { loadStyles } from "../ui/dom.js";
import { Past, RecordedSource } from "./past.js";

/** @typedef {import("../core/module.js").PageModule} PageModule */

/** How far back the button goes, in ticks: ten seconds. */
const REWIND = 10 * TICKS_A_SECOND;
/** Ticks that an arrow key goes with Shift: a second. */
const LEAP = TICKS_A_SECOND;
/** A shorter wait is not worth a word, ms. */
const PATIENCE = 300;
/** The shortest time between two changes of the label, ms. */
const LABEL_INTERVAL = 100;
const SPEEDS = [-2, -1, 0.1, 0.25, 0.5, 1, 2, 4, 8];

/** The time line: plays the past, stops it, steps through it. */
export class TimeLine {
  #bar;
  #button;
  past;
  #module;
  #slider;
  /** @type {HTMLElement} */ #label;
  /** @type {HTMLElement} */ #play;
  #speed;
  /** @type {HTMLElement} */ #live;
  #labelAt = 0;
  /** Whether somebody has hold of the slider. */ #isDragged = false;

  /** Loads its style sheet.
   * @param {ConstructorParameters<typeof TimeLine>} values */
  static async open(...values) {
    await loadStyles(new URL("./timeline.css", import.meta.url));
    return new TimeLine(...values);
  }

  /** @param {HTMLElement} bar
   * @param {HTMLElement} button that opens it
   * @param {PageModule} module
   * @param {import("../ui/toast.js").Toast} toast */
  constructor(bar, button, module, toast) {
    const past = new Past(module, toast);
    this.#bar = bar;
    this.#button = button;
    this.past = past;
    this.#module = module;
    const part = (/** @type {string} */ name) =>
      /** @type {HTMLElement} */ (bar.querySelector(`.${name}`));
    this.#slider = /** @type {HTMLInputElement} */ (part("moment"));
    this.#speed = /** @type {HTMLSelectElement} */ (part("speed"));
    [this.#label, this.#play, this.#live] = ["when", "play", "live"].map(part);
    this.#speed.append(...SPEEDS.map((speed) => new Option(`${speed}×`.replace("-", "−"), `${speed}`)));
    this.#speed.addEventListener("change", () => (past.speed = Number(this.#speed.value)));
    this.#slider.addEventListener("pointerdown", () => (this.#isDragged = true));
    for (const end of ["pointerup", "pointercancel", "change"]) {
      this.#slider.addEventListener(end, () => (this.#isDragged = false));
    }
    this.#slider.addEventListener("input", () => past.seek(Number(this.#slider.value)));
    part("back").addEventListener("click", () => past.step(-1));
    part("forward").addEventListener("click", () => past.step(1));
    this.#play.addEventListener("click", () => past.toggle());
    this.#live.addEventListener("click", () => this.leave());
    addEventListener("keydown", (event) => this.#press(event));
    // After a click the button loses the focus, so that the space bar plays and pauses again.
    bar.addEventListener("click", ({ detail, target }) => {
      if (detail > 0 && target instanceof Element) target.closest("button")?.blur();
    });
  }

  /** Shows what just happened, and the present again when that is over. */
  rewind() {
    const source = new RecordedSource(this.#module);
    this.past.ended = () => this.#isDragged || this.leave();
    this.#open(source, source.last - REWIND, 1);
  }

  /** Shows a journal, which has no present.
   * @param {import("./journal.js").JournalSource} source */
  showJournal(source) {
    document.documentElement.classList.add("replay", "joined");
    this.#live.hidden = true;
    this.#open(source, source.start, source.speed);
  }

  /** Once a picture of the past.
   * @param {number} now ms */
  advance(now) {
    const past = this.past;
    if (!this.#isDragged) this.#slider.value = String(past.position);
    if (now - this.#labelAt < LABEL_INTERVAL) return;
    this.#labelAt = now;
    const isLate = past.waitsSince !== null && now - past.waitsSince > PATIENCE;
    this.#label.textContent = isLate ? text("past.loading") : past.label;
    this.#label.title = text("past.tick", { tick: Math.floor(past.position) });
    this.#play.dataset.does = past.isPlaying ? "pause" : "play";
    this.#play.setAttribute("aria-label", text(past.isPlaying ? "past.pause" : "past.play"));
  }

  /** @param {import("./past.js").PastSource} source
   * @param {number} position
   * @param {number} speed */
  #open(source, position, speed) {
    [this.#slider.min, this.#slider.max] = [String(source.first), String(source.last)];
    if (!SPEEDS.includes(speed)) this.#speed.prepend(new Option(`${speed}×`, `${speed}`));
    this.#speed.value = String(speed);
    this.past.enter(source, position, speed);
    document.documentElement.dataset.past = "";
    this.#bar.hidden = false;
    this.#button.hidden = true;
    this.#labelAt = 0;
    this.#isDragged = false;
  }

  /** Shows the present again; a journal has none. */
  leave() {
    if (this.#live.hidden) return;
    this.past.leave();
    delete document.documentElement.dataset.past;
    this.#bar.hidden = true;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // In its own list of speeds the keys are still for the time line.
    if (isTyping(event) && event.target !== this.#speed) return;
    // A key that is held down steps on and on, and does nothing else twice.
    if (event.repeat && !event.code.startsWith("Arrow")) return;
    if (!this.past.isShown) return;
    if (event.code === "Escape" || event.code === "KeyR") return this.leave();
    const onButton = event.target instanceof HTMLElement && event.target.closest("button, select");
    const step = event.shiftKey ? LEAP : 1;
    if (event.code === "Space" && !onButton) this.past.toggle();
    else if (event.code === "ArrowLeft") this.past.step(-step);
    else if (event.code === "ArrowRight") this.past.step(step);
    else return;
    event.preventDefault();
  }
}
