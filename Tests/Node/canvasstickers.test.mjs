// Stickers on a plain canvas: where a context is told to draw which picture, and how it is pressed.

import assert from "node:assert/strict";
import test from "node:test";
import { CORNERS } from "../../web/core/wire.js";
import { CanvasStickers, Sprites } from "../../web/draw/canvas/stickers.js";

// As the module tells the page: even kinds are round.
for (const kind of CORNERS.keys()) CORNERS[kind] = kind % 2 === 0 ? 1 : 0.2;

const NONE = new Float32Array(0);
const LAYOUT = { left: 10, top: 20, pixelsPerPoint: 2, gravity: { x: 0, y: 1 } };
const STYLE = { popIn: true, variants: 0 };
const SPRITES = {
  points: 40,
  castIn() {},
  shadow: (_kind, which) => ["flat shadow", "peeled shadow"][which],
  sticker: () => "sticker",
};

/** Draws one sticker of 40 points at (100, 50), turned by an angle, in a form. */
function drawn(angle, form) {
  const pictures = [];
  let transform = [];
  const context = {
    globalAlpha: 1,
    setTransform: (...numbers) => (transform = numbers),
    drawImage: (name, left, top, width, height) =>
      pictures.push({ name, transform, alpha: context.globalAlpha, left, top, width, height }),
  };
  const place = [100, 50, Math.cos(angle), Math.sin(angle), 40, 40, 2, 5, 3, -1];
  const forms = form ? new Float32Array(form) : NONE;
  new CanvasStickers(context).draw(LAYOUT, new Float32Array(place), forms, SPRITES, [0, 0, 0], STYLE);
  return pictures;
}

const near = (numbers, wanted) =>
  numbers.forEach((number, at) => assert.ok(Math.abs(number - wanted[at]) < 1e-4, `${numbers}`));

test("what lies there has its soft shadow, a little away from the light", () => {
  const [shadow, sticker, ...more] = drawn(0, null);
  assert.deepEqual([shadow.name, sticker.name, more.length], ["flat shadow", "sticker", 0]);
  near(sticker.transform, [2, 0, 0, 2, 210, 120]);
  near(shadow.transform, [2, 0, 0, 2, 210, 127]);
});

test("a blow presses it flat along its direction and wider across, however it is turned", () => {
  for (const angle of [0, 1, 2.5]) {
    const [{ transform }] = drawn(angle, [0, 0.25, Math.PI / 2, 0]).filter(({ name }) => name === "sticker");
    const [a, b, c, d] = transform;
    // A point of the sticker that lies below its middle, and one to the right of it.
    const seen = (x, y) => {
      const [u, v] = [x * Math.cos(angle) + y * Math.sin(angle), y * Math.cos(angle) - x * Math.sin(angle)];
      return [(a * u + c * v) / 2, (b * u + d * v) / 2];
    };
    near(seen(0, 20), [0, 15]);
    near(seen(20, 0), [23, 0]);
  }
});

test("what is peeled off is larger, above its place, and throws its shadow farther and softer", () => {
  const [shadow, sticker, ...more] = drawn(0, [1, 0, 0, 10]);
  assert.deepEqual([shadow.name, sticker.name, more.length], ["peeled shadow", "sticker", 0]);
  near([sticker.width, sticker.transform[5]], [52, 100]);
  near([shadow.transform[5]], [100 + 2 * 3.5 * 6]);
  const names = drawn(0, [0.5, 0, 0, 0]).map(({ name, alpha }) => [name, alpha]);
  assert.deepEqual(names, [["flat shadow", 0.5], ["peeled shadow", 0.5], ["sticker", 1]]);
});

/** Canvases that nobody sees: each is an object of its own, and its context takes whatever it is told. */
function blindCanvas() {
  const canvas = { width: 0, height: 0, getContext: () => context };
  const answer = { addColorStop() {} };
  const context = new Proxy({}, {
    get: (_, name) => (name === "canvas" ? canvas : () => answer),
    set: () => true,
  });
  return canvas;
}

for (const isCut of [false, true]) {
  test(`${isCut ? "cut" : "plain"} pictures and shadows are made once and found again`, (t) => {
    t.after(() => delete globalThis.document);
    globalThis.document = { createElement: blindCanvas };
    const sheet = { size: 40, isCut, rasterise: blindCanvas, reachOf: () => 1 };
    const sprites = new Sprites(sheet, 80);
    sprites.castIn([0, 0, 0]);
    // A square one and a tall one.
    const places = new Float32Array([0, 0, 1, 0, 40, 40, 0, 9, 0, -1, 0, 0, 1, 0, 40, 60, 0, 9, 1, -1]);
    const all = () => [
      sprites.sticker(0, 0, places, 0), sprites.sticker(1, 0, places, 0), sprites.sticker(0, 1, places, 0),
      sprites.shadow(0, 0, places, 0), sprites.shadow(0, 1, places, 0), sprites.shadow(1, 0, places, 0),
    ];
    const first = all();
    assert.equal(new Set(first).size, first.length);
    assert.ok(all().every((one, at) => one === first[at]));
    // Round stickers share their shadow, but not with tall ones; pictures that are cut out have each its own.
    assert.equal(sprites.shadow(2, 0, places, 0) === first[3], !isCut);
    assert.equal(sprites.shadow(0, 0, places, 10) === first[3], isCut);
    assert.equal(sprites.shadow(0, 0, places, 10), sprites.shadow(0, 0, places, 10));
    // The same colour in another array is no other one.
    sprites.castIn([0, 0, 0]);
    assert.equal(sprites.shadow(0, 0, places, 0), first[3]);
    sprites.castIn([0, 0, 0.5]);
    assert.notEqual(sprites.shadow(0, 0, places, 0), first[3]);
    assert.equal(sprites.sticker(0, 0, places, 0), first[0]);
  });
}
