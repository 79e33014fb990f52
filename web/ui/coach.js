// @ts-check
import { text } from "../strings/language.js";

/** @typedef {"drop" | "throw" | "tilt" | "hold" | "say" | "place" | "hang" | "toss"} Skill */

const KEY = "stickerpit.learned";

/** One hint at a time for what has not been tried yet, then silence for good. */
export class Coach {
  #element;
  #hasSensor;
  #learned = new Set(recall());
  /** @type {Skill[]} */ #skills = [];

  /** @param {HTMLElement} element @param {() => boolean} hasSensor */
  constructor(element, hasSensor) {
    this.#element = element;
    this.#hasSensor = hasSensor;
  }

  /** @param {Skill[]} skills what there is to learn in this scene */
  teach(skills) {
    this.#skills = skills;
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
    const next = this.#skills.find((skill) => !this.#learned.has(skill));
    this.#element.hidden = next === undefined;
    if (next !== undefined) this.#element.textContent = this.#hint(next);
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
    // as above
  }
}
