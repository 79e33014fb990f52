// @ts-check
// A page in WebAssembly takes part in a log: it is called as a native page was that played in a fleet
// against the server, and must answer the same. So it aims its own commands at the same ticks, rolls
// back in the same pictures, shows the same stickers to the bit, and finds every hash equal.
// Tests/ServerTests/Fleet/PageTape.swift says how a tape is read.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load, root } from "./module.mjs";

/** Bytes of a sticker's instance, and how many numbers of how following goes are heard. */
const INSTANCE = 40;
const NUMBERS = 16;
/** Of the pictures in a tape's second half, when lists have grown, so many ask for memory at most: those
 * with a notice, a receipt, a new sticker or somebody's words. */
const MOST_ALLOCATING = 0.25;
/** Which of them is the milliseconds that a tick takes, and what the taped device tells. */
const COST = 15;
const TAPED_COST = 1.3;

/** The module, and everything that it has answered since the last hash. */
class Listener {
  #page;
  #hash = createHash("sha256");
  /** How often the module had asked for memory after each picture. @type {number[]} */
  #allocations = [];

  /** @param {any} page the module's exports */
  constructor(page) {
    this.#page = page;
  }

  /** @param {number} address @param {number} length */
  #bytes(address, length) {
    return new Uint8Array(this.#page.memory.buffer, address >>> 0, length);
  }

  /** @param {Uint8Array} bytes */
  #put(bytes) {
    const address = this.#page.page_input(bytes.length);
    assert.notEqual(address, 0);
    this.#bytes(address, bytes.length).set(bytes);
  }

  /** Hears what the module wrote for the server. @param {number} length */
  #sent(length) {
    this.#hash.update(this.#bytes(this.#page.page_output(), length));
  }

  /** Does what a line says. @param {string} name @param {string} rest @param {number} now */
  call(name, rest, now) {
    const page = this.#page;
    const numbers = rest.split(" ").map(Number);
    switch (name) {
      case "hello":
        page.page_reset();
        return this.#sent(page.page_hello(60, 0, numbers[0], now));
      case "m": {
        const message = Buffer.from(rest, "base64");
        this.#put(message);
        this.#hash.update(Uint8Array.of(page.page_receive(message.length, now)));
        return page.page_events_clear();
      }
      case "clock": return this.#sent(page.page_clock(now));
      case "recover": return this.#hash.update(Uint8Array.of(page.page_recovery_step(now)));
      case "spent": return this.#hash.update(Uint8Array.of(page.page_spent(numbers[0], now)));
      case "stream": return this.#sent(page.page_stream(60, 0, numbers[0]));
      case "tilt": return this.#sent(page.page_tilt(...numbers));
      case "drop": return this.#sent(page.page_drop(...numbers));
      case "throw": return this.#sent(page.page_throw(...numbers));
      case "grab": return this.#sent(page.page_grab(...numbers));
      case "move": return this.#sent(page.page_move(...numbers));
      case "release": return this.#sent(page.page_release(...numbers));
      case "snap": return this.#sent(page.page_snap(...numbers));
      case "say": {
        const words = new TextEncoder().encode(rest);
        this.#put(words);
        return this.#sent(page.page_say(words.length));
      }
      default: assert.fail(`no such call: ${name}`);
    }
  }

  /** @param {number} now */
  sample(now) {
    const count = this.#page.page_sample(now);
    this.#hash.update(this.#bytes(this.#page.page_instances(), count * INSTANCE));
    this.#allocations.push(this.#page.module_allocations());
  }

  /** Which part of the pictures in the second half asked for memory. */
  get allocating() {
    const late = this.#allocations.slice(this.#allocations.length / 2);
    return late.filter((count, index) => index > 0 && count !== late[index - 1]).length / late.length;
  }

  /** How following goes, in numbers; none with the state stream. */
  get following() {
    const address = this.#page.page_following();
    return address === 0 ? [] : [...new Float64Array(this.#page.memory.buffer, address, NUMBERS)];
  }

  /** The hash of everything heard, and then nothing is. */
  takeHash() {
    this.#hash.update(new Uint8Array(Float64Array.from(this.following).buffer));
    const hex = this.#hash.digest("hex").slice(0, 16);
    this.#hash = createHash("sha256");
    return hex;
  }
}

for (const scene of [0, 1, 2, 3, 4]) {
  test(`a page in WebAssembly plays in scene ${scene} as the native one did`, async () => {
    const listener = new Listener(await load("web/pit.wasm"));
    const file = new URL(`Tests/ServerTests/Golden/tape-${scene}.txt`, root);
    const [head, ...lines] = (await readFile(file, "utf8")).trimEnd().split("\n");
    const [first, interval, pictures] = head.split(" ").map(Number);
    let [shown, now] = [0, 0];
    /** Makes the pictures that are due up to a time. @param {number} time */
    const show = (time) => {
      for (; shown < pictures && first + shown * interval <= time; shown += 1) {
        listener.sample((first + shown * interval) / 1e6);
      }
    };
    let [hashes, cost] = [0, 0];
    for (const line of lines) {
      const [wait, name] = line.split(" ", 2);
      const rest = line.slice(wait.length + name.length + 2);
      if (wait === "=") {
        show(first + (Number(name) - 1) * interval);
        assert.equal(shown, Number(name));
        assert.equal(listener.takeHash(), rest, `everything up to picture ${name}`);
        hashes += 1;
        cost = Math.max(cost, listener.following[COST] ?? 0);
      } else {
        now += Number(wait);
        show(now);
        listener.call(name, rest, now / 1e6);
      }
    }
    assert.ok(hashes >= 5);
    // So slow a device spreads a rollback over pictures: GoldenTapeTests counts that it did.
    assert.ok(Math.abs(cost - TAPED_COST) < 1e-6, `a tick takes ${cost} ms`);
    const [, , , , rollbacks, , , , , , equal, wrong] = listener.following;
    assert.ok(rollbacks > 5, `${rollbacks} rollbacks`);
    assert.ok(equal > 3, `${equal} hashes were equal`);
    assert.equal(wrong, 0, "and none was not");
    assert.ok(listener.allocating < MOST_ALLOCATING, `${listener.allocating} of the pictures allocate`);
  });
}
