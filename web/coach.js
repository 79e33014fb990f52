// @ts-check

/** @typedef {"drop" | "throw" | "tilt"} Skill */

const KEY = "stickerpit.learned";
/** @type {Skill[]} */
const SKILLS = ["drop", "throw", "tilt"];

/** One hint at a time for what has not been tried yet, then silence for good. */
export class Coach {
  #element;
  #hasSensor;
  #learned = new Set(recall());

  /** @param {HTMLElement} element @param {() => boolean} hasSensor */
  constructor(element, hasSensor) {
    this.#element = element;
    this.#hasSensor = hasSensor;
    this.refresh();
  }

  /** @param {Skill} skill which the person has just shown */
  did(skill) {
    if (this.#learned.has(skill)) return;
    this.#learned.add(skill);
    remember([...this.#learned]);
    this.refresh();
  }

  refresh() {
    const next = SKILLS.find((skill) => !this.#learned.has(skill));
    this.#element.hidden = next === undefined;
    if (next !== undefined) this.#element.textContent = this.#hint(next);
  }

  /** @param {Skill} skill */
  #hint(skill) {
    const touch = matchMedia("(pointer: coarse)").matches;
    if (skill === "drop") return `${touch ? "Tap" : "Click"} the pit to drop a sticker`;
    if (skill === "throw") return "Flick a sticker to throw it";
    if (this.#hasSensor()) return "Tilt your phone: everybody feels it";
    return touch
      ? "Drag the ball to tilt for everybody"
      : "Drag the ball or hold an arrow key to tilt";
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
    // as above
  }
}
