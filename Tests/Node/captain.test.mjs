// @ts-check
// The captain's line, whose code is fetched with the first captain.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let captainLine;
let now = 0;
/** @type {any} */ let line;
/** @type {any[]} what was made for it: words, seconds, circle, style sheet */ const made = [];

/** As much of an element as the line needs. */
function makeElement() {
  /** @type {Record<string, string>} */ const properties = {};
  const style = { setProperty: (/** @type {string} */ name, /** @type {string} */ value) => (properties[name] = value) };
  const element = { hidden: true, textContent: "", dataset: {}, style, properties };
  return Object.assign(element, { append() {}, setAttribute() {}, removeAttribute() {} });
}

before(async () => {
  const load = await scripts();
  line = makeElement();
  Object.assign(globalThis.document, {
    documentElement: makeElement(),
    getElementById: () => line,
    createElement: (/** @type {string} */ tag) => {
      made.push(Object.assign(makeElement(), { tag }));
      return made.at(-1);
    },
    head: { append() {} },
  });
  ({ captainLine } = await load("ui/ondemand.js"));
});

test("the seconds that the line's code took to come are none of the captain's any more", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  context.mock.method(performance, "now", () => now);
  const captain = { id: 3, colour: "#fff", name: "Bold Otter", seconds: 10 };
  const module = { captain, clientId: 1 };
  const { show } = captainLine();
  show(module);
  const find = (/** @type {string} */ tag) => made.find((one) => one.tag === tag);
  while (!find("link")) await new Promise(setImmediate);
  now = 2000;
  // The next one is the captain, before anybody could be shown.
  module.captain = { ...captain, name: "Quick Newt", seconds: 8 };
  show(module);
  now = 5000;
  find("link").onload();
  while (line.hidden) await new Promise(setImmediate);
  assert.equal(find("b").textContent, "5");
  assert.equal(line.properties["--left"], "0.5");
  now = 6000;
  context.mock.timers.tick(250);
  assert.equal(find("b").textContent, "4");
});
