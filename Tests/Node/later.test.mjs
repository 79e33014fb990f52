// @ts-check
// What the page fetches only when it is needed comes in spite of a server that was away for a moment.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { scripts } from "./module.mjs";

/** @type {any} */ let later;

before(async () => {
  later = await (await scripts())("core/later.js");
});

test("a module that could not be loaded is loaded when it is there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stickerpit-later-"));
  const from = pathToFileURL(join(folder, "asks.mjs")).href;
  await assert.rejects(later.importLater("./late.mjs", from));
  await writeFile(join(folder, "late.mjs"), "export const number = 7;");
  const loaded = await later.importLater("./late.mjs", from);
  assert.equal(loaded.number, 7);
  await rm(folder, { recursive: true });
});

test("work is done once, and anew after it has failed", async () => {
  let times = 0;
  const work = later.once(async () => {
    times += 1;
    if (times === 1) throw new Error("away");
    return times;
  });
  await Promise.all([assert.rejects(work(), /away/), assert.rejects(work(), /away/)]);
  assert.deepEqual(await Promise.all([work(), work()]), [2, 2]);
  assert.equal(await work(), 2);
});

test("what nobody waits for is tried until it is done", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  context.mock.method(console, "warn", () => {});
  let times = 0;
  later.untilDone(async () => {
    times += 1;
    if (times < 3) throw new Error("away");
  });
  for (let wait = 0; wait < 5; wait += 1) {
    await new Promise(setImmediate);
    context.mock.timers.tick(5000);
  }
  assert.equal(times, 3);
});
