// @ts-check
// What stickers look like for a moment: pressed, peeled off, with a halo; and when the floor shakes.
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {(name: string) => Promise<any>} */ let load;
/** @type {any} */ let Forms;
/** @type {any} */ let Letterbox;
/** @type {any} */ let growthOf;
/** @type {any} */ let letterbox;
/** @type {any} */ let forms;
let isCalm = false;
const calm = { get matches() { return isCalm; } };

before(async () => {
  Object.assign(globalThis, { matchMedia: () => calm });
  load = await scripts();
  ({ Forms, growthOf } = await load("draw/forms.js"));
  ({ Letterbox } = await load("draw/letterbox.js"));
});

beforeEach(() => {
  isCalm = false;
  letterbox = new Letterbox();
  forms = new Forms(letterbox);
  forms.of(picture([]), 0);
});

/** Stickers of 40 pt by slot and holder. @param {[number, number, number?][]} stickers */
function picture(stickers) {
  return new Float32Array(
    stickers.flatMap(([slot, holder, size = 40]) => [300, 400, 1, 0, size, size, 2, 5, slot, holder]),
  );
}

test("nothing is drawn otherwise while nothing happens, and no memory is taken", () => {
  const all = picture(Array.from({ length: 1000 }, (_, slot) => [slot, -1]));
  assert.equal(forms.of(all, 16).length, 0);
  assert.equal(forms.of(all, 33), forms.of(all, 50), "the same empty numbers");
});

test("a blow presses both that met along its direction, by its strength; a gentle one is not seen", () => {
  const blow = (/** @type {number} */ speed, /** @type {number} */ now) => {
    forms.strike(new Float32Array([0, -1, 3, 8, speed, 0, 1, 2, 44, 360, 900]), 0, now);
    return [...forms.of(picture([[3, -1], [5, -1], [8, -1]]), now)];
  };
  assert.deepEqual(blow(100, 1000), []);
  const soft = blow(400, 2000);
  const hard = blow(1500, 3000);
  for (const at of [0, 8]) {
    assert.ok(soft[at + 1] > 0 && hard[at + 1] > soft[at + 1] && hard[at + 1] <= 0.25);
    assert.ok(Math.abs(soft[at + 2] - Math.PI / 2) < 1e-6, "along the blow");
  }
  assert.equal(hard[5], 0, "between them");
});

test("what is held is peeled off within 120 ms, and lies again 120 ms after", () => {
  const lifts = [];
  forms.of(picture([[7, -1]]), 980);
  for (let now = 1000; now <= 1200; now += 20) lifts.push(forms.of(picture([[7, 3]]), now)[0] ?? 0);
  assert.ok(lifts.every((lift, at) => at === 0 || lift >= lifts[at - 1]));
  assert.ok(lifts[0] > 0 && lifts[4] < 1 && lifts[5] === 1, `${lifts}`);
  const falls = [];
  for (let now = 1220; now <= 1400; now += 20) falls.push(forms.of(picture([[7, -1]]), now)[0] ?? 0);
  assert.ok(falls[1] < 1 && falls[6] === 0, `${falls}`);
});

test("a peeled sticker is 1.3 times as large, a card by no more than 30 pt", () => {
  assert.equal(growthOf(0, 40), 1);
  assert.equal(growthOf(1, 40), 1.3);
  assert.equal(growthOf(1, 100), 1.3);
  assert.ok(Math.abs(growthOf(1, 254) * 254 - 284) < 1e-6);
});

test("what is held is drawn whole, wherever it is held and however it is turned", () => {
  const [width, height] = [366, 600];
  Object.assign(letterbox, { worldWidth: 320, worldHeight: 568 });
  letterbox.fit(width, height, 12);
  let [least, most] = [1, 0];
  for (const angle of [0, 0.3, Math.PI / 4, 1.2]) {
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    const half = 50 * (cosine + sine);
    const places = [[160, 284], [half, 284], [320 - half, 568 - half], [160, half], [half + 9, 300]];
    for (const [x, y] of places) {
      const square = new Float32Array([x, y, cosine, sine, 100, 100, 17, 5, 3, 1]);
      let lift = 0;
      for (let now = 1000; now <= 1200; now += 20) lift = forms.of(square, now)[0];
      [least, most] = [Math.min(least, lift), Math.max(most, lift)];
      // With its halo, which is 8 pt wide.
      const drawn = half * growthOf(lift, 100) + 8;
      const corners = [letterbox.toCanvas(x - drawn, y - drawn), letterbox.toCanvas(x + drawn, y + drawn)];
      for (const corner of corners) {
        const beyond = Math.max(-corner.x, corner.x - width, -corner.y, corner.y - height);
        assert.ok(beyond < 1e-3, `${beyond} px are cut off at ${x}, ${y}, turned by ${angle}`);
      }
    }
  }
  assert.equal(most, 1, "in the middle it is peeled off as ever");
  assert.ok(least > 0.1 && least < 0.5, `at the wall as far as there is room: ${least}`);
});

test("a blow presses it flat, and it springs back within half a second", () => {
  forms.press(2, 0.2, Math.PI / 2, 1000);
  const squashes = [];
  for (let now = 1000; now < 1600; now += 16) squashes.push(forms.of(picture([[2, -1]]), now)[1] ?? 0);
  assert.ok(Math.abs(squashes[0] - 0.2) < 1e-6);
  assert.ok(Math.min(...squashes) < -0.02, "it swings past its form");
  assert.ok(squashes.slice(26).every((squash) => squash === 0));
  // Others are left alone.
  forms.press(2, 0.2, 0, 3000);
  assert.deepEqual([...forms.of(picture([[1, -1], [2, -1]]), 3000).slice(0, 4)], [0, 0, 0, 0]);
});

test("a soft blow does not end what a hard one began", () => {
  forms.press(2, 0.2, 1, 1000);
  forms.press(2, 0.05, 2, 1010);
  assert.ok(Math.abs(forms.of(picture([[2, -1]]), 1010)[2] - 1) < 1e-6);
  forms.press(2, 0.25, 2, 1020);
  assert.ok(Math.abs(forms.of(picture([[2, -1]]), 1020)[2] - 2) < 1e-6);
});

test("what is let go lands a little flat", () => {
  for (let now = 1000; now < 1200; now += 20) forms.of(picture([[7, 3]]), now);
  assert.ok(forms.of(picture([[7, -1]]), 1200)[1] > 0.1);
});

test("a finger does not hide what it holds; a mouse and large things need no help", () => {
  // 44 CSS pixels are 88 pt, and above the world there is room for what is peeled off.
  Object.assign(letterbox, { scale: 0.5, top: 20 });
  forms.takeUnderFinger(1);
  forms.takeUnderFinger(3);
  const shown = picture([[1, 9], [2, 9], [3, 9, 100]]);
  for (let now = 1000; now < 1200; now += 20) forms.of(shown, now);
  const floats = forms.of(shown, 1200);
  assert.deepEqual([floats[3], floats[7], floats[11]], [68, 0, 0]);
  // Never out of the world.
  const atTheTop = picture([[1, 9]]);
  atTheTop[1] = 30;
  assert.ok(Math.abs(forms.of(atTheTop, 1220)[3] - 4) < 1e-5);
});

test("who asked for less motion sees no blows, and what is held at once", () => {
  isCalm = true;
  forms.press(2, 0.2, 0, 1000);
  assert.equal(forms.of(picture([[2, -1]]), 1000).length, 0);
  assert.deepEqual([...forms.of(picture([[2, 5]]), 1016)].slice(0, 2), [1, 0]);
});

test("memory is kept from picture to picture, however many stickers move", () => {
  const all = picture(Array.from({ length: 500 }, (_, slot) => [slot, slot % 5 === 0 ? 1 : -1]));
  const buffers = new Set();
  for (let now = 1000; now < 3000; now += 16) {
    forms.press((now / 16) % 500 | 0, 0.2, 0, now);
    buffers.add(forms.of(all, now).buffer);
  }
  assert.equal(buffers.size, 1);
});

test("in another world nothing of the old one is left", () => {
  forms.press(2, 0.2, 0, 1000);
  forms.of(picture([[2, 5]]), 1016);
  forms.forget();
  assert.equal(forms.of(picture([[2, -1]]), 1032).length, 0);
});

test("a sticker just dropped has a halo in its person's colour for 300 ms", async () => {
  const { DroppedHalos } = await load("draw/dropped.js");
  const { MarkList } = await load("draw/marklist.js");
  const halos = new DroppedHalos();
  const colourOf = (/** @type {number} */ client) => [client / 10, 0, 0];
  const marks = new MarkList();
  const at = (/** @type {number} */ now) => {
    marks.clear();
    halos.draw(marks, picture([[4, -1], [5, -1]]), colourOf, now);
    return [...marks.floats];
  };
  assert.equal(at(1000).length, 0);
  halos.add(5, 7, 1000);
  halos.add(99, 7, 1000); // one that is gone already
  const [first, later] = [at(1000), at(1200)];
  assert.equal(first.length, 12);
  assert.ok(Math.abs(first[8] - 0.7) < 1e-6 && first[11] === 1);
  assert.ok(later[4] > first[4] && later[11] < first[11], "it grows and fades");
  assert.equal(at(1300).length, 0);
  // In a storm it costs no more, and is over as soon.
  for (let halo = 0; halo < 1000; halo += 1) halos.add(5, halo, 2000);
  assert.equal(at(2000).length, 64 * 12);
  assert.equal(at(2300).length, 0);
});

test("the floor shakes for the nine ticks before it opens, and at no other time", async () => {
  const { quake } = await load("draw/scenery.js");
  for (const ticks of [-1, 0, 10, 108]) assert.equal(quake(ticks, 1234), 0);
  const shifts = Array.from({ length: 9 }, (_, tick) => quake(9 - tick, 5000 + (tick * 1000) / 60));
  assert.ok(shifts.every((shift) => Math.abs(shift) <= 3.5));
  assert.ok(Math.max(...shifts) > 2 && Math.min(...shifts) < -2);
  isCalm = true;
  assert.equal(quake(5, 1234), 0);
});
