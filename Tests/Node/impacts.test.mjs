// @ts-check
// What becomes of effects: what is heard, felt and seen of them.
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let Impacts;
/** @type {any} */ let EFFECT;
/** @type {any} */ let impacts;
/** @type {number[]} */ let waiting;
/** @type {any[]} */ let heard;
/** @type {any[]} */ let felt;
/** @type {any[]} */ let struck;
/** @type {any[]} */ let haloed;

const NONE = new Float32Array(0);

before(async () => {
  const load = await scripts();
  ({ Impacts } = await load("play/impacts.js"));
  ({ EFFECT } = await load("core/wire.js"));
});

beforeEach(() => {
  [waiting, heard, felt, struck, haloed] = [[], [], [], [], []];
  impacts = new Impacts({
    module: {
      clientId: 7,
      runsWorld: true,
      worldWidth: 720,
      takeEffects: () => waiting.length / 11,
      get effectNumbers() {
        return new Float32Array(waiting.splice(0));
      },
    },
    sound: { isAudible: true, play: (/** @type {any[]} */ ...values) => heard.push(values) },
    vibration: { pulse: (/** @type {number} */ length) => felt.push(length) },
    forms: {
      strike: (/** @type {Float32Array} */ numbers, /** @type {number} */ at) => struck.push([...numbers.subarray(at + 2, at + 7)]),
      forget: () => {},
    },
    halos: { add: (/** @type {any[]} */ ...values) => haloed.push(values), forget: () => {} },
  });
});

/** @param {number} speed */
const blow = (speed, slot = 3, other = -1, kind = 2, size = 44) =>
  waiting.push(EFFECT.blow, -1, slot, other, speed, 0, 1, kind, size, 360, 900);
/** @param {number} kind @param {number} client */
const did = (kind, client, slot = 3) =>
  waiting.push(kind, client, slot, -1, 0, 0, 0, 2, 44, 720, 100);

test("a blow is heard once, by its strength, and seen at both", () => {
  blow(400, 3, 8);
  impacts.advance(NONE, 1000);
  impacts.advance(NONE, 1016);
  blow(1500, 3, 8, 17, 100);
  impacts.advance(NONE, 1032);
  const [soft, hard] = heard;
  assert.equal(heard.length, 2);
  assert.deepEqual([soft[0], hard[0]], ["disc", "block"]);
  assert.ok(hard[1] > soft[1] && hard[2] < soft[2] && hard[3] > soft[3]);
  assert.equal(soft[4], 0);
  assert.deepEqual(struck, [[3, 8, 400, 0, 1], [3, 8, 1500, 0, 1]]);
});

test("who drops hears it at once, and not again when the tick is certain", () => {
  impacts.did("drop", 720);
  assert.equal(heard.length, 1);
  did(EFFECT.dropped, 7);
  did(EFFECT.taken, 7);
  did(EFFECT.thrown, 7);
  impacts.advance(NONE, 1000);
  assert.equal(heard.length, 1);
  assert.deepEqual(haloed, [[3, 7, 1000]]);
});

test("what others do is heard, more quietly", () => {
  impacts.did("drop", 720);
  for (const kind of [EFFECT.dropped, EFFECT.taken, EFFECT.thrown]) did(kind, 9);
  impacts.advance(NONE, 1000);
  assert.deepEqual(heard.map(([name]) => name), ["drop", "drop", "peel", "whoosh"]);
  assert.ok(heard.slice(1).every(([, loudness]) => loudness < heard[0][1]));
  assert.deepEqual(haloed, [[3, 9, 1000]]);
});

test("only the own stickers' blows are felt, for a while", () => {
  const feltBy = (/** @type {number} */ now) => {
    felt.length = 0;
    blow(1500, 5);
    impacts.advance(NONE, now);
    return felt.length;
  };
  assert.equal(feltBy(1000), 0);
  did(EFFECT.dropped, 9, 5);
  impacts.advance(NONE, 1000);
  assert.equal(feltBy(1000), 0, "another's");
  did(EFFECT.thrown, 7, 5);
  impacts.advance(NONE, 1000);
  assert.equal(feltBy(1500), 1);
  assert.equal(feltBy(3100), 0);
  did(EFFECT.thrown, 7, 5);
  impacts.advance(NONE, 4000);
  impacts.forget();
  assert.equal(feltBy(4100), 0, "in another world");
});
