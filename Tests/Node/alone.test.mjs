// @ts-check
// A page that plays alone: the module makes a world, runs it by the page's clock and does what is asked.
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { bytes, json, load } from "./module.mjs";

const FLOATS = 10;
/** Floats of an effect: its kind and person first, then the slots of a sticker and of what it met. */
const EFFECT_FLOATS = 11;
/** A picture at 60 Hz, ms. */
const PICTURE = 1000 / 60;

/** @type {any} */ let golden;
/** @type {any} */ let page;
let now = 0;

before(async () => {
  golden = await json("Tests/WireTests/Golden/messages.json");
});

beforeEach(async () => {
  page = await load("web/pit.wasm");
  now = 1000;
});

/** @param {Uint8Array} message */
function receive(message) {
  // The room for it may make the memory grow, which takes the old buffer away: ask for it first.
  const at = page.page_input(message.length);
  new Uint8Array(page.memory.buffer).set(message, at);
  return page.page_receive(message.length, now);
}

function sample() {
  const count = page.page_sample(now);
  const floats = new Float32Array(page.memory.buffer, page.page_instances(), count * FLOATS);
  return Array.from({ length: count }, (_, index) => {
    const [x, y, , , width, , kind, age, slot, holder] = floats.subarray(index * FLOATS);
    return { x, y, width, kind, age, slot, holder };
  });
}

/** @param {number} milliseconds */
function pass(milliseconds) {
  for (const end = now + milliseconds; now < end; now += PICTURE) page.page_run(now);
  return sample();
}

/** What follows from a seed and the same deeds. @param {number} seed */
async function story(seed) {
  page = await load("web/pit.wasm");
  now = 1000;
  assert.equal(page.page_play_alone(seed), 1);
  pass(500);
  page.page_drop(3, 360, 40);
  page.page_tilt(1, 0);
  return JSON.stringify(pass(1500));
}

test("without a server there is a pit of thirty, and somebody in it", () => {
  assert.equal(page.page_is_alone(), 0);
  assert.equal(page.page_play_alone(7), 1);
  assert.equal(page.page_is_alone(), 1);
  assert.deepEqual([page.page_scene(), page.page_client_id()], [0, 1]);
  assert.deepEqual([page.page_world_width(), page.page_world_height()], [720, 960]);
  const name = new Uint8Array(page.memory.buffer, page.page_name(), page.page_name_length());
  assert.equal(new TextDecoder().decode(name), "Solo");
  const first = pass(PICTURE);
  assert.equal(first.length, 30);
  assert.ok(first.every(({ age }) => age > 100), "they were there before");
  assert.ok(first.every(({ x, y }) => x > 0 && x < 720 && y > 0 && y < 960));
  const { length } = pass(3000);
  assert.equal(length, 30);
  assert.equal(page.page_play_alone(8), 1, "it goes on in the one that it has");
  assert.ok(page.page_tick() > 150);
});

test("the same seed and the same deeds make the same world, another one another", async () => {
  const one = await story(5);
  assert.equal(await story(5), one);
  assert.notEqual(await story(6), one);
});

test("time goes as the clock does, and not while nobody looks", () => {
  page.page_play_alone(1);
  pass(PICTURE);
  const before = page.page_tick();
  pass(2000);
  assert.ok(Math.abs(page.page_tick() - before - 120) <= 1);
  const { x, y } = sample()[0];
  now += 3_600_000;
  page.page_run(now);
  assert.ok(page.page_tick() - before <= 125, "an hour in a pocket is no time");
  assert.ok(Math.hypot(sample()[0].x - x, sample()[0].y - y) < 60);
  for (const odd of [NaN, -1, Infinity, now - 5000]) page.page_run(odd);
  assert.ok(page.page_tick() - before <= 130);
});

test("one drops, throws, tilts, holds and lets go, and sends", () => {
  page.page_play_alone(2);
  pass(2000);
  assert.ok(page.page_drop(3, 360, 40) > 0, "a message, which nobody is sent");
  const dropped = pass(100);
  assert.equal(dropped.length, 31);
  const young = dropped.filter(({ age }) => age < 1);
  assert.deepEqual(young.map(({ kind }) => kind), [3]);

  page.page_throw(young[0].x, young[0].y, 2000, 0);
  const thrown = pass(100).find(({ slot }) => slot === young[0].slot);
  assert.ok(/** @type {any} */ (thrown).x > young[0].x + 60);

  for (let turn = 0; turn < 10; turn += 1) {
    page.page_tilt(-1, 0);
    pass(100);
  }
  assert.ok(page.page_gravity_x() < -0.9);
  const mean = sample().reduce((sum, { x }) => sum + x, 0) / 31;
  assert.ok(mean < 300, `${mean}`);

  const { slot, x, y } = sample()[4];
  assert.ok(page.page_grab(slot, x, y) > 0);
  pass(50);
  page.page_move(slot, 500, 300);
  const at = () => /** @type {any} */ (sample().find((one) => one.slot === slot));
  pass(400);
  assert.equal(at().holder, 1);
  assert.ok(Math.hypot(at().x - 500, at().y - 300) < 40);
  page.page_release(slot, 0, -500);
  pass(50);
  assert.equal(at().holder, -1);

  page.page_snap(slot, 200, 200);
  pass(2100);
  assert.ok(page.page_grab(999, 0, 0) === 0, "no such sticker");
  assert.equal(page.page_say(1), 0, "words need a server");
  assert.equal(page.page_past_enter(), 0, "and nothing was recorded");
});

test("what one does and what it strikes is seen and heard, once", () => {
  page.page_play_alone(7);
  pass(3000);
  page.page_take_effects();
  page.page_drop(3, 360, 40);
  const effects = [];
  for (const end = now + 2000; now < end; now += PICTURE) {
    page.page_run(now);
    const count = page.page_take_effects();
    const floats = new Float32Array(page.memory.buffer, page.page_effects(), count * EFFECT_FLOATS);
    for (let at = 0; at < floats.length; at += EFFECT_FLOATS) {
      const [kind, person, slot, other, speed] = floats.subarray(at);
      effects.push({ kind, person, slot, other, speed });
    }
  }
  const drops = effects.filter(({ kind }) => kind === 1);
  assert.deepEqual(drops.map(({ person }) => person), [page.page_client_id()]);
  const blows = effects.filter(({ kind, slot, other }) => kind === 0 && [slot, other].includes(drops[0].slot));
  // It falls through most of the pit's 960 pt, at 1000 pt/s².
  assert.ok(Math.max(...blows.map(({ speed }) => speed)) > 500);
  assert.equal(page.page_take_effects(), 0);
});

test("a welcome ends it, and the connection's own numbers were not touched", async () => {
  page.page_hello(60, 1, 0, now);
  page.page_play_alone(3);
  pass(500);
  for (let count = 0; count < 9; count += 1) page.page_drop(1, 100 + 40 * count, 40);
  pass(500);
  page.page_reset();
  assert.equal(page.page_is_alone(), 1, "an attempt to connect is no server yet");
  assert.ok(pass(100).length > 30);
  receive(bytes(golden.welcome));
  assert.deepEqual([page.page_is_alone(), page.page_client_id()], [0, 7]);
  receive(bytes(golden.keyframe));
  assert.equal(sample().length, 3);
});

test("whoever was somewhere stays who they are, in the scene that they know", async () => {
  page.page_hello(60, 1, 0, now);
  receive(bytes(golden.welcome));
  receive(bytes(golden.keyframe));
  receive(bytes(golden.host));
  page.page_reset();
  page.page_play_alone(4);
  assert.deepEqual([page.page_client_id(), page.page_colour()], [7, 0xff8040]);
  assert.equal(page.page_host_flags(), 0, "no host is here");
  assert.equal(pass(100).length, 30, "positions alone are no world to go on with");
});

test("whoever followed the log goes on in its world", async () => {
  const [run] = await json("Tests/SimulationTests/Golden/joins.json");
  for (const isReset of [false, true]) {
    page = await load("web/pit.wasm");
    page.page_hello(60, 1, 1, now);
    receive(bytes(golden.welcome));
    receive(Uint8Array.of(0x8a, ...Buffer.from(run.snapshot, "base64")));
    pass(100);
    const known = sample();
    assert.ok(known.length > 0);
    if (isReset) page.page_reset();
    page.page_play_alone(1);
    page.page_run(now);
    const going = sample();
    assert.deepEqual(going.map(({ slot }) => slot), known.map(({ slot }) => slot));
    assert.ok(going.every(({ holder }) => holder === -1), "nobody else is here to let go");
    const tick = page.page_tick();
    pass(1000);
    assert.ok(page.page_tick() >= tick + 58);
  }
});
