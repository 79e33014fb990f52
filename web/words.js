// @ts-check
import { Budget } from "./budget.js";
import { STICKERS } from "./sheet.js";

/** What the server hears unless it has a list of its own. */
const PHRASES = ["happy birthday", "so cold", "生日快乐", "天冷了"];
/** The server allows two a second, with bursts of four. */
const SAYING = { perSecond: 1.5, burst: 3 };
/** A word that was heard makes it rain within this time, ms. */
const ANSWERED_WITHIN = 1500;
/** Names by kind, after the sixteen stickers. */
const FALLING = new Map([
  [18, "snow"],
  [19, "cake"],
]);

/** What falls, in a word. @param {number} kind */
export function fallingName(kind) {
  return FALLING.get(kind) ?? STICKERS[kind] ?? "stickers";
}

/** The field and the chips with which one says a keyword. Nobody sees what another typed. */
export class Words {
  #element;
  #say;
  #unheard;
  #budget = new Budget(SAYING.perSecond, SAYING.burst);
  #timer = 0;

  /**
   * @param {HTMLElement} element
   * @param {(words: string) => boolean} say whether it was sent
   * @param {() => void} unheard it meant nothing to the server
   */
  constructor(element, say, unheard) {
    this.#element = element;
    this.#say = say;
    this.#unheard = unheard;
    const chips = /** @type {HTMLElement} */ (element.querySelector(".chips"));
    const form = /** @type {HTMLFormElement} */ (element.querySelector("form"));
    const field = /** @type {HTMLInputElement} */ (element.querySelector("input"));
    chips.append(...PHRASES.map((phrase) => this.#chip(phrase)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim() === "" || !this.#speak(field.value.trim())) return;
      field.value = "";
    });
  }

  /** @param {boolean} isThere */
  show(isThere) {
    this.#element.hidden = !isThere;
  }

  /** It rains: somebody's word was heard, perhaps ours. */
  heard() {
    clearTimeout(this.#timer);
  }

  /** @param {string} phrase */
  #chip(phrase) {
    const chip = document.createElement("button");
    Object.assign(chip, { type: "button", textContent: phrase });
    chip.addEventListener("click", (event) => {
      this.#speak(phrase);
      // The arrow keys go back to tilting; the keyboard's clicks have no count.
      if (event.detail > 0) chip.blur();
    });
    return chip;
  }

  /** @param {string} words */
  #speak(words) {
    if (!this.#budget.spend(performance.now()) || !this.#say(words)) return false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#unheard, ANSWERED_WITHIN);
    return true;
  }
}
