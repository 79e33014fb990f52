// @ts-check
// The physics in WebAssembly against the native one: the same scenes, the same bits. The hashes are
// those that Tests/PhysicsTests pins natively.
import assert from "node:assert/strict";
import { test } from "node:test";
import { json, load } from "./module.mjs";

test("every scene ends in its golden hash", async () => {
  const bench = await load(".build-wasm/bench.wasm");
  for (const run of await json("Tests/PhysicsTests/Golden/scenes.json")) {
    assert.equal(bench.scene_new(run.scene, run.shapes, run.bodies, run.sleeps ? 1 : 0), 1);
    bench.scene_step(run.ticks);
    assert.equal(BigInt.asUintN(64, bench.scene_hash()).toString(16), run.hash);
  }
});

test("what a world tells is the same", async () => {
  const bench = await load(".build-wasm/bench.wasm");
  for (const run of await json("Tests/PhysicsTests/Golden/fixtures.json")) {
    assert.equal(bench.scene_new(run.scene, 0, run.bodies, run.sleeps ? 1 : 0), 1);
    bench.scene_step(run.ticks);
    assert.equal(BigInt.asUintN(64, bench.scene_hash()).toString(16), run.hash);
    assert.equal(BigInt.asUintN(64, bench.scene_told()).toString(16), run.told);
  }
});

test("an impossible scene is refused", async () => {
  const bench = await load(".build-wasm/bench.wasm");
  assert.equal(bench.scene_new(99, 0, 10, 0), 0);
  assert.equal(bench.scene_new(0, 0, 20_000, 0), 0);
});
