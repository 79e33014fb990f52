// @ts-check
// A page whose world is another one than the server's keeps both, and whoever debugs can save them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, beforeEach, mock, test } from "node:test";
import { load, root, scripts } from "./module.mjs";

/** The first byte of a snapshot's message, and the high half of that of records. */
const [SNAPSHOT, RECORDS] = [0x8a, 0x90];
/** The word that a saved pit begins with, the lowest byte first: "PI" and a version. */
const PIT = [0x49, 0x50];

/** @type {any} */ let readDivergence;
/** @type {any} */ let saveButton;
/** @type {any} */ let DebugPanel;
/** @type {any} */ let laterWords;
/** @type {any[]} what was downloaded */ let saved;
/** @type {Blob[]} */ let blobs;

/** An element of a page, as far as a button and a download need one. */
class Element {
  type = "";
  textContent = "";
  href = "";
  download = "";
  style = {};
  /** @type {(() => void) | null} */ pressed = null;
  append() {}
  /** @param {string} _ @param {() => void} listener */
  addEventListener(_, listener) {
    this.pressed = listener;
  }
  click() {
    if (this.pressed) this.pressed();
    else saved.push({ name: this.download, blob: blobs[Number(this.href)] });
  }
}

before(async () => {
  Object.assign(globalThis, { addEventListener: () => {} });
  const script = await scripts();
  ({ readDivergence } = await script("core/following.js"));
  ({ saveButton } = await script("debug/saveworlds.js"));
  ({ DebugPanel } = await script("debug/panel.js"));
  ({ laterWords } = await script("strings/language.js"));
  await laterWords();
  Object.assign(globalThis.document, { createElement: () => new Element() });
  mock.method(URL, "createObjectURL", (/** @type {Blob} */ blob) => String(blobs.push(blob) - 1));
  mock.method(URL, "revokeObjectURL", () => {});
});

beforeEach(() => ([saved, blobs] = [[], []]));

/** What a page was sent that asked for a second snapshot: whole messages.
 * @returns {Promise<Uint8Array[]>} */
async function messages() {
  const tape = await readFile(new URL("Tests/ServerTests/Golden/tape-2.txt", root), "utf8");
  const all = [...tape.matchAll(/^\d+ m (.*)$/gm)].map((line) => Buffer.from(line[1], "base64"));
  const last = all.findLastIndex(([type]) => type === SNAPSHOT);
  return all.slice(0, last + 1).map((message) => Uint8Array.from(message));
}

/** A page that is sent messages, and how many of records it refused.
 * @param {Uint8Array[]} told */
async function follow(told) {
  const page = await load("web/pit.wasm");
  page.page_hello(60, 0, 1, 0);
  let refused = 0;
  for (const [index, message] of told.entries()) {
    const at = page.page_input(message.length) >>> 0;
    new Uint8Array(page.memory.buffer).set(message, at);
    const result = page.page_receive(message.length, index * 16);
    if ((message[0] & 0xf0) === RECORDS && result < 0) refused += 1;
  }
  return { page, refused };
}

const decoder = new TextDecoder();

test("two worlds that differ at one tick are kept whole", async () => {
  const told = await messages();
  // A record in which nothing happens: now gravity is another one by the smallest step.
  const empty = told.findIndex((message) => message.length === 1 && message[0] === RECORDS);
  told[empty] = Uint8Array.of(RECORDS | 1, 0xe4);
  const { page, refused } = await follow(told);
  assert.equal(refused, 1, "the hash of another world is said once");
  const tick = new DataView(told[told.length - 1].buffer).getUint32(1, true);
  const { mine, servers, ...rest } = readDivergence(page, decoder);
  assert.deepEqual(rest, { tick, difference: "gravity" });
  for (const world of [mine, servers]) assert.deepEqual([...world.slice(2, 4)], PIT);
  assert.notDeepEqual(mine, servers);
  // They are what a pit can be restored from, the server's and another one.
  const bench = await load(".build-wasm/bench.wasm");
  const hashes = [servers, mine].map((world) => {
    const room = bench.pit_room(world.length) >>> 0;
    new Uint8Array(bench.memory.buffer).set(world, room);
    assert.equal(bench.pit_restore(world.length), 1);
    return bench.pit_run(0);
  });
  const snapshot = told[told.length - 1].subarray(1);
  const room = page.page_input(snapshot.length) >>> 0;
  new Uint8Array(page.memory.buffer).set(snapshot, room);
  assert.equal(page.log_begin(snapshot.length), 1);
  assert.equal(page.log_state_hash(), hashes[0]);
  assert.notEqual(hashes[1], hashes[0]);
  // They outlive the connection, and are copies.
  page.page_reset();
  const again = readDivergence(page, decoder);
  assert.deepEqual([again.mine, again.servers], [mine, servers]);
});

test("without two worlds of one tick there is nothing to save", async () => {
  const told = await messages();
  const right = await follow(told);
  assert.deepEqual([right.refused, readDivergence(right.page, decoder)], [0, null]);
  // A record that is missing makes another world, too, but of another tick.
  const empty = told.findIndex((message) => message.length === 1 && message[0] === RECORDS);
  const wrong = await follow(told.toSpliced(empty, 1));
  assert.deepEqual([wrong.refused, readDivergence(wrong.page, decoder)], [1, null]);
});

const divergence = () => ({
  tick: 480, difference: "spin", mine: Uint8Array.of(1, 2), servers: Uint8Array.of(1, 3),
});

test("the button saves a file for each world", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  saveButton(() => null).click();
  context.mock.timers.tick(1000);
  assert.deepEqual(saved, []);
  const button = saveButton(divergence);
  assert.equal(button.textContent, "Save both worlds");
  button.click();
  assert.equal(saved.length, 1, "the other one a little later");
  context.mock.timers.tick(1000);
  assert.deepEqual(saved.map(({ name }) => name), ["pit-480-page.bin", "pit-480-server.bin"]);
  const contents = await Promise.all(saved.map(({ blob }) => blob.arrayBuffer()));
  assert.deepEqual(contents.map((bytes) => [...new Uint8Array(bytes)]), [[1, 2], [1, 3]]);
});

test("the panel has the button once there are worlds to save, and asks for them seldom", async () => {
  /** @type {any[]} */ const added = [];
  const element = { hidden: false, textContent: "", append: (/** @type {any} */ one) => added.push(one) };
  const decoding = { frames: 0, milliseconds: 0 };
  const panel = new DebugPanel(element, { decoding, keyframeRequests: 0, state: "online", lastClose: "" });
  let [now, asked] = [0, 0];
  /** @type {any} */ let found = null;
  const show = async (/** @type {string} */ difference) => {
    panel.frame((now += 500), {
      link: { tick: 9, roundTrip: 0, frames: 0, keyframes: 0 },
      following: {
        ahead: 3, most: 8, inputDelay: 0, rollbacks: 0, replayed: 0, corrections: 0, hashes: 1,
        diverged: 1, largestCorrection: 0, recentCorrection: 0, lateTicks: 0, bytes: 0, cost: 0,
        difference,
      },
      get divergence() {
        asked += 1;
        return found;
      },
    }, { count: 1, drawCalls: 1 });
    await new Promise((done) => setImmediate(done));
  };
  for (let round = 0; round < 3; round += 1) await show("");
  assert.deepEqual([added.length, asked], [0, 1]);
  await show("records are missing");
  assert.deepEqual([added.length, asked], [0, 2]);
  found = divergence();
  for (let round = 0; round < 3; round += 1) await show("spin, seen in tick 480");
  assert.deepEqual([added.length, asked], [1, 3]);
});
