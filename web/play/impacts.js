// @ts-check
import { EFFECT, EFFECT_FLOATS } from "../core/wire.js";
import { shownSet } from "../draw/stickersets.js";
import { cutoffOf, loudnessOf, panOf, rateOf } from "../sound/mixing.js";
import { Effects } from "./effects.js";

/** @typedef {import("../sound/sound.js").Sound} Sound */

/**
 * What effects need of the page.
 * @typedef {object} Parts
 * @property {import("../core/module.js").PageModule} module
 * @property {Sound} sound
 * @property {import("../sound/vibration.js").Vibration} vibration
 * @property {import("../draw/forms.js").Forms} forms
 * @property {import("../draw/dropped.js").DroppedHalos} halos
 */

/** How loud gestures are, 0…1: loud enough to be heard whenever there is room for any sound. */
const GESTURE = 0.65;
/** Others' gestures are quieter. */
const OTHERS = 0.35;
/** How long, ms, a sticker that this person has dropped or let go counts as theirs, and its blows
 * are felt. */
const OWN = 2000;
/** The longest pulse of a blow, ms; the pulses of own gestures. */
const PULSE = { blow: 25, drop: 12, peel: 8, whoosh: 15 };
/** Own stickers that are remembered. */
const MOST_OWN = 64;

/** @typedef {"drop" | "peel" | "whoosh"} Gesture */

/**
 * Turns what happened into what is heard, felt and seen of it. What others do and how stickers meet
 * comes from ticks that are certain, each once; what this person does is heard at once.
 */
export class Impacts {
  #parts;
  #effects;
  /** @type {Map<number, number>} when this person last had to do with it, by slot */
  #own = new Map();

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#effects = new Effects(parts.module);
  }

  /** In another world the slots are those of other stickers. */
  forget() {
    this.#own.clear();
    this.#effects.forget();
    this.#parts.forms.forget();
    this.#parts.halos.forget();
  }

  /** Once a picture.
   * @param {Float32Array} instances its stickers
   * @param {number} now ms */
  advance(instances, now) {
    const count = this.#effects.take(instances, now);
    if (count === 0) return;
    const effects = this.#effects.numbers;
    for (let at = 0; at < count * EFFECT_FLOATS; at += EFFECT_FLOATS) {
      if (effects[at] === EFFECT.blow) this.#blow(effects, at, now);
      else this.#gesture(effects, at, now);
    }
  }

  /** This person has done something.
   * @param {Gesture} gesture
   * @param {number} x where, points */
  did(gesture, x) {
    const now = performance.now();
    this.#play(gesture, GESTURE, 1, x);
    this.#parts.vibration.pulse(PULSE[gesture], now);
  }

  /** @param {Float32Array} effects
   * @param {number} at
   * @param {number} now */
  #blow(effects, at, now) {
    const { forms, sound, vibration } = this.#parts;
    const isFelt =
      this.#own.size > 0 && (this.#isOwn(effects[at + 2], now) || this.#isOwn(effects[at + 3], now));
    if (isFelt || sound.isAudible) {
      const size = effects[at + 8];
      const loudness = loudnessOf(effects[at + 4], size);
      this.#play(shownSet().soundOf(effects[at + 7]), loudness, rateOf(size), effects[at + 9]);
      if (isFelt) vibration.pulse(PULSE.blow * loudness, now);
    }
    forms.strike(effects, at, now);
  }

  /** @param {Float32Array} effects
   * @param {number} at
   * @param {number} now */
  #gesture(effects, at, now) {
    const { module, halos } = this.#parts;
    const kind = effects[at];
    const person = effects[at + 1];
    const slot = effects[at + 2];
    if (kind === EFFECT.dropped) halos.add(slot, person, now);
    if (person === module.clientId) return this.#remember(slot, now);
    const gesture = kind === EFFECT.dropped ? "drop" : kind === EFFECT.taken ? "peel" : "whoosh";
    this.#play(gesture, OTHERS, 1, effects[at + 9]);
  }

  /**
   * @param {import("../sound/timbres.js").TimbreName} name
   * @param {number} loudness
   * @param {number} rate
   * @param {number} x points
   */
  #play(name, loudness, rate, x) {
    const { module, sound } = this.#parts;
    if (!sound.isAudible) return;
    // Exactly the same sound twice seems mechanical: each is a few percent higher or lower.
    const chance = 0.96 + 0.08 * Math.random();
    sound.play(name, loudness, rate * chance, cutoffOf(loudness), panOf(x, module.worldWidth));
  }

  /** @param {number} slot
   * @param {number} now */
  #remember(slot, now) {
    if (slot < 0) return;
    if (this.#own.size >= MOST_OWN) this.#own.clear();
    this.#own.set(slot, now);
  }

  /** @param {number} slot
   * @param {number} now */
  #isOwn(slot, now) {
    const since = this.#own.get(slot);
    return since !== undefined && now - since < OWN;
  }
}
