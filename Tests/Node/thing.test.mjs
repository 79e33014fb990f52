// @ts-check
// Stickers as keys and sentences know them.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let things;

before(async () => (things = await (await scripts())("play/thing.js")));

/** @param {[slot: number, holder: number][]} stickers */
const picture = (stickers) =>
  new Float32Array(stickers.flatMap(([slot, holder]) => [5 * slot, 0, 1, 0, 40, 40, 2, 1, slot, holder]));

test("the next one is that of the next slot, and the first after the last", () => {
  const instances = picture([[7, -1], [2, -1], [4, 3]]);
  const after = (/** @type {number} */ slot) => things.thingAfter(instances, slot).slot;
  assert.deepEqual([-1, 2, 4, 7, 5].map(after), [2, 4, 7, 2, 7]);
  assert.equal(things.thingAfter(picture([]), -1), null);
});

test("what is held is told in the order of the slots", () => {
  const held = things.heldThings(picture([[7, 1], [2, -1], [4, 3]]));
  assert.deepEqual(held.map((/** @type {any} */ { slot, holder }) => [slot, holder]), [[4, 3], [7, 1]]);
});
