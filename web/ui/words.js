// @ts-check
import { Budget } from "../core/budget.js";
import { pictureOf } from "../draw/sheet.js";
import { text } from "../strings/language.js";
import { loadStyles, make } from "./dom.js";
import { phraseIn } from "./phrases.js";
import { reasonToRest } from "./reasons.js";

/**
 * What words need of the page.
 * @typedef {object} Parts
 * @property {import("../core/module.js").PageModule} module
 * @property {import("../connection/connection.js").Connection} connection
 * @property {import("./coach.js").Coach} coach
 * @property {import("./toast.js").Toast} toast
 */

/** A server may know hundreds of phrases; how many find room as chips. */
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
  #parts;
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
  /** How often the server was asked what it hears. */ #asked = 0;

  /** Loads its style sheet.
   * @param {ConstructorParameters<typeof Words>} values */
  static async open(...values) {
    await loadStyles(new URL("./words.css", import.meta.url));
    return new Words(...values);
  }

  /** @param {HTMLElement} element
   * @param {Parts} parts */
  constructor(element, parts) {
    this.#element = element;
    this.#parts = parts;
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
    const number = (this.#asked += 1);
    try {
      const answer = await fetch(new URL("./api/keywords", document.baseURI));
      const { keywords, kinds } = await answer.json();
      // An answer that comes after a later question may be that of the server before.
      if (answer.ok && number === this.#asked) this.#offer(keywords, kinds ?? []);
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
    const { module, toast, coach } = this.#parts;
    if (!this.#budget.spend(performance.now())) {
      toast.explain(text("toast.tooMany"));
      return false;
    }
    if (!(module.isAlone ? this.#rainAlone(words) : this.#send(words))) return false;
    coach.did("say");
    this.#spoken = words;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#unheard(this.#example), ANSWERED_WITHIN);
    return true;
  }

  /** @param {string} words
   * @returns {boolean} whether they are on their way */
  #send(words) {
    const { module, connection, toast } = this.#parts;
    const message = module.say(words);
    // Letters of some languages take three bytes.
    const tooLong = message.length === 0 ? text("toast.tooLong") : "";
    const why = reasonToRest(connection, module) || tooLong;
    if (why !== "") toast.explain(why);
    else connection.send(message);
    return why === "";
  }

  /** Alone no server hears, but what the last one told of its phrases still holds.
   * @param {string} words
   * @returns {boolean} whether it rains */
  #rainAlone(words) {
    const phrase = phraseIn(words, this.#phrases);
    if (this.#parts.module.rainAlone(this.#kinds.get(phrase ?? "") ?? -1)) return true;
    if (this.#kinds.size === 0) this.#parts.toast.explain(text("toast.unheard"));
    else this.#unheard(this.#example);
    return false;
  }

  /** @param {string} example of a phrase for which something falls */
  #unheard(example) {
    const { toast } = this.#parts;
    toast.say(example ? text("toast.tryThis", { example }) : text("toast.nothingFalls"));
  }
}
