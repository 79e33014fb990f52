// @ts-check
import { NAMELESS } from "./wire.js";

/** @typedef {import("./exports.js").PageExports} PageExports */

/** The memory of pit.wasm: what is handed in and read out. */
export class ModuleMemory {
  #exports;
  decoder = new TextDecoder();
  #bytes = new Uint8Array(0);
  /** Views by the address at which they begin. They are kept, so that a picture makes none.
   * @type {Map<number, Float32Array>} */
  #views = new Map();
  /** Views of messages by their length, kept as well.
   * @type {Map<number, Uint8Array<ArrayBuffer>>} */
  #messages = new Map();

  /** @param {PageExports} exports */
  constructor(exports) {
    this.#exports = exports;
  }

  /** All of it; a new view when the memory has grown since. */
  get bytes() {
    const { buffer } = this.#exports.memory;
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer);
    return this.#bytes;
  }

  /** @param {Uint8Array} bytes
   * @returns {boolean} whether they fit */
  write(bytes) {
    const address = this.#exports.page_input(bytes.length);
    if (address === 0) return false;
    this.bytes.set(bytes, address);
    return true;
  }

  /** @param {number} length
   * @returns {Uint8Array<ArrayBuffer>} to be sent at once: the next message is written in its place */
  message(length) {
    const address = this.#exports.page_output();
    const { buffer } = this.#exports.memory;
    const kept = this.#messages.get(length);
    if (kept?.buffer === buffer && kept.byteOffset === address) return kept;
    const view = new Uint8Array(buffer, address, length);
    this.#messages.set(length, view);
    return view;
  }

  /** @param {number} address
   * @param {number} length of floats */
  numbers(address, length) {
    const { buffer } = this.#exports.memory;
    const start = length > 0 ? address : 0;
    const kept = this.#views.get(start);
    if (kept?.buffer === buffer && kept.length === length) return kept;
    // Once the memory has grown, the kept views are of a buffer that is gone.
    if (kept && kept.buffer !== buffer) this.#views.clear();
    const view = new Float32Array(buffer, start, length);
    this.#views.set(start, view);
    return view;
  }

  /** A person's name.
   * @param {number} address
   * @param {number} length */
  name(address, length) {
    const name = this.string(address, length);
    return NAMELESS.get(name) ?? name;
  }

  /** @param {number} address
   * @param {number} length */
  string(address, length) {
    if (length === 0) return "";
    return this.decoder.decode(this.bytes.slice(address, address + length));
  }
}

/** 16 hexadecimal digits.
 * @param {bigint} number of 64 bits */
export function digits(number) {
  return BigInt.asUintN(64, number).toString(16).padStart(16, "0");
}

/** @param {number} rgb */
export function hexColour(rgb) {
  return `#${(rgb & 0xffffff).toString(16).padStart(6, "0")}`;
}
