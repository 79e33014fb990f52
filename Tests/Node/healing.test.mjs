// @ts-check
// A world in WebAssembly of which one bit is wrong: it goes on with a log, the next hash tells that it
// is not the server's, and a snapshot makes it right again. The logs are what pages were told on the
// tapes that `tape.test.mjs` plays. Tests/ServerTests/HealingTests.swift has the same natively.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load, root } from "./module.mjs";

/** Types of messages: a snapshot, and the high half of the first byte of records. */
const SNAPSHOT = 0x8a;
const RECORDS = 0x90;
/** What `follow_records` says of a world that is another one than it was. */
const DIVERGED = -2;
/** Words that are made wrong, one after the other, each in a world of its own. */
const FAULTS = 12;
/** Words that are tried from a place on, until one may be another one in a pit. */
const TRIES = 64;
/** For how many ticks of the log it may go on: among them is one with a hash. */
const TICKS_BROKEN = 40;

/** @typedef {{ snapshot: Uint8Array, records: Uint8Array[] }} Log */

/** Somebody who follows a log in the module. */
class Follower {
  #bench;

  /** @param {any} bench the module's exports */
  constructor(bench) {
    this.#bench = bench;
  }

  /** @param {Uint8Array} bytes @returns {number} how many */
  #put(bytes) {
    const room = this.#bench.pit_room(bytes.length) >>> 0;
    new Uint8Array(this.#bench.memory.buffer).set(bytes, room);
    return bytes.length;
  }

  /** @param {number} count @returns {Uint8Array} a copy of the room's first bytes */
  #taken(count) {
    assert.ok(count > 0);
    return new Uint8Array(this.#bench.memory.buffer, this.#bench.pit_room(count) >>> 0, count).slice();
  }

  get tick() {
    return this.#bench.follow_tick() >>> 0;
  }

  get hash() {
    return BigInt.asUintN(64, this.#bench.follow_hash());
  }

  /** @param {Uint8Array} snapshot */
  begin(snapshot) {
    assert.equal(this.#bench.follow_begin(this.#put(snapshot)), 1);
  }

  /** @param {Uint8Array} records @returns {number} how many, or what is wrong */
  follow(records) {
    return this.#bench.follow_records(this.#put(records));
  }

  save() {
    return this.#taken(this.#bench.follow_save());
  }

  pack() {
    return this.#taken(this.#bench.follow_pack());
  }

  /** @param {Uint8Array} pit @returns {boolean} whether it is one, of the same tick */
  exchange(pit) {
    return this.#bench.follow_exchange(this.#put(pit)) === 1;
  }
}

/**
 * The longest piece of the log that a page was told on a tape: a snapshot, and the messages of records
 * up to the next one. A connection that takes up where the last one ended goes on with it.
 * @param {number} scene
 * @returns {Promise<Log>}
 */
async function longestLog(scene) {
  const file = new URL(`Tests/ServerTests/Golden/tape-${scene}.txt`, root);
  /** @type {Log[]} */ const logs = [];
  for (const line of (await readFile(file, "utf8")).split("\n")) {
    const [, name, content] = line.split(" ");
    if (name !== "m") continue;
    const message = new Uint8Array(Buffer.from(content, "base64"));
    if (message[0] === SNAPSHOT) logs.push({ snapshot: message.slice(1), records: [] });
    else if ((message[0] & 0xf0) === RECORDS) logs.at(-1)?.records.push(message);
  }
  logs.sort((a, b) => b.records.length - a.records.length);
  return logs[0];
}

/**
 * What is right: the tick and the world's hash after each message, and the world as it was after two of
 * them: when it is made wrong, and when somebody is healed.
 * @param {Follower} follower
 * @param {Log} log
 */
function rightRun(follower, log) {
  follower.begin(log.snapshot);
  const first = follower.tick;
  const after = log.records.map((records) => {
    assert.ok(follower.follow(records) > 0);
    return { ticks: (follower.tick - first) >>> 0, hash: follower.hash };
  });
  const all = after[after.length - 1].ticks;
  const broken = after.findIndex(({ ticks }) => 4 * ticks >= all);
  const until = after[broken].ticks + TICKS_BROKEN;
  const healed = after.findIndex(({ ticks }, index) => index > broken && ticks >= until);
  assert.ok(healed > broken, `of ${all} ticks ${TICKS_BROKEN} come after the one that is made wrong`);
  // A second time for the worlds, which nobody has to pack after each message.
  follower.begin(log.snapshot);
  for (const records of log.records.slice(0, broken + 1)) follower.follow(records);
  const [packed, saved] = [follower.pack(), follower.save()];
  for (const records of log.records.slice(broken + 1, healed + 1)) follower.follow(records);
  assert.equal(follower.hash, after[healed].hash);
  return { after, broken, healed, packed, saved, healing: follower.pack() };
}

/**
 * Flips the lowest bit of a word of the world: of the first one from a place on of which the pit that
 * comes of it can be restored.
 * @param {Follower} follower
 * @param {Uint8Array} saved
 * @param {number} place the word's number
 * @returns {boolean} whether there is one
 */
function breakWorld(follower, saved, place) {
  const right = follower.hash;
  for (let word = place; word < place + TRIES && 4 * word < saved.length; word += 1) {
    const bytes = saved.slice();
    bytes[4 * word] ^= 1;
    // Some words mean nothing beside others: where no tick is remembered, which one.
    if (follower.exchange(bytes) && follower.hash !== right) return true;
  }
  return false;
}

for (const scene of [0, 1, 2, 3, 4]) {
  test(`a wrong world in WebAssembly is told and healed, scene ${scene}`, async () => {
    const follower = new Follower(await load(".build-wasm/bench.wasm"));
    const log = await longestLog(scene);
    const right = rightRun(follower, log);
    const { after, broken, healed } = right;
    let told = 0;
    for (let fault = 0; fault < FAULTS; fault += 1) {
      follower.begin(right.packed);
      assert.equal(follower.hash, after[broken].hash, "nothing is lost where a world is packed");
      const place = Math.floor((right.saved.length / 4) * ((fault + 0.5) / FAULTS));
      if (!breakWorld(follower, right.saved, place)) continue;
      const news = log.records.slice(broken + 1, healed + 1);
      const isTold = news.some((records) => {
        const answer = follower.follow(records);
        assert.ok(answer > 0 || answer === DIVERGED, `${answer} is neither records nor a difference`);
        return answer === DIVERGED;
      });
      if (!isTold) {
        // What nobody tells of is no difference any more: the value was never used again, say.
        assert.equal(follower.hash, after[healed].hash, `word ${place} or behind it`);
        continue;
      }
      told += 1;
      follower.begin(right.healing);
      assert.equal(follower.hash, after[healed].hash);
      for (let next = healed + 1; next < log.records.length; next += 1) {
        assert.ok(follower.follow(log.records[next]) > 0);
        assert.equal(follower.hash, after[next].hash, "it stays the right one");
      }
    }
    assert.ok(told >= 3, `${told} of ${FAULTS} wrong worlds were told of`);
  });
}
