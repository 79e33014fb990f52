// @ts-check
// Pages whose first code could not be loaded wait for their server, each at times of its own.
import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "./module.mjs";

/** What the server has: nothing yet but what has run already. */
/** @type {string} */ let folder;
/** @type {() => void} */ let loaded;
let reloads = 0;

/** @param {string} name of a file of the page */
const serve = (name) => copyFile(new URL(`web/${name}`, root), join(folder, name));

/** Waits for what files that are read lead to.
 * @param {() => boolean} condition */
async function until(condition) {
  while (!condition()) await new Promise(setImmediate);
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "stickerpit-early-"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await mkdir(join(folder, "core"));
  await serve("early.js");
  const browser = {
    location: { search: "", reload: () => (reloads += 1) },
    sessionStorage: { getItem: () => null, setItem() {} },
    document: {
      querySelector: () => ({ href: pathToFileURL(join(folder, "style/page.css")).href }),
      createElement: () => ({}),
      getElementById: () => null,
      head: { append() {} },
    },
    addEventListener: (/** @type {string} */ _, /** @type {() => void} */ listener) => (loaded = listener),
  };
  for (const [name, value] of Object.entries(browser)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  await import(pathToFileURL(join(folder, "early.js")).href);
});

test("who waits for a server asks at a time of its own, and loads its page at another", { timeout: 60_000 }, async (context) => {
  const { timers } = context.mock;
  timers.enable({ apis: ["setTimeout"] });
  let [chance, waits] = [0.9, 0];
  context.mock.method(Math, "random", () => {
    waits += 1;
    return chance;
  });
  loaded();
  await until(() => waits === 1);
  await serve("core/version.js");
  chance = 0.1;
  // Not after five seconds, as everybody else, but after seven.
  timers.tick(6900);
  for (let time = 0; time < 50; time += 1) await new Promise(setImmediate);
  assert.equal(waits, 1);
  timers.tick(200);
  await until(() => waits === 2);
  timers.tick(200);
  await new Promise(setImmediate);
  assert.equal(reloads, 0);
  timers.tick(200);
  await until(() => reloads === 1);
});
