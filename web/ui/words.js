// @ts-check
import { Budget } from "../core/budget.js";
import { pictureOf } from "../draw/sheet.js";
import { loadSheet, make } from "./dom.js";

/** A server may know hundreds of phrases; so many find room as chips. */
const MOST_CHIPS = 8;
/** Letters of Chinese and Japanese; without a language browsers may choose the wrong forms. */
const HAN = /\p{Script=Han}/u;
/** The server allows two a second, with bursts of four. */
const SAYING = { perSecond: 1.5, burst: 3 };
/** A word that was heard makes it rain within this time, ms. */
const ANSWERED_WITHIN = 1500;

/** The field and the chips with which one says a keyword. Nobody sees what another typed. */
export class Words {
  #element;
  #say;
  #unheard;
  #tooMany;
  #chips;
  #budget = new Budget(SAYING.perSecond, SAYING.burst);
  #timer = 0;
  /** @type {string[]} */ #phrases = [];
  /** What the chips show, to see whether that changed. */
  #offered = "";
  /** What falls for a phrase, as far as it is known.
   * @type {Map<string, number>} */
  #kinds = new Map();
  /** What was said last. */ #spoken = "";

  /** Loads its style sheet.
   * @param {ConstructorParameters<typeof Words>} values */
  static async open(...values) {
    await loadSheet(new URL("./words.css", import.meta.url));
    return new Words(...values);
  }

  /**
   * @param {HTMLElement} element
   * @param {(words: string) => boolean} say whether it was sent
   * @param {(example: string) => void} unheard it meant nothing to the server; this does
   * @param {() => void} tooMany the server would not take so many
   */
  constructor(element, say, unheard, tooMany) {
    this.#element = element;
    this.#say = say;
    this.#unheard = unheard;
    this.#tooMany = tooMany;
    this.#chips = /** @type {HTMLElement} */ (element.querySelector(".chips"));
    const form = /** @type {HTMLFormElement} */ (element.querySelector("form"));
    const field = /** @type {HTMLInputElement} */ (element.querySelector("input"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim() === "" || !this.#speak(field.value.trim())) return;
      field.value = "";
    });
  }

  /** @param {boolean} isThere */
  show(isThere) {
    this.#element.hidden = !isThere;
    if (isThere) this.#ask();
  }

  /** What this server hears, after each welcome: it may be another one now. */
  async #ask() {
    try {
      const answer = await fetch(new URL("./api/keywords", document.baseURI));
      const { keywords, kinds } = await answer.json();
      this.#offer(keywords, kinds ?? []);
    } catch {
      // Without chips there is still the field.
    }
  }

  /** @param {string[]} phrases
   * @param {number[]} kinds of stickers that fall for them, if the
   *   server tells */
  #offer(phrases, kinds) {
    const offered = JSON.stringify([phrases, kinds]);
    if (offered === this.#offered) return;
    this.#offered = offered;
    this.#phrases = phrases;
    this.#kinds = new Map(kinds.map((kind, place) => [phrases[place], kind]));
    this.#chips.replaceChildren(...phrases.slice(0, MOST_CHIPS).map((one) => this.#chip(one)));
  }

  /** It rains: somebody's word was heard, perhaps ours.
   * @param {number | undefined} kind that falls for what was said here */
  heard(kind) {
    clearTimeout(this.#timer);
    if (kind === undefined || this.#kinds.get(this.#spoken) === kind) return;
    this.#kinds.set(this.#spoken, kind);
    const chip = this.#chips.children[this.#phrases.indexOf(this.#spoken)];
    if (chip) this.#showPicture(chip, this.#spoken);
  }

  /** What falls for a phrase, as far as it is known, on its chip; that keeps the focus.
   * @param {Element} chip
   * @param {string} phrase */
  #showPicture(chip, phrase) {
    const url = pictureOf(this.#kinds.get(phrase) ?? -1);
    if (!url) return;
    const known = chip.querySelector("img");
    if (known) known.src = url;
    else chip.prepend(make("img", { src: url, alt: "" }));
  }

  /** @param {string} phrase */
  #chip(phrase) {
    const chip = document.createElement("button");
    Object.assign(chip, { type: "button", textContent: phrase });
    this.#showPicture(chip, phrase);
    if (HAN.test(phrase)) chip.lang = "zh-Hans";
    chip.addEventListener("click", (event) => {
      this.#speak(phrase);
      // The arrow keys go back to tilting; the keyboard's clicks have no count.
      if (event.detail > 0) chip.blur();
    });
    return chip;
  }

  /** A phrase to try, in the language of the page if the server knows one; empty without any. */
  get #example() {
    const isChinese = document.documentElement.lang.startsWith("zh");
    return this.#phrases.find((phrase) => HAN.test(phrase) === isChinese) ?? this.#phrases[0] ?? "";
  }

  /** @param {string} words */
  #speak(words) {
    if (!this.#budget.spend(performance.now())) {
      this.#tooMany();
      return false;
    }
    if (!this.#say(words)) return false;
    this.#spoken = words;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#unheard(this.#example), ANSWERED_WITHIN);
    return true;
  }
}
