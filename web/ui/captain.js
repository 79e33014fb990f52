// @ts-check
import { text } from "../strings/language.js";
import { loadStyles, make, write } from "./dom.js";

/** @typedef {import("../core/module.js").Person} Person */
/** @typedef {Person & { seconds: number }} Captain whose pit it is, for how long yet; the name is
 * empty where the server doesn't know it */

/** A turn of the captain, seconds: `Captaincy.turnTicks`. */
const TURN = 10;

/** Whose pit it is where one person tilts at a time, in a line above the pit: in words once a turn,
 * which a screen reader tells, and as a circle in the person's colour that runs down. */
export class CaptainLine {
  #line;
  #words = make("span");
  #seconds = make("b");
  #left = make("i", { "aria-hidden": "true" }, this.#seconds);
  #timer = 0;

  /** Loads its style sheet.
   * @param {HTMLElement} line */
  static async open(line) {
    await loadStyles(new URL("./captain.css", import.meta.url));
    return new CaptainLine(line);
  }

  /** @param {HTMLElement} line */
  constructor(line) {
    this.#line = line;
    line.append(this.#left, this.#words);
  }

  /** @param {{ captain: Captain | null, clientId: number }} module
   * @param {number} toldAt when it was told who the captain is, ms */
  show({ captain, clientId }, toldAt = performance.now()) {
    clearInterval(this.#timer);
    const root = document.documentElement;
    this.#line.hidden = captain === null;
    if (captain === null) return root.removeAttribute("data-captain");
    const { id, colour, name, seconds } = captain;
    const isNobody = id < 0;
    root.dataset.captain = isNobody ? "nobody" : id === clientId ? "me" : "other";
    this.#left.hidden = isNobody;
    if (isNobody) write(this.#words, text("captain.nobody"));
    else if (id === clientId) write(this.#words, text("captain.me"));
    else write(this.#words, text("captain.other", { name: name || text("person.somebody") }));
    if (isNobody) return;
    root.style.setProperty("--captain", colour);
    const ends = toldAt + seconds * 1000;
    const count = () => {
      const left = Math.max(0, ends - performance.now()) / 1000;
      this.#seconds.textContent = String(Math.ceil(left));
      this.#line.style.setProperty("--left", String(Math.min(1, left / TURN)));
    };
    count();
    this.#timer = setInterval(count, 250);
  }
}
