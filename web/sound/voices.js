// @ts-check
import { TIMBRES, render } from "./timbres.js";

/** @typedef {import("./timbres.js").TimbreName} TimbreName */

/** How loud the loudest single sound is. */
const LEVEL = 0.55;

/** Plays sounds in an audio context: each has a pitch, a brightness and a place of its own. */
export class Voices {
  #context;
  #out;
  /** @type {Map<TimbreName, AudioBuffer>} made when they are first heard */ #buffers = new Map();
  /** @type {Set<AudioBufferSourceNode>} */ #playing = new Set();

  /** @param {BaseAudioContext} context */
  constructor(context) {
    this.#context = context;
    this.#out = context.createGain();
    // A dozen that fall together must not overdrive a phone.
    const limiter = context.createDynamicsCompressor();
    this.#out.connect(limiter).connect(context.destination);
  }

  /**
   * @param {TimbreName} name
   * @param {number} loudness 0…1
   * @param {number} rate 1 is the timbre's own pitch
   * @param {number} cutoff Hz
   * @param {number} pan −1…1
   */
  play(name, loudness, rate, cutoff, pan) {
    const context = this.#context;
    const source = context.createBufferSource();
    const filter = context.createBiquadFilter();
    const gain = context.createGain();
    source.buffer = this.#buffer(name);
    source.playbackRate.value = rate;
    filter.type = "lowpass";
    filter.frequency.value = Math.min(cutoff, context.sampleRate / 2);
    gain.gain.value = loudness * LEVEL;
    source.connect(filter).connect(gain);
    // Safari before 14.1 hears everything in the middle.
    if (context.createStereoPanner) {
      const panner = context.createStereoPanner();
      panner.pan.value = pan;
      gain.connect(panner).connect(this.#out);
    } else {
      gain.connect(this.#out);
    }
    this.#playing.add(source);
    source.onended = () => this.#playing.delete(source);
    source.start();
  }

  /** Ends all sounds. */
  silence() {
    for (const source of this.#playing) source.stop();
    this.#playing.clear();
  }

  /** @param {TimbreName} name */
  #buffer(name) {
    const kept = this.#buffers.get(name);
    if (kept) return kept;
    const { sampleRate } = this.#context;
    const samples = render(TIMBRES[name], sampleRate);
    const buffer = this.#context.createBuffer(1, samples.length, sampleRate);
    buffer.copyToChannel(samples, 0);
    this.#buffers.set(name, buffer);
    return buffer;
  }
}
