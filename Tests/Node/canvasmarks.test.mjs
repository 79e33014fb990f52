// Ledges on a plain canvas, for browsers without WebGL: which strokes are made, by a context that
// writes them down.

import assert from "node:assert/strict";
import test from "node:test";
import { CanvasMarks } from "../../web/draw/canvas/marks.js";
import { MarkList, STYLE } from "../../web/draw/marklist.js";

/** Draws one mark, and returns what was done with it. */
function drawn(style, opacity) {
  const done = { fills: 0, strokes: 0, lines: 0, alphas: [] };
  const context = new Proxy({ createLinearGradient: () => ({ addColorStop() {} }) }, {
    get: (target, name) => {
      if (name in target) return target[name];
      return (..._) => {
        if (name === "fill") done.fills += 1;
        if (name === "stroke") done.strokes += 1;
        if (name === "moveTo" && done.fills > 0) done.lines += 1;
        if (name === "fill" || name === "stroke") done.alphas.push(target.globalAlpha);
      };
    },
  });
  const marks = new MarkList();
  const at = marks.next(style, [1, 0.5, 0]);
  marks.numbers.set([100, 100, 1, 0, 60, 5, 3], at);
  marks.numbers[at + 11] = opacity;
  const layout = { left: 0, top: 0, pixelsPerPoint: 1, gravity: { x: 0, y: 1 } };
  new CanvasMarks(context).draw(layout, marks.floats, [0, 0, 0]);
  return done;
}

test("a ledge that breaks stays solid, and cracks come one after the other", () => {
  const whole = drawn(STYLE.solid, 1);
  assert.deepEqual(whole, { fills: 1, strokes: 0, lines: 0, alphas: [1] });
  const [touched, broken] = [0.1, 1].map((wear) => drawn(STYLE.cracked, wear));
  assert.deepEqual(touched.alphas, [1, 1], "its wear is not its opacity");
  assert.equal(touched.fills, 1);
  assert.equal(touched.lines, 1);
  // 120 points wide, a crack in each 15.
  assert.equal(broken.lines, 8);
});

test("what is seen through is what its opacity says", () => {
  assert.deepEqual(drawn(STYLE.halo, 0.25).alphas, [0.25, 0.25]);
});
