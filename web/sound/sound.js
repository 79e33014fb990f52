// @ts-check
import { importLater, once } from "../core/later.js";
import { Preference } from "../core/preference.js";
import { SoundBudget } from "./mixing.js";

/** @typedef {import("./timbres.js").TimbreName} TimbreName */

/** After a phone was locked, its loudspeaker comes back after a while: how often it is asked for, ms … */
const AGAIN = 200;
/** … and how many times. Then it waits for the next gesture. */
const TRIES = 10;

/**
 * The page's sound: off until a gesture allows it, silent while it is muted or the page is hidden.
 */
export class Sound {
  #muted = new Preference("stickerpit.muted", false);
  /** @type {AudioContext | null} */ #context = null;
  /** Fetched with the first gesture.
   * @type {import("./voices.js").Voices | null} */
  #voices = null;
  #budget = new SoundBudget();
  #timer = 0;

  constructor() {
    document.addEventListener("visibilitychange", () => this.#settle());
    addEventListener("pageshow", () => this.#settle());
  }

  /** Whether this browser can make sounds. */
  get isOffered() {
    return "AudioContext" in window;
  }

  get isMuted() {
    return this.#muted.value;
  }

  /** Call from a gesture. */
  set isMuted(isMuted) {
    this.#muted.value = isMuted;
    if (isMuted) this.#voices?.silence();
    this.unlock();
  }

  /** Call from gestures: only then browsers let a page sound. */
  unlock() {
    if (!this.isOffered || (this.#context === null && this.isMuted)) return;
    this.#context ??= this.#begin();
    this.#fetchVoices().catch(console.warn);
    this.#settle();
  }

  /** Whether a sound that is played now would be heard. */
  get isAudible() {
    return !this.isMuted && this.#context?.state === "running";
  }

  /**
   * Plays a sound, unless there have been too many.
   * @param {TimbreName} name
   * @param {number} loudness 0…1
   * @param {number} rate
   * @param {number} cutoff Hz
   * @param {number} pan −1…1
   */
  play(name, loudness, rate, cutoff, pan) {
    if (!this.isAudible) return;
    // By the time at which it is heard: a busy page draws two pictures at once, whose own times are
    // far apart.
    if (!this.#budget.spend(loudness, performance.now())) return;
    this.#voices?.play(name, loudness, rate, cutoff, pan);
  }

  #begin() {
    // The stickers' sounds are no reason to stop somebody's music.
    if ("audioSession" in navigator) Object.assign(navigator.audioSession ?? {}, { type: "ambient" });
    const context = new AudioContext({ latencyHint: "interactive" });
    // A call or a lock of the screen interrupts it.
    context.addEventListener("statechange", () => this.#settle());
    return context;
  }

  #fetchVoices = once(async () => {
    /** @type {typeof import("./voices.js")} */
    const { Voices } = await importLater("./voices.js", import.meta.url);
    if (this.#context) this.#voices = new Voices(this.#context);
  });

  /** Runs the context only while something can be heard, because it costs battery. */
  #settle(tries = TRIES) {
    clearTimeout(this.#timer);
    const context = this.#context;
    if (!context || context.state === "closed") return;
    const isWanted = !this.isMuted && document.visibilityState === "visible";
    if (isWanted === (context.state === "running")) return;
    if (!isWanted) {
      context.suspend().catch(() => {});
      return;
    }
    context.resume().catch(() => {});
    if (tries > 0) this.#timer = setTimeout(() => this.#settle(tries - 1), AGAIN);
  }
}
