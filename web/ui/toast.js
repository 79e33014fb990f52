// @ts-check
import { text } from "../strings/language.js";

/**
 * What the server's message codes mean to a person; codes that are not here are for the machine.
 * @type {Map<number, "toast.slow" | "toast.fine">}
 */
const SENTENCES = new Map([
  [1, "toast.slow"],
  [2, "toast.fine"],
]);
const SHOWN_FOR = 4000;
/** What people try again and again is explained once in this time, ms: twice as long as it is
 * shown and a little more, so that it does not stay for ever. */
const ONCE_IN = 10_000;

/** A sentence that comes and goes by itself. */
export class Toast {
  #element;
  #timer = 0;
  /** @type {Map<string, number>} when it was said, by sentence */ #explained = new Map();

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** Says what a notice of the server means to this person.
   * @param {number} code of its message */
  tell(code) {
    const sentence = SENTENCES.get(code);
    if (sentence !== undefined) this.say(text(sentence));
  }

  /** @param {string} sentence */
  say(sentence) {
    this.#element.textContent = sentence;
    this.#element.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#element.hidden = true), SHOWN_FOR);
  }

  /** Why nothing happened; not again while somebody goes on trying.
   * @param {string} sentence */
  explain(sentence) {
    const now = performance.now();
    if (now - (this.#explained.get(sentence) ?? -Infinity) < ONCE_IN) return;
    this.#explained.set(sentence, now);
    this.say(sentence);
  }
}
