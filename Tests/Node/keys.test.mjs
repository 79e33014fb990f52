// @ts-check
// Which keys are for the pit, and which for whoever types or has a dialog to answer.
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let keys;
/** @type {boolean} */ let hasDialog;
/** @type {Record<string, (event: any) => void>} */ const listeners = {};

/** What has the focus. Which elements a selector means is the browser's business: this one knows the
 * selector's parts that matter here. */
class Field {
  /** @param {string} type of an input */
  constructor(type) {
    this.type = type;
  }

  /** @param {string} selector */
  matches(selector) {
    const others = selector.match(/input:not\(([^)]*)\)/)?.[1] ?? "";
    return others !== "" && !others.includes(`[type=${this.type}]`);
  }
}

before(async () => {
  const load = await scripts();
  Object.assign(globalThis, {
    HTMLElement: Field,
    HTMLInputElement: Field,
    addEventListener: (/** @type {string} */ kind, /** @type {any} */ listener) => (listeners[kind] = listener),
    document: {
      addEventListener() {},
      querySelector: (/** @type {string} */ selector) => (hasDialog && selector === "dialog[open]" ? {} : null),
    },
  });
  keys = await load("input/keys.js");
});

beforeEach(() => (hasDialog = false));

test("letters in any field are typed, and no keys of the pit", () => {
  for (const type of ["text", "password", "search", "number"]) {
    assert.ok(keys.isTyping({ target: new Field(type) }), type);
  }
  for (const type of ["radio", "range", "checkbox"]) {
    assert.ok(!keys.isTyping({ target: new Field(type) }), type);
  }
  assert.ok(!keys.isTyping({ target: {} }));
});

test("while a dialog is open no key is for the pit, wherever the focus is", () => {
  hasDialog = true;
  assert.ok(keys.isTyping({ target: {} }));
});

test("an arrow tilts from its press on, and not because it repeats", () => {
  const directions = new keys.DirectionKeys();
  const press = (/** @type {object} */ more) =>
    listeners.keydown({ code: "ArrowLeft", target: {}, preventDefault() {}, ...more });
  // With the shift key it moved the aim; the shift key was let go before it.
  press({ shiftKey: true });
  press({ repeat: true });
  assert.equal(directions.direction, null);
  listeners.keyup({ code: "ArrowLeft" });
  press({});
  press({ repeat: true });
  assert.deepEqual(directions.direction, { x: -1, y: 0 });
});

test("characters that are switched off reach nobody who listens to keys", () => {
  keys.heedLetterKeys();
  const passes = (/** @type {string | undefined} */ key, /** @type {string | undefined} */ code) => {
    let isKept = false;
    listeners.keydown({ key, code, stopImmediatePropagation: () => (isKept = true) });
    return !isKept;
  };
  const characters = ["m", "W", "ф", "?", "1"];
  const others = [" ", "Enter", "ArrowLeft", "Escape", "Tab", undefined];
  for (const key of [...characters, ...others]) assert.ok(passes(key), key);
  // Input methods and accents keep the character back, and the key is still where it is.
  const unnamed = ["Process", "Dead", "Unidentified"];
  for (const key of unnamed) assert.ok(passes(key, "KeyG"), key);
  keys.letterKeys.value = false;
  for (const key of characters) assert.ok(!passes(key), key);
  for (const key of others) assert.ok(passes(key), key);
  for (const key of unnamed) {
    assert.ok(!passes(key, "KeyG"), key);
    assert.ok(passes(key, "ArrowLeft"), key);
  }
  keys.letterKeys.value = true;
  for (const key of characters) assert.ok(passes(key), key);
});
