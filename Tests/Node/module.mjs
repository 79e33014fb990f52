// @ts-check
// What the tests of the WebAssembly modules share.
import { copyFile, mkdir, mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

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

/**
 * The page's scripts as modules: node takes `.js` for modules only where a package.json says so.
 * @returns {Promise<(name: string) => Promise<any>>} imports one of them by its name
 */
export async function scripts() {
  const folder = await mkdtemp(join(tmpdir(), "stickerpit-web-"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const name of await readdir(new URL("web/", root), { recursive: true })) {
    if (!name.endsWith(".js")) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await copyFile(new URL(`web/${name}`, root), join(folder, name));
  }
  const load = (/** @type {string} */ name) => import(pathToFileURL(join(folder, name)).href);
  await giveWords(load);
  await giveCorners(load);
  return load;
}

/** A page knows how round its stickers are from when it has loaded the module.
 * @param {(name: string) => Promise<any>} script */
async function giveCorners(script) {
  const { CORNERS } = await script("core/wire.js");
  const { page_corner } = await load("web/pit.wasm");
  for (const kind of CORNERS.keys()) CORNERS[kind] = page_corner(kind);
}

/** The page's words choose their language by what a browser tells; here it is English.
 * @param {(name: string) => Promise<any>} load */
async function giveWords(load) {
  const browser = {
    location: { search: "?lang=en" },
    navigator: { languages: [] },
    document: { documentElement: {}, readyState: "complete", querySelector: () => null },
  };
  for (const [name, value] of Object.entries(browser)) {
    // Newer versions of node have some of it.
    if (name in globalThis) continue;
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  await (await load("strings/language.js")).ready;
}
