// @ts-check
// What is said for a moment, and how often a screen reader reads it out.
import assert from "node:assert/strict";
import { before, beforeEach, mock, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let Toast;
/** @type {string[]} what was written into the element */ let written;
/** @type {any} */ let element;
/** @type {any} */ let toast;
let now = 0;

before(async () => {
  const load = await scripts();
  ({ Toast } = await load("ui/toast.js"));
});

beforeEach(() => {
  mock.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => now);
  now = 60_000;
  written = [];
  element = {
    hidden: true,
    get textContent() {
      return written.at(-1) ?? "";
    },
    set textContent(words) {
      written.push(words);
    },
  };
  toast = new Toast(element);
});

test("what stands there already is not written again, and stays for its whole time", () => {
  toast.say("frog");
  mock.timers.tick(3000);
  toast.say("frog");
  assert.deepEqual(written, ["frog"]);
  mock.timers.tick(3900);
  assert.equal(element.hidden, false);
  mock.timers.tick(200);
  assert.equal(element.hidden, true);
  toast.say("frog");
  assert.equal(element.hidden, false);
});

test("what others do is told once in ten seconds, whatever it is", () => {
  for (const words of ["frog", "snow", "cake"]) {
    toast.explain(words, "rain");
    now += 3000;
  }
  assert.deepEqual(written, ["frog"]);
  now += 1000;
  toast.explain("snow", "rain");
  toast.explain("Not so fast");
  assert.deepEqual(written, ["frog", "snow", "Not so fast"], "other kinds are told all the same");
});

test("what one does oneself is always told, and others' doings not soon after it", () => {
  toast.explain("frog", "rain");
  toast.say("my cake", "rain");
  now += 1000;
  toast.say("my snow", "rain");
  now += 9000;
  toast.explain("frog", "rain");
  assert.deepEqual(written, ["frog", "my cake", "my snow"]);
  now += 1000;
  toast.explain("frog", "rain");
  assert.deepEqual(written, ["frog", "my cake", "my snow", "frog"]);
});
