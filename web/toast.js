// @ts-check

/**
 * What the server's message codes mean to a person; codes that are not here are for the machine.
 */
const SENTENCES = new Map([
  [1, "Your connection is slow: the pit comes in fewer pictures."],
  [2, "Your connection is fine again."],
]);
const SHOWN_FOR = 4000;

/** A sentence that comes and goes by itself. */
export class Toast {
  #element;
  #timer = 0;
  #lastCode = 0;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** @param {number} code of the last message notice; told again with every other notice */
  notice(code) {
    const sentence = SENTENCES.get(code);
    const isNews = code !== this.#lastCode;
    this.#lastCode = code;
    if (isNews && sentence !== undefined) this.say(sentence);
  }

  /** @param {string} sentence */
  say(sentence) {
    this.#element.textContent = sentence;
    this.#element.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#element.hidden = true), SHOWN_FOR);
  }
}
