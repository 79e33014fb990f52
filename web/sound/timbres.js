// @ts-check
// The sounds, made of sines and noise: no file is fetched for them.

/**
 * How a sound is made.
 * @typedef {object} Timbre
 * @property {number} seconds
 * @property {[number, number, number][]} tones frequency in Hz, amplitude, seconds to 37 %
 * @property {number} glide what its frequencies are multiplied by from beginning to end
 * @property {[number, number, number]} noise amplitude, seconds to 37 %, and how much of a sample's
 *   change is let through, 0…1: less is darker
 * @property {"struck" | "swelling" | "torn"} shape
 */

/** Blows by material, and what people do. The tones of a plate or a disc are no multiples of each
 * other; those of the card are all but drowned in its flap.
 * @type {Readonly<Record<import("../draw/stickersets.js").Material | "drop" | "peel" | "whoosh", Timbre>>} */
export const TIMBRES = Object.freeze({
  disc: {
    seconds: 0.16,
    tones: [[520, 1, 0.035], [1190, 0.4, 0.02], [2020, 0.15, 0.01]],
    glide: 0.9,
    noise: [0.35, 0.004, 0.7],
    shape: "struck",
  },
  tile: {
    seconds: 0.14,
    tones: [[830, 0.8, 0.022], [1720, 0.6, 0.016], [3110, 0.35, 0.009]],
    glide: 1,
    noise: [0.6, 0.005, 0.9],
    shape: "struck",
  },
  card: {
    seconds: 0.22,
    tones: [[240, 0.6, 0.04], [410, 0.3, 0.03]],
    glide: 0.85,
    noise: [1, 0.03, 0.35],
    shape: "struck",
  },
  block: {
    seconds: 0.26,
    tones: [[310, 1, 0.06], [760, 0.5, 0.035], [1370, 0.25, 0.02]],
    glide: 0.97,
    noise: [0.4, 0.006, 0.6],
    shape: "struck",
  },
  soft: {
    seconds: 0.16,
    tones: [[170, 0.7, 0.04]],
    glide: 0.7,
    noise: [0.8, 0.022, 0.12],
    shape: "struck",
  },
  drop: {
    seconds: 0.2,
    tones: [[330, 1, 0.07], [665, 0.25, 0.04]],
    glide: 2.1,
    noise: [0.12, 0.004, 0.5],
    shape: "struck",
  },
  peel: {
    seconds: 0.18,
    tones: [[900, 0.12, 0.08]],
    glide: 1.9,
    noise: [1, 0.2, 0.55],
    shape: "torn",
  },
  whoosh: {
    seconds: 0.3,
    tones: [],
    glide: 1,
    noise: [1, 1, 0.16],
    shape: "swelling",
  },
});

/** @typedef {keyof typeof TIMBRES} TimbreName */

/** A struck thing needs a moment to sound, seconds; less is a click of the loudspeaker. */
const ATTACK = 0.001;
/** Nothing ends with a click either, seconds. */
const FADE = 0.01;
/** How often what is torn crackles, in Hz. */
const CRACKLES = 260;

/**
 * The samples of a sound, the same each time; the loudest is 1 or −1.
 * @param {Timbre} timbre
 * @param {number} sampleRate Hz
 */
export function render({ seconds, tones, glide, noise, shape }, sampleRate) {
  const samples = new Float32Array(Math.round(seconds * sampleRate));
  const phases = tones.map(() => 0);
  const hiss = new Hiss();
  let [dark, grain, peak] = [0, 0, 0];
  for (let at = 0; at < samples.length; at += 1) {
    const time = at / sampleRate;
    const part = time / seconds;
    let value = 0;
    for (let tone = 0; tone < tones.length; tone += 1) {
      const [frequency, amplitude, decay] = tones[tone];
      phases[tone] += (2 * Math.PI * frequency * glide ** part) / sampleRate;
      value += amplitude * Math.exp(-time / decay) * Math.sin(phases[tone]);
    }
    if (at % Math.max(1, Math.floor(sampleRate / CRACKLES)) === 0) grain = Math.abs(hiss.next());
    dark += (hiss.next() - dark) * noise[2];
    const crackle = shape === "torn" ? grain * grain * (0.4 + 0.6 * part) : 1;
    value += noise[0] * Math.exp(-time / noise[1]) * crackle * dark;
    value *= shape === "swelling" ? Math.sin(Math.PI * part) ** 2 : Math.min(1, time / ATTACK);
    value *= Math.min(1, (seconds - time) / FADE);
    samples[at] = value;
    peak = Math.max(peak, Math.abs(value));
  }
  for (let at = 0; at < samples.length && peak > 0; at += 1) samples[at] /= peak;
  return samples;
}

/** White noise that is the same each time: a linear congruence (Numerical Recipes' numbers). */
class Hiss {
  #state = 1;

  /** −1…1. */
  next() {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 31 - 1;
  }
}
