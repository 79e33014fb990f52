// @ts-check
// What pages read from pictures of a world that does not run in them.
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let SeenEffects;
/** @type {any} */ let EFFECT;
/** @type {any} */ let seen;
let now = 0;
/** The walls and ledges of the pictures to come, five numbers each. */
/** @type {number[]} */ let boundaries = [];

/** The world that most of these tests show, points. */
const [WIDTH, HEIGHT] = [720, 940];

before(async () => {
  const load = await scripts();
  ({ SeenEffects } = await load("play/seeneffects.js"));
  ({ EFFECT } = await load("core/wire.js"));
});

beforeEach(() => {
  seen = new SeenEffects();
  now = 1000;
  boundaries = [];
});

/** Shows a picture of stickers of 40 pt, and tells its effects by name.
 * @param {Record<number, [number, number, number?]>} stickers places and holders by slot */
function show(stickers, isFrozen = false, step = 1000 / 60) {
  now += step;
  const numbers = Object.entries(stickers).flatMap(([slot, [x, y, holder = -1]]) => [
    x, y, 1, 0, 40, 40, 2, now / 1000, Number(slot), holder,
  ]);
  const around = {
    isFrozen,
    world: { width: WIDTH, height: HEIGHT },
    boundaryNumbers: new Float32Array(boundaries),
  };
  const count = seen.look(new Float32Array(numbers), around, now);
  return Array.from({ length: count }, (_, at) => {
    const [kind, client, slot, other, speed, normalX, normalY, picture, size, x, y] =
      seen.numbers.subarray(11 * at);
    return { kind, client, slot, other, speed, normalX, normalY, picture, size, x, y };
  });
}

/** Falls on the floor, or to a height, with a speed in points a picture, and goes on from there with another.
 * @param {number} down
 * @param {number} on
 * @param {Record<number, [number, number]>} others
 * @param {number} to */
function fall(down, on, others = {}, to = HEIGHT - 20) {
  const found = [];
  let y = to - 15 * down;
  for (let step = 0; step < 30; step += 1) {
    y += step < 15 ? down : on;
    found.push(...show({ 3: [300, y], ...others }));
  }
  return found;
}

test("what falls on the floor strikes it once, as fast as it came", () => {
  const blows = fall(20, -5);
  assert.equal(blows.length, 1);
  const [{ kind, client, slot, other, speed, normalX, normalY, picture, size }] = blows;
  assert.deepEqual([kind, client, slot, other, picture, size], [EFFECT.blow, -1, 3, -1, 2, 40]);
  assert.ok(Math.abs(speed - 1500) < 10, `${speed}`);
  assert.ok(Math.abs(normalX) < 0.01 && normalY > 0.99);
});

test("what it struck is the sticker before it, and not the one beside it", () => {
  const [blow, ...more] = fall(20, -5, { 8: [300, 542], 9: [342, 498] }, 500);
  assert.deepEqual([blow.other, more.length], [8, 0]);
});

test("slow touches, gravity and stickers that another one pushes are no blows", () => {
  assert.deepEqual(fall(1.5, 0), []);
  let [y, speed] = [900, 15];
  for (let step = 0; step < 60; step += 1, speed -= 0.4) {
    y -= speed;
    assert.deepEqual(show({ 5: [300, y] }), []);
  }
  for (let step = 0; step < 20; step += 1) {
    assert.deepEqual(show({ 6: [300 + 20 * Math.max(0, step - 10), 500] }), []);
  }
});

test("pictures that are rare tell blows, too, and gravity is still none", () => {
  let [y, speed] = [900, 90];
  for (let step = 0; step < 12; step += 1, speed -= 14) {
    y -= speed;
    assert.deepEqual(show({ 5: [300, y] }, false, 100), []);
  }
  const blows = [];
  for (let step = 0; step < 10; step += 1) {
    // Something always moves a little; what stands still as a whole has stalled.
    const y = HEIGHT - 500 + 80 * Math.min(step, 6);
    blows.push(...show({ 6: [300, y], 7: [100, step] }, false, 100));
  }
  assert.equal(blows.length, 1);
});

test("a world that is frozen and a pause strike nothing", () => {
  for (let step = 0; step < 20; step += 1) {
    assert.deepEqual(show({ 3: [300, 100 + 20 * Math.min(step, 9)] }, step > 9), []);
  }
  for (let step = 0; step < 10; step += 1) show({ 5: [300, 100 + 20 * step] });
  assert.deepEqual(show({ 5: [300, 300] }, false, 900), []);
});

/** A sticker that moves 20 points a picture beside another one, but for what is added to its place in each picture
 * from the twelfth on; the last one stays.
 * @param {number[]} added */
function putRight(added) {
  const found = [];
  for (let step = 0; step < 30; step += 1) {
    const more = step < 12 ? 0 : (added[step - 12] ?? added[added.length - 1]);
    found.push(...show({ 3: [60 + 20 * step + more, 500], 4: [60 + 20 * step, 550] }));
  }
  return found;
}

/** @type {Record<string, number[]>} */
const CORRECTED = {
  "at once": [60],
  "over two pictures": [45, 90],
  "far": [200],
  "back": [-90],
  "back over two pictures": [-45, -90],
  "little by little": [0.21, 0.38, 0.51, 0.61, 0.69, 0.76, 0.81, 0.85, 0.88, 0.9].map((share) => 90 * share),
};

for (const [how, added] of Object.entries(CORRECTED)) {
  test(`a place that is corrected ${how} is no blow`, () => assert.deepEqual(putRight(added), []));
}

test("a sticker that a late frame stops for one picture strikes nothing", () => {
  assert.deepEqual(putRight([-20, 0]), []);
});

test("what is stopped far from everything has struck nothing, and on a ledge it has", () => {
  const stop = () => {
    const found = [];
    for (let step = 0; step < 30; step += 1) {
      // Something always moves a little; what stands still as a whole has stalled.
      found.push(...show({ 3: [350, 200 + 20 * Math.min(step, 15)], 7: [600, 100 + step] }));
    }
    return found;
  };
  assert.deepEqual(stop(), []);
  seen.forget();
  boundaries = [1, 300, 520, 400, 520];
  const [blow, ...more] = stop();
  assert.deepEqual([blow.slot, blow.other, more.length], [3, -1, 0]);
});

test("a stream that is shown more slowly for a while strikes nothing", () => {
  const found = [];
  let shown = 0;
  for (let step = 0; step < 40; step += 1) {
    shown += step > 14 && step < 25 ? 0.75 : 1;
    found.push(...show({ 3: [300, 100 + 20 * shown], 4: [345, 100 + 20 * shown] }));
  }
  assert.deepEqual(found, []);
});

test("a stream that stalls and catches up strikes nothing", () => {
  const found = [];
  for (let step = 0; step < 40; step += 1) {
    // For a tenth of a second nothing comes, then two fall on from where they would be. The last frame ends within
    // a picture.
    const shown = step > 14 && step < 21 ? 14.2 : step;
    found.push(...show({ 3: [300, 100 + 20 * shown], 4: [345, 100 + 15 * shown] }));
  }
  assert.deepEqual(found, []);
});

test("hands that take while everything rests are told", () => {
  for (let step = 0; step < 20; step += 1) show({ 3: [300, 500], 4: [500, 500] });
  const [{ kind, slot }, ...more] = show({ 3: [300, 500, 7], 4: [500, 500] });
  assert.deepEqual([kind, slot, more.length], [EFFECT.taken, 3, 0]);
});

test("hands that take and throw are told with whose they are", () => {
  for (let step = 0; step < 5; step += 1) show({ 3: [300, 500] });
  const [taken] = show({ 3: [300, 500, 7] });
  assert.deepEqual([taken.kind, taken.client, taken.slot], [EFFECT.taken, 7, 3]);
  for (let step = 0; step < 5; step += 1) assert.deepEqual(show({ 3: [300 + 15 * step, 500, 7] }), []);
  const [thrown] = show({ 3: [375, 500] });
  assert.deepEqual([thrown.kind, thrown.client], [EFFECT.thrown, 7]);
});

test("a crowd that strikes at once is a dozen effects", () => {
  const crowd = (/** @type {number} */ y) =>
    Object.fromEntries(Array.from({ length: 40 }, (_, slot) => [slot, [60 * slot, y]]));
  let most = 0;
  for (let step = 0; step < 20; step += 1) {
    const y = 100 + 20 * Math.min(step, 9) + 0.1 * step;
    most = Math.max(most, show(/** @type {any} */ (crowd(y))).length);
  }
  assert.equal(most, 12);
});

test("of many that stop far from everything few are compared with all others", () => {
  let compared = 0;
  const around = {
    isFrozen: false,
    world: { width: 1e6, height: 1e6 },
    // Asked for once for each that is.
    get boundaryNumbers() {
      compared += 1;
      return new Float32Array(0);
    },
  };
  let most = 0;
  for (let step = 0; step < 30; step += 1) {
    now += 1000 / 60;
    const numbers = [];
    for (let slot = 0; slot < 200; slot += 1) {
      // Something always moves a little; what stands still as a whole has stalled.
      const y = slot === 0 ? 500 + step : 500 + 20 * Math.min(step, 15);
      numbers.push(500 + 400 * slot, y, 1, 0, 40, 40, 2, now / 1000, slot, -1);
    }
    compared = 0;
    assert.equal(seen.look(new Float32Array(numbers), around, now), 0);
    most = Math.max(most, compared);
  }
  assert.equal(most, 24);
});
