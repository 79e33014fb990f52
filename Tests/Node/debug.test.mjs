// @ts-check
// What the debug panel makes of the numbers.
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let DebugPanel;
/** @type {any} */ let verdict;
/** @type {(event: any) => void} */ let press;

before(async () => {
  Object.assign(globalThis, {
    location: { search: "?debug" },
    HTMLElement: class {},
    addEventListener: (/** @type {string} */ _, /** @type {any} */ listener) => (press = listener),
  });
  ({ DebugPanel, verdict } = await (await scripts())("debug/panel.js"));
});

/** A page whose world is right; long ago it was last wrong, as one says that never was. */
const fine = {
  ahead: 3, most: 8, inputDelay: 0, lead: 2.5, rollbacks: 4, replayed: 12, corrections: 2,
  largestCorrection: 90, recentCorrection: 0, lateTicks: 1, hashes: 20, diverged: 0,
  isDiverged: 0, sinceDivergence: 1e9, bytes: 0, cost: 0.25, divergedTick: 0,
  difference: "",
};

test("the verdict is matched while nothing was seen to jump of late", () => {
  assert.equal(verdict(fine), "matched");
  assert.equal(verdict({ ...fine, recentCorrection: 8 }), "matched");
});

test("the verdict is jitter after a correction that was seen", () => {
  assert.equal(verdict({ ...fine, recentCorrection: 8.1 }), "jitter");
});

test("the verdict is diverging while the world is wrong, and ten seconds longer", () => {
  for (const recentCorrection of [0, 50]) {
    assert.equal(verdict({ ...fine, recentCorrection, isDiverged: 1 }), "diverging");
    assert.equal(verdict({ ...fine, recentCorrection, sinceDivergence: 9999 }), "diverging");
  }
  assert.equal(verdict({ ...fine, diverged: 1, sinceDivergence: 10_000 }), "matched");
});

test("nothing matches before a hash was compared", () => {
  assert.equal(verdict({ ...fine, hashes: 0 }), "comparing");
  assert.equal(verdict({ ...fine, hashes: 0, isDiverged: 1 }), "diverging");
});

/** @type {any} */ let element;
/** @type {any} */ let panel;
let now = 0;

beforeEach(() => {
  element = { hidden: false, textContent: "" };
  const decoding = { frames: 0, milliseconds: 0 };
  panel = new DebugPanel(element, { decoding, keyframeRequests: 0, state: "online", lastClose: "" });
  now = 0;
});

/** A picture half a second after the last. @param {any} following @returns {Record<string, string>} */
function lines(following) {
  const link = { tick: 9, delay: 0, roundTrip: 0, jitter: 0, frames: 0, keyframes: 0, skipped: 0,
    gaps: 0, quality: 4 };
  const module = { link, following, divergence: null };
  panel.frame((now += 500), module, { count: 1, drawCalls: 1 });
  const split = (/** @type {string} */ line) => [line.slice(0, 11).trim(), line.slice(11)];
  return Object.fromEntries(element.textContent.split("\n").map(split));
}

test("the panel of a page that follows the log says how that goes", () => {
  lines(fine);
  const shown = lines({ ...fine, bytes: 1000 });
  assert.equal(shown.stream, "replica");
  assert.equal(shown.payload, "16.0 kbit/s");
  assert.equal(shown.ahead, "3 of 8 ticks, input delay 0");
  assert.equal(shown.rollbacks, "4 (12 ticks)");
  assert.equal(shown.corrected, "2, now 0.0 pt, most 90.0");
  assert.equal(shown.late, "own commands in 1 ticks");
  assert.equal(shown.hashes, "20 equal, 0 not");
  assert.equal(shown["a tick"], "0.25 ms");
  assert.equal(shown.verdict, "matched");
});

test("the panel names what was different", () => {
  assert.ok(!("differed" in lines(fine)));
  const wrong = { ...fine, diverged: 1, divergedTick: 480 };
  assert.equal(lines(wrong).differed, "in tick 480: …");
  assert.equal(lines({ ...wrong, difference: "spin" }).differed, "in tick 480: spin");
});

test("the payload is that of the last half second, however late the panel is opened", () => {
  press({ code: "KeyD", shiftKey: true, target: {} });
  assert.ok(element.hidden);
  for (let bytes = 0; bytes < 1e6; bytes += 1e5) lines({ ...fine, bytes });
  press({ code: "KeyD", shiftKey: true, target: {} });
  assert.equal(lines({ ...fine, bytes: 901_000 }).payload, "16.0 kbit/s");
  assert.equal(lines({ ...fine, bytes: 500 }).payload, "0.0 kbit/s", "a new connection");
});

test("the panel of a page that is told states says nothing of a log", () => {
  const shown = lines(null);
  assert.equal(shown.stream, "state");
  assert.ok(!("payload" in shown) && !("verdict" in shown));
});
