// @ts-check
// What is heard of what happened: which sounds, how loud, how high, and the sounds themselves.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let mixing;
/** @type {any} */ let timbres;
/** @type {any} */ let stickers;

before(async () => {
  const load = await scripts();
  [mixing, timbres] = [await load("sound/mixing.js"), await load("sound/timbres.js")];
  ({ OURS: stickers } = await load("draw/stickersets.js"));
});

/** The times at which sounds were let through.
 * @param {(time: number) => number} loudness @param {number} every ms @param {number} until ms */
function played(loudness, every, until) {
  const budget = new mixing.SoundBudget();
  const times = [];
  for (let time = 0; time < until; time += every) {
    if (budget.spend(loudness(time), time)) times.push(time);
  }
  return times;
}

/** The most of them in any second. @param {number[]} times */
const most = (times) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));

test("in no second are there more than twelve sounds, however loud", () => {
  for (const loudness of [0.1, 0.5, 1]) {
    for (const every of [1, 7, 16]) {
      const times = played(() => loudness, every, 5000);
      assert.ok(times.length > 10, `${loudness} ${every}`);
      assert.ok(most(times) <= 12, `${most(times)} of loudness ${loudness}`);
    }
  }
  assert.equal(most(played(() => 1, 1, 5000)), 12);
});

test("a soft crowd leaves room for a hard blow", () => {
  const soft = played(() => 0.1, 16, 5000);
  assert.ok(most(soft) < 8);
  const hard = played((time) => (time % 500 === 496 ? 0.9 : 0.1), 16, 5000);
  // Each of those moments that the steps of 16 ms meet.
  const due = Array.from({ length: 313 }, (_, step) => step * 16).filter((at) => at % 500 === 496);
  assert.ok(due.length > 1 && due.every((at) => hard.includes(at)));
});

test("harder and heavier is louder, and nothing is louder than 1", () => {
  const { loudnessOf } = mixing;
  assert.equal(loudnessOf(60, 44), 0);
  assert.equal(loudnessOf(0, 44), 0);
  let before = 0;
  for (let speed = 100; speed <= 1800; speed += 100) {
    assert.ok(loudnessOf(speed, 44) > before, `${speed}`);
    before = loudnessOf(speed, 44);
  }
  assert.ok(loudnessOf(500, 34) < loudnessOf(500, 52) && loudnessOf(500, 52) < loudnessOf(500, 100));
  assert.equal(loudnessOf(10_000, 254), 1);
});

test("small things sound high, soft blows dull, and each where it is", () => {
  const { rateOf, cutoffOf, panOf } = mixing;
  assert.equal(rateOf(44), 1);
  assert.ok(rateOf(20) > rateOf(34) && rateOf(34) > rateOf(52) && rateOf(52) > rateOf(254));
  for (const size of [0, 1, 20, 254, 1e6]) assert.ok(rateOf(size) >= 0.45 && rateOf(size) <= 1.8);
  assert.equal(cutoffOf(0), 700);
  assert.equal(cutoffOf(1), 11_200);
  assert.deepEqual([0, 360, 720, 9999].map((x) => panOf(x, 720)), [-0.6, 0, 0.6, 0.6]);
  assert.equal(panOf(100, 0), 0, "before there is a world");
});

test("every kind of sticker is made of something", () => {
  const kinds = Array.from({ length: 20 }, (_, kind) => stickers.soundOf(kind));
  assert.deepEqual(kinds.slice(0, 4), ["disc", "tile", "disc", "tile"]);
  assert.deepEqual(kinds.slice(16), ["card", "block", "soft", "soft"]);
  for (const material of kinds) assert.ok(material in timbres.TIMBRES, material);
});

/** How often it crosses zero in a second: a measure of how high it sounds.
 * @param {Float32Array} samples @param {number} rate */
function crossings(samples, rate) {
  let count = 0;
  for (let at = 1; at < samples.length; at += 1) {
    if (samples[at - 1] < 0 !== samples[at] < 0) count += 1;
  }
  return (count * rate) / samples.length;
}

test("each sound is short, whole, the same each time, and ends without a click", () => {
  for (const [name, timbre] of Object.entries(timbres.TIMBRES)) {
    for (const rate of [44_100, 48_000]) {
      const samples = timbres.render(timbre, rate);
      assert.equal(samples.length, Math.round(timbre.seconds * rate));
      assert.ok(samples.every(Number.isFinite), name);
      const peak = samples.reduce((/** @type {number} */ top, one) => Math.max(top, Math.abs(one)), 0);
      assert.ok(Math.abs(peak - 1) < 1e-6, `${name} ${peak}`);
      assert.ok(Math.abs(samples[0]) < 0.2 && Math.abs(samples[samples.length - 1]) < 0.05, name);
      assert.deepEqual(timbres.render(timbre, rate), samples);
      assert.ok(timbre.seconds <= 0.3, name);
    }
  }
});

test("materials can be told apart", () => {
  const sounds = Object.fromEntries(
    Object.entries(timbres.TIMBRES).map(([name, timbre]) => [name, timbres.render(timbre, 48_000)]),
  );
  const high = (/** @type {string} */ name) => crossings(sounds[name], 48_000);
  assert.ok(high("soft") < high("disc") && high("block") < high("disc") && high("disc") < high("tile"));
  // A blow is loud at once, a throw swells.
  const loudest = (/** @type {Float32Array} */ samples) =>
    samples.reduce((top, one, at) => (Math.abs(one) > Math.abs(samples[top]) ? at : top), 0) / samples.length;
  for (const name of ["disc", "tile", "block"]) assert.ok(loudest(sounds[name]) < 0.1, name);
  assert.ok(loudest(sounds.whoosh) > 0.25 && loudest(sounds.whoosh) < 0.75);
});
