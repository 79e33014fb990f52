// @ts-check
import { loadStyles, make } from "./dom.js";

/** A hand that points. */
const HAND = `<svg class="hand" viewBox="0 0 32 32" aria-hidden="true"><path d="M12 5.5a2.5 2.5 0 0 1
  5 0V14l6.3 1.3c2 .4 3.2 2 2.9 4l-.9 5.6A4.8 4.8 0 0 1 20.6 29H15.5a5 5 0 0 1-4-2l-5.7-7.6c-1.3-1.8
  .9-4 2.7-2.7L12 19z"/></svg>`;

/** How the hand moves.
 * @type {Record<import("./coach.js").Skill, string>} */
const MOVES = {
  drop: "tap",
  place: "tap",
  say: "tap",
  keys: "tap",
  throw: "flick",
  toss: "flick",
  hold: "drag",
  hang: "drag",
  tilt: "tilt",
};

/** Loads how a hint looks.
 * @returns what shows one */
export async function openHints() {
  await loadStyles(new URL("./hint.css", import.meta.url));
  return showHint;
}

/** Shows a hint beside the pit, with a hand that does it.
 * @param {HTMLElement} element
 * @param {import("./coach.js").Skill} skill
 * @param {string} words */
function showHint(element, skill, words) {
  if (element.childElementCount === 0) {
    element.innerHTML = HAND;
    element.append(make("p", { className: "words" }));
  }
  element.dataset.move = MOVES[skill];
  /** @type {HTMLElement} */ (element.querySelector(".words")).textContent = words;
  element.hidden = false;
}
