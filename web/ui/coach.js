// @ts-check
import { importLater } from "../core/later.js";
import { letterKeys } from "../input/keys.js";
import { text } from "../strings/language.js";

/** @typedef {"drop" | "throw" | "tilt" | "hold" | "say" | "place" | "hang" | "toss" | "keys"} Skill */

const KEY = "stickerpit.learned";
/** How long there is something to look at before a hint comes, and how long it is shown, ms. */
const [AFTER, SHOWN] = [600, 8000];

/** One hint at a time for what has not been tried yet, for a few seconds; all of them for whoever asks. */
export class Coach {
  #element;
  #hasSensor;
  #learned = new Set(recall());
  /** @type {Skill[]} of the scene */ #skills = [];
  /** @type {Skill[]} what is to be shown, the first of them now or soon */ #queue = [];
  /** Whether one follows the other by itself. */ #goesOn = false;
  #timer = 0;
  /** The number of the hint that is due: one that has loaded too late for its turn is not shown. */
  #turn = 0;

  /** @param {HTMLElement} element
   * @param {() => boolean} hasSensor */
  constructor(element, hasSensor) {
    this.#element = element;
    this.#hasSensor = hasSensor;
  }

  /** @param {Skill[]} skills what there is to learn in this scene */
  teach(skills) {
    this.#skills = skills;
    this.#queue = skills.filter((skill) => !this.#learned.has(skill));
    this.#goesOn = false;
    this.#show();
  }

  /** Shows all hints of the scene, one after the other, also those that were tried. */
  again() {
    const hasKeys = letterKeys.value && matchMedia("(any-pointer: fine)").matches;
    this.#queue = hasKeys ? [...this.#skills, "keys"] : [...this.#skills];
    this.#goesOn = true;
    this.#show();
  }

  /** @param {Skill} skill which the person has just shown */
  did(skill) {
    const isNew = !this.#learned.has(skill);
    if (!isNew && this.#queue[0] !== skill) return;
    this.#learned.add(skill);
    if (isNew) remember([...this.#learned]);
    this.#queue = this.#queue.filter((one) => one !== skill);
    this.#show();
  }

  /** To be told when there is another way to tilt. */
  refresh() {
    if (this.#queue[0] === "tilt" && !this.#element.hidden) this.#show();
  }

  #show() {
    clearTimeout(this.#timer);
    this.#turn += 1;
    const skill = this.#queue[0];
    if (skill === undefined) return this.#hide();
    // A hint that follows another one comes at once.
    const wait = this.#element.hidden ? AFTER : 0;
    this.#timer = setTimeout(() => this.#come(skill).catch(console.warn), wait);
  }

  /** @param {Skill} skill */
  async #come(skill) {
    const turn = this.#turn;
    /** @type {typeof import("./hint.js")} */
    const { openHints } = await importLater("./hint.js", import.meta.url);
    const showHint = await openHints();
    if (turn !== this.#turn) return;
    showHint(this.#element, skill, this.#hint(skill));
    this.#timer = setTimeout(() => this.#pass(), SHOWN);
  }

  /** The hint was shown for its time: the next one follows, or none. */
  #pass() {
    if (!this.#goesOn) return this.#hide();
    this.#queue.shift();
    this.#show();
  }

  #hide() {
    this.#element.hidden = true;
  }

  /** @param {Skill} skill */
  #hint(skill) {
    const touch = matchMedia("(pointer: coarse)").matches;
    if (skill === "drop") return text(touch ? "coach.tap" : "coach.click");
    if (skill !== "tilt") return text(`coach.${skill}`);
    if (this.#hasSensor()) return text("coach.tiltPhone");
    return text(touch ? "coach.tiltBall" : "coach.tiltKeys");
  }
}

/** @returns {string[]} */
function recall() {
  try {
    return (localStorage.getItem(KEY) ?? "").split(" ");
  } catch {
    return []; // storage is forbidden here; the hints come again
  }
}

/** @param {string[]} skills */
function remember(skills) {
  try {
    localStorage.setItem(KEY, skills.join(" "));
  } catch {
    // Storage is forbidden here.
  }
}
