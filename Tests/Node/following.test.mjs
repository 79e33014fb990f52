// @ts-check
// What a page reads from a memory that may grow while it is asked.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let readFollowing;
/** @type {any} */ let readDivergence;
before(async () => ({ readDivergence, readFollowing } = await (await scripts())("core/following.js")));

test("a memory that grows while addresses are asked for takes no picture down", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  /** The memory's old buffer is of no use after this. @param {number} answer */
  const growing = (answer) => () => (memory.grow(1), answer);
  const said = new TextEncoder().encode("spin");
  const wasm = {
    memory,
    page_is_following: growing(1),
    page_following: growing(64),
    page_difference: growing(1024),
    page_difference_length: () => {
      new Uint8Array(memory.buffer).set(said, 1024);
      memory.grow(1);
      return said.length;
    },
  };
  new Float64Array(memory.buffer, 64, 2).set([3, 8]);
  const following = readFollowing(wasm, new TextDecoder());
  assert.deepEqual([following.ahead, following.most, following.difference], [3, 8, "spin"]);
});

test("two worlds are copied out of a memory that grew while they were asked for", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const name = new TextEncoder().encode("spin");
  const wasm = {
    memory,
    page_divergence: () => {
      memory.grow(1);
      new Uint32Array(memory.buffer, 64, 4).set([0xfffffffe, 19, 21, 21 + name.length]);
      new Uint8Array(memory.buffer, 64).set([1, 2, 3, 4, 5, ...name], 16);
      return 64;
    },
  };
  const found = readDivergence(wasm, new TextDecoder());
  memory.grow(1);
  const { tick, difference, mine, servers } = found;
  assert.deepEqual([tick, difference], [0xfffffffe, "spin"]);
  assert.deepEqual([[...mine], [...servers]], [[1, 2, 3], [4, 5]]);
  assert.equal(readDivergence({ memory, page_divergence: () => 0 }, new TextDecoder()), null);
});
