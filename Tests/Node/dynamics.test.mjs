// @ts-check
// Every behaviour at once in WebAssembly against the native run: the same bits. The hashes are those
// that Tests/DynamicsTests pins natively.
import assert from "node:assert/strict";
import { test } from "node:test";
import { json, load } from "./module.mjs";

test("all behaviours together end in their golden hashes", async () => {
  const bench = await load(".build-wasm/bench.wasm");
  assert.equal(bench.everything_new(), 1);
  const hashes = await json("Tests/DynamicsTests/Golden/everything.json");
  assert.ok(hashes.length >= 20);
  for (const hash of hashes) {
    assert.equal(bench.everything_step(30), 1);
    assert.equal(BigInt.asUintN(64, bench.everything_hash()).toString(16), hash);
  }
});
