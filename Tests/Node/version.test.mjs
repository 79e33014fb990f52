// @ts-check
// A page that outlives its server's version loads itself anew, once.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { scripts } from "./module.mjs";

const CORE = "0123456789abcdef";
/** @type {any} */ let version;
let loads = 0;
/** What the server tells of itself. @type {Record<string, string>} */ let told = {};

before(async () => {
  const load = await scripts();
  /** @type {Map<string, string>} */ const stored = new Map();
  Object.assign(globalThis, {
    fetch: async () => ({ ok: true, json: async () => told }),
    sessionStorage: {
      getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
      setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
      removeItem: (/** @type {string} */ key) => stored.delete(key),
    },
  });
  Object.assign(globalThis.location, { reload: () => (loads += 1) });
  Object.assign(globalThis.document, { baseURI: "http://127.0.0.1/" });
  version = await load("core/version.js");
});

test("the same core of another server version is loaded anew once, and never for ever", async () => {
  told = { core: CORE, server: "1.0" };
  assert.ok(await version.fitsServer(CORE));
  assert.ok(await version.fitsServer(CORE));
  told = {};
  assert.ok(await version.fitsServer(CORE), "it tells nothing");
  assert.equal(loads, 0);
  told = { core: CORE, server: "1.1" };
  assert.ok(await version.fitsServer(CORE));
  assert.equal(loads, 1);
  // Loading it anew did not help: it plays on.
  assert.ok(await version.fitsServer(CORE));
  assert.equal(loads, 1);
});

test("another core never fits", async () => {
  told = { core: "f".repeat(16), server: "1.0" };
  assert.equal(await version.fitsServer(CORE), false);
});
