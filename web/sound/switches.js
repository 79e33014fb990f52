// @ts-check
import { isTyping } from "../input/keys.js";

/** @typedef {import("./sound.js").Sound} Sound */
/** @typedef {import("./vibration.js").Vibration} Vibration */

/** The buttons for sound and vibration, and the key M. */
export class Switches {
  #mute;
  #buzz;
  #sound;
  #vibration;

  /**
   * @param {HTMLElement} mute
   * @param {HTMLElement} buzz the buttons
   * @param {Sound} sound
   * @param {Vibration} vibration
   */
  constructor(mute, buzz, sound, vibration) {
    this.#mute = mute;
    this.#buzz = buzz;
    this.#sound = sound;
    this.#vibration = vibration;
    mute.hidden = !sound.isOffered;
    buzz.hidden = !vibration.isOffered;
    mute.addEventListener("click", () => this.#toggleSound());
    buzz.addEventListener("click", () => this.#toggleVibration());
    for (const button of [mute, buzz]) {
      // After a click, the space bar is for dropping stickers again.
      button.addEventListener("click", ({ detail }) => detail > 0 && button.blur());
    }
    addEventListener("keydown", (event) => {
      if (isForSound(event) && sound.isOffered) this.#toggleSound();
    });
    this.#show();
  }

  #toggleSound() {
    this.#sound.isMuted = !this.#sound.isMuted;
    this.#show();
  }

  #toggleVibration() {
    this.#vibration.isOn = !this.#vibration.isOn;
    this.#show();
  }

  #show() {
    this.#mute.setAttribute("aria-pressed", String(!this.#sound.isMuted));
    this.#buzz.setAttribute("aria-pressed", String(this.#vibration.isOn));
  }
}

/** @param {KeyboardEvent} event */
function isForSound(event) {
  if (event.code !== "KeyM" || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !event.repeat && !isTyping(event);
}
