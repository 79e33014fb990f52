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
/** What happens again and again is explained once in this time, ms: twice as long as it is shown and a
 * little more, so that it does not stay for ever. */
const ONCE_IN = 10_000;

/** A sentence that comes and goes by itself. */
export class Toast {
  #element;
  #timer = 0;
  /** @type {Map<string, number>} when something of a kind was said last */ #saidAt = new Map();

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

  /** Says something in any case.
   * @param {string} sentence
   * @param {string} [kind] of which `explain` says nothing else for a while */
  say(sentence, kind = "") {
    this.#saidAt.set(kind, performance.now());
    // Screen readers read out what is written here, also if the same stood here before.
    if (this.#element.textContent !== sentence) this.#element.textContent = sentence;
    this.#element.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#element.hidden = true), SHOWN_FOR);
  }

  /** Says why nothing happened, or what others do; nothing more of its kind while that goes on.
   * @param {string} sentence
   * @param {string} [kind] usually this sentence alone */
  explain(sentence, kind = sentence) {
    const before = this.#saidAt.get(kind) ?? -Infinity;
    if (performance.now() - before >= ONCE_IN) this.say(sentence, kind);
  }
}
