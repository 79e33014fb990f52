// @ts-check
import { Preference } from "../core/preference.js";
import { text } from "../strings/language.js";

/** @typedef {import("../core/vector.js").Vector} Vector */

/** Whether letters and other characters are keys of the pit. */
export const letterKeys = new Preference("stickerpit.letters", true);

/** A sentence for those who can't see the picture, and how they learn the keys, if "?" is one.
 * @param {string} sentence */
export function withKeyHelp(sentence) {
  return letterKeys.value ? `${sentence} ${text("scene.keys")}` : sentence;
}

/** Keeps characters from everything that listens to keys, while they are switched off. To be called
 * before anything listens. Whoever dictates, or easily hits a key by mistake, would otherwise set off all
 * that the letters do. Into fields they are typed as ever. */
export function heedLetterKeys() {
  const keep = (/** @type {KeyboardEvent} */ event) => {
    // A name that is longer is that of another key, or the character is still to be made: by an input
    // method ("Process") or with the next key ("Dead"). What fills in forms sends events without any.
    const isCharacter = event.key?.length === 1 && event.key !== " ";
    const isLetter = /^Key[A-Z]$/.test(event.code);
    if ((isCharacter || isLetter) && !letterKeys.value) event.stopImmediatePropagation();
  };
  addEventListener("keydown", keep, { capture: true });
}

/** Directions by key: x to the right, y downwards.
 * @type {Record<string, [number, number]>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** By physical key, so that WASD lies in the same place on every keyboard layout.
 * @type {typeof ARROWS} */
const DIRECTIONS = {
  ...ARROWS,
  KeyA: [-1, 0],
  KeyD: [1, 0],
  KeyW: [0, -1],
  KeyS: [0, 1],
};

/** The arrow keys and WASD as a direction. */
export class DirectionKeys {
  /** @type {Set<string>} */ #held = new Set();
  /** The direction held, of length 1; null when none is. Asked for in each picture.
   * @type {Vector | null} */
  direction = null;

  constructor() {
    addEventListener("keydown", (event) => this.#press(event));
    addEventListener("keyup", (event) => {
      this.#held.delete(event.code);
      this.#sum();
    });
    // A key let go while another window has the focus is never reported.
    const letGo = () => {
      this.#held.clear();
      this.#sum();
    };
    addEventListener("blur", letGo);
    document.addEventListener("visibilitychange", letGo);
  }

  #sum() {
    let [x, y] = [0, 0];
    for (const code of this.#held) {
      x += DIRECTIONS[code][0];
      y += DIRECTIONS[code][1];
    }
    const length = Math.hypot(x, y) || 1;
    this.direction = this.#held.size === 0 ? null : { x: x / length, y: y / length };
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (!(event.code in DIRECTIONS) || event.ctrlKey || event.metaKey || event.altKey) return;
    // A key that was not pressed to tilt does not begin to when it repeats.
    if (event.repeat && !this.#held.has(event.code)) return;
    // With the shift key arrows move the aim.
    if (event.shiftKey || isTyping(event)) return;
    // In the tray the arrows choose a sticker, as in any group of radio buttons.
    const inTray = event.target instanceof HTMLInputElement;
    if (inTray && event.code.startsWith("Arrow")) return;
    event.preventDefault();
    this.#held.add(event.code);
    this.#sum();
  }
}

/** Fields that take letters and arrows for themselves, and the host's panel, which has keys of its own. */
const FIELDS = "input:not([type=radio], [type=range], [type=checkbox]), textarea, select, #host *";

/** Whether somebody types, chooses in a list, or has a dialog to answer.
 * @param {Event} event */
export function isTyping({ target }) {
  if (document.querySelector("dialog[open]")) return true;
  return target instanceof HTMLElement && target.matches(`${FIELDS}, dialog *`);
}

/** Whether what has the focus uses the key itself.
 * @param {Event} event */
export function onControl({ target }) {
  return target instanceof Element && target.closest("button, input, a, select, dialog") !== null;
}

/** Whether a key shows or hides the debug panel: Shift+D, unless somebody types.
 * @param {KeyboardEvent} event */
export function isDebugKey(event) {
  return event.code === "KeyD" && event.shiftKey && !isTyping(event);
}

/** Whether somebody begins to play by keys alone (`keyboard/player.js`): to aim, or to do something
 * where the aim is.
 * @param {KeyboardEvent} event */
export function isAimKey(event) {
  const { code, shiftKey } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return false;
  const isOther = code === "Enter" || (shiftKey && code.startsWith("Arrow"));
  return isOther ? !onControl(event) : !shiftKey && /^Key[IJKLGTXNQE]$/.test(code);
}
