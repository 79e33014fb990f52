// @ts-check
// Hints whose code comes late.
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let Coach;
/** @type {any} */ let letterKeys;
/** @type {(() => void)[]} what lets each style sheet be there */ let arrive;
/** @type {any} */ let element;

/** As much of an element as a hint needs. */
function makeElement() {
  const words = { textContent: "" };
  return { hidden: true, dataset: {}, childElementCount: 1, querySelector: () => words, words };
}

before(async () => {
  const load = await scripts();
  arrive = [];
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: false }),
    localStorage: { getItem: () => "", setItem() {} },
  });
  Object.assign(globalThis.document, {
    createElement: () => ({ setAttribute() {}, append() {}, rel: "", href: "" }),
    head: { append: (/** @type {any} */ sheet) => arrive.push(sheet.onload) },
  });
  ({ Coach } = await load("ui/coach.js"));
  ({ letterKeys } = await load("input/keys.js"));
});

beforeEach(() => (element = makeElement()));

/** What waits for modules that load goes on. */
async function turn() {
  for (let time = 0; time < 50; time += 1) await new Promise(setImmediate);
}

test("a hint that was done before its code came is not shown, and the next one for its whole time", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const coach = new Coach(element, () => false);
  coach.teach(["drop"]);
  context.mock.timers.tick(600);
  while (arrive.length === 0) await turn();
  // Longer than it would have been shown; then it was done, and another scene has begun.
  context.mock.timers.tick(9000);
  coach.did("drop");
  arrive[0]();
  await turn();
  assert.ok(element.hidden);
  coach.teach(["throw"]);
  context.mock.timers.tick(600);
  await turn();
  assert.ok(!element.hidden);
  context.mock.timers.tick(7900);
  assert.ok(!element.hidden);
  context.mock.timers.tick(200);
  assert.ok(element.hidden);
});

test("keys are among the hints as long as the question mark is one", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { matchMedia: () => ({ matches: true }) });
  for (const isOn of [true, false]) {
    letterKeys.value = isOn;
    const coach = new Coach(element, () => false);
    const said = [];
    coach.teach(["throw"]);
    coach.again();
    for (let step = 0; step < 30; step += 1) {
      context.mock.timers.tick(600);
      await turn();
      const words = element.hidden ? "" : element.words.textContent;
      if (words !== said.at(-1)) said.push(words);
    }
    const keys = isOn ? ["Keys do all of it, too: press ?"] : [];
    assert.deepEqual(said, ["Flick a sticker to throw it", ...keys, ""]);
  }
});
