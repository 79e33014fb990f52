// @ts-check
// What the tests of the WebAssembly modules share.
import { readFile } from "node:fs/promises";

export const root = new URL("../../", import.meta.url);

/** @param {string} path @returns {Promise<any>} */
export async function json(path) {
  return JSON.parse(await readFile(new URL(path, root), "utf8"));
}

/**
 * A module without imports, as it must be.
 * @param {string} path
 * @returns {Promise<any>} its exports
 */
export async function load(path) {
  const { instance } = await WebAssembly.instantiate(await readFile(new URL(path, root)), {});
  return instance.exports;
}

/** @param {string} hex bytes in hex with spaces */
export function bytes(hex) {
  return Uint8Array.from(hex.split(" "), (digits) => parseInt(digits, 16));
}
