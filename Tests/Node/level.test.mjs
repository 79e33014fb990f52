// @ts-check
// How a sensor's readings are set right.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let Level;

before(async () => ({ Level } = await (await scripts())("input/level.js")));

/** Holds it for two seconds of 60 pictures each.
 * @param {any} level @param {(reading: number) => { x: number, y: number, z: number }} reading
 * @param {number} late pictures that see the first reading, of a sensor that is still busy */
function hold(level, reading, late = 1) {
  const first = reading(0);
  for (let picture = 0; picture < 120; picture += 1) {
    const isLate = picture < late;
    level.level(isLate ? first : reading(picture - late + 1), (picture * 1000) / 60);
  }
}

/** @param {any} level */
const right = (level) => level.level({ x: 0.8, y: 0, z: 0.6 }, 3000).x;

test("zero is the mean of readings, however many pictures saw each", () => {
  const level = new Level(false);
  hold(level, (number) => ({ x: number > 0 ? 0.05 : 0.03, y: 0, z: 1 }), 100);
  assert.ok(Math.abs(right(level) - (0.8 - 0.05)) < 0.003, `${right(level)}`);
});

test("the sign is found of what may have the wrong one, and of nothing else", () => {
  for (const maySign of [true, false]) {
    const level = new Level(maySign);
    hold(level, (number) => ({ x: 0.01 * Math.sin(number), y: 0, z: -1 }));
    assert.ok(Math.abs(right(level) - (maySign ? -0.8 : 0.8)) < 0.02, `${maySign}`);
  }
});

test("no object is made for a picture", () => {
  const level = new Level(true);
  const reading = { x: 0.1, y: 0, z: 1 };
  assert.equal(level.level(reading, 0), level.level(reading, 16));
});
