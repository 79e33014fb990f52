// @ts-check
// web/pit.wasm under node: every export is called; golden messages go in and come out.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { bytes, json, load } from "./module.mjs";

const FLOATS = 10;

/** @type {any} */ let golden;
/** @type {any} */ let page;

before(async () => {
  golden = await json("Tests/WireTests/Golden/messages.json");
});

const fresh = async () => (page = await load("web/pit.wasm"));

/** @param {Uint8Array} message @param {number} now */
function receive(message, now = 0) {
  const address = page.page_input(message.length);
  assert.notEqual(address, 0);
  new Uint8Array(page.memory.buffer).set(message, address);
  return page.page_receive(message.length, now);
}

/** @param {number} length */
const sent = (length) =>
  new Uint8Array(page.memory.buffer).slice(page.page_output(), page.page_output() + length);

/** @param {number} address @param {number} length */
const text = (address, length) =>
  new TextDecoder().decode(new Uint8Array(page.memory.buffer).slice(address, address + length));

/** @param {number} now */
function sample(now) {
  const count = page.page_sample(now);
  const floats = new Float32Array(page.memory.buffer, page.page_instances(), count * FLOATS);
  return Array.from({ length: count }, (_, index) => {
    const [x, y, cosine, sine, width, height, kind, age, slot, holder] =
      floats.slice(index * FLOATS, (index + 1) * FLOATS);
    return { x, y, cosine, sine, width, height, kind, age, slot, holder };
  });
}

test("a page that heard nothing shows nothing", async () => {
  await fresh();
  assert.equal(page.page_sample(5), 0);
  const silent =
    /^page_(people|scene|event_c|boundary_c|rod_c|world|gravity_x|client|frames|keyframes|skipped|gaps|tick$|quality)/;
  const unknown = /^page_(round|delay|jitter|notice|colour$|name_l)/;
  for (const name of Object.keys(page)) {
    if (!silent.test(name) && !unknown.test(name)) continue;
    assert.equal(page[name](), 0, name);
  }
  assert.equal(page.page_take_effects(), 0);
  assert.notEqual(page.page_effects(), 0);
  assert.deepEqual([page.page_wear(1), page.page_wear(-1), page.page_ticks_to_opening()], [0, 0, -1]);
  assert.equal(page.page_person_id(0), -1);
  assert.equal(page.page_person_name(0), 0);
  assert.equal(page.page_person_name_length(-1), 0);
  assert.equal(page.page_person_colour(99), 0);
});

test("the welcome says who and where", async () => {
  await fresh();
  assert.equal(receive(bytes(golden.welcome)), 0x81);
  assert.equal(page.page_client_id(), 7);
  assert.equal(page.page_colour(), 0xff8040);
  assert.equal(text(page.page_name(), page.page_name_length()), "Fox");
  assert.equal(page.page_world_width(), 720);
  assert.equal(page.page_world_height(), 960);
  const token = new Uint8Array(page.memory.buffer, page.page_token(), 16);
  assert.deepEqual([...token], Array.from({ length: 16 }, (_, index) => index));
});

test("the welcome names the set of the stickers, until the next connection", async () => {
  await fresh();
  receive(bytes(golden.welcome));
  assert.equal(page.page_sticker_set(), 0n);
  page.page_reset();
  receive(bytes(golden["welcome to a set"]));
  assert.equal(page.page_sticker_set(), 0x0123456789abcdefn);
  page.page_reset();
  assert.equal(page.page_sticker_set(), 0n);
});

test("what the host has decided is told until the next connection", async () => {
  await fresh();
  receive(bytes(golden.welcome));
  assert.deepEqual([page.page_host_flags(), page.page_announcement_length()], [0, 0]);
  assert.equal(receive(bytes(golden.host)), 0x87);
  assert.equal(page.page_host_flags(), 3);
  assert.equal(text(page.page_announcement(), page.page_announcement_length()), "Pause ☕");
  receive(bytes(golden.renamed));
  assert.equal(text(page.page_name(), page.page_name_length()), "Büffel");
  assert.equal(page.page_colour(), 0x2060c0);
  page.page_reset();
  assert.deepEqual([page.page_host_flags(), page.page_announcement_length()], [0, 0]);
});

test("whose pit it is is told until the next connection", async () => {
  await fresh();
  receive(bytes(golden.welcome));
  const name = () => text(page.page_captain_name(), page.page_captain_name_length());
  assert.deepEqual([page.page_captain(), page.page_captain_ticks(), name()], [-2, 0, ""]);
  receive(bytes(golden["nobody tilts"]));
  assert.equal(page.page_captain(), -1);
  receive(bytes(golden["a captain"]));
  assert.deepEqual([page.page_captain(), page.page_captain_ticks(), name()], [7, 600, "Fox"]);
  assert.equal(page.page_captain_colour(), 0xff8040);
  page.page_reset();
  assert.equal(page.page_captain(), -2);
});

test("how people tilt is told until the next connection", async () => {
  await fresh();
  receive(bytes(golden.welcome));
  const told = () => Array.from({ length: page.page_tilts() }, (_, index) =>
    [page.page_tilt_person(index), page.page_tilt_x(index), page.page_tilt_y(index)]);
  assert.deepEqual(told(), []);
  receive(bytes(golden["two tilts"]));
  assert.deepEqual(told(), [[2, 1, 0], [7, -45 / 64, -45 / 64]]);
  for (const index of [-1, 2]) {
    assert.deepEqual([page.page_tilt_person(index), page.page_tilt_x(index)], [-1, 0]);
  }
  page.page_reset();
  assert.deepEqual(told(), []);
});

test("what the page says are the golden bytes", async () => {
  await fresh();
  assert.deepEqual(sent(page.page_hello(60, 0, 0, 0)), bytes(golden.hello));
  assert.deepEqual(sent(page.page_hello(60, 0, 3, 0)), bytes(golden["hello of a watcher"]));
  assert.deepEqual(sent(page.page_stream(20, 1, 1)), bytes(golden.stream));
  assert.deepEqual(sent(page.page_tilt(0.25, -1)), bytes(golden.tilt));
  assert.deepEqual(sent(page.page_drop(3, 360, 10)), bytes(golden.drop));
  assert.deepEqual(sent(page.page_throw(360, 480, 600, -1200)), bytes(golden.throw));
  const stamp = 0x01020304 / 1000;
  assert.deepEqual(sent(page.page_clock(stamp)), bytes(golden.clock));
  assert.deepEqual(sent(page.page_tilt(NaN, 9)), Uint8Array.of(2, 0, 0, 0xff, 0x7f));
});

/** A golden message for the other stream. @param {string} name */
const forLog = (name) => bytes(golden[name]).with(3, 1);

test("who asks for the log follows it from the welcome on", async () => {
  await fresh();
  assert.deepEqual(sent(page.page_hello(60, 0, 1, 0)), forLog("hello"));
  assert.equal(page.page_is_following(), 0, "nobody has welcomed it");
  assert.equal(page.page_following(), 0);
  receive(bytes(golden.welcome));
  assert.equal(page.page_is_following(), 1);
  const numbers = new Float64Array(page.memory.buffer, page.page_following(), 17);
  assert.deepEqual([...numbers.slice(4, 13)], Array(9).fill(0));
  assert.ok(numbers[13] > 1e6, "its world was never wrong");
  page.page_reset();
  assert.equal(page.page_is_following(), 0);
  assert.deepEqual(sent(page.page_hello(20, 1, 1, 0)), forLog("hello again"), "no world is known");
});

test("without a world nothing is shown, foretold or aimed", async () => {
  await fresh();
  page.page_hello(60, 0, 1, 0);
  receive(bytes(golden.welcome));
  // An empty tick: somebody else's, or of before the snapshot.
  assert.equal(receive(Uint8Array.of(0x90), 10), 0x90);
  assert.deepEqual([sample(20).length, page.page_tick(), page.page_frames()], [0, 0, 0]);
  assert.deepEqual(sent(page.page_drop(3, 360, 10)), bytes(golden.drop));
  assert.deepEqual(sent(page.page_throw(360, 480, 600, -1200)), bytes(golden.throw));
  assert.deepEqual(sent(page.page_tilt(0.25, -1)), bytes(golden.tilt));
  assert.equal(page.page_grab(4, 556.25, 256.25), 0, "no such sticker");
  assert.equal(page.page_spent(1e9, 30), 0, "and costs nothing");
});

test("a snapshot that is none is asked for again", async () => {
  await fresh();
  page.page_hello(60, 0, 1, 0);
  receive(bytes(golden.welcome));
  const snapshot = new Uint8Array(500).with(0, 0x8a);
  assert.ok(receive(snapshot, 100) < 0);
  assert.equal(page.page_recovery_step(100), 1);
  assert.equal(page.page_recovery_step(101), 0, "once");
  assert.equal(page.page_is_following(), 1);
});

test("a page that follows changes to states and back", async () => {
  await fresh();
  page.page_hello(60, 1, 1, 0);
  receive(bytes(golden.welcome));
  assert.deepEqual(sent(page.page_stream(20, 1, 0)), bytes(golden.stream).with(1, 0));
  assert.deepEqual([page.page_is_following(), page.page_following()], [0, 0]);
  assert.equal(receive(Uint8Array.of(0x90), 10), 0x90, "it was on its way");
  assert.equal(receive(new Uint8Array(500).with(0, 0x8a), 10), 0x8a, "and so was this");
  assert.equal(receive(bytes(golden.keyframe), 20), 0x82);
  assert.equal(sample(20).length, 3);
  assert.deepEqual(sent(page.page_stream(20, 1, 1)), bytes(golden.stream));
  assert.equal(page.page_is_following(), 1);
});

test("points of a tall world are in quarters", async () => {
  await fresh();
  const welcome = bytes(golden.welcome);
  // Width and height stand behind the name of three letters, the token, the tick and its rate.
  new DataView(welcome.buffer, welcome.byteOffset).setUint16(9 + 3 + 16 + 4 + 1 + 2, 4096, true);
  assert.equal(receive(welcome), 0x81);
  assert.equal(page.page_world_height(), 4096);
  assert.deepEqual(sent(page.page_drop(3, 360, 4090)), Uint8Array.of(3, 3, 0xa0, 5, 0xe8, 0x3f));
});

test("everybody's colour is known by the number", async () => {
  await fresh();
  // As PROTOCOL.md counts: 949 mod 1536 = 3 × 256 + 181, so (0, 74, 255) before it is softened.
  assert.equal(page.page_colour_of(1), (48 << 16) | (94 << 8) | 207);
  assert.notEqual(page.page_colour_of(2), page.page_colour_of(3));
  assert.equal(page.page_colour_of(-1), page.page_colour_of(0));
});

test("the token is kept over a reset and goes into the next hello", async () => {
  await fresh();
  receive(bytes(golden.welcome));
  page.page_reset();
  assert.equal(page.page_client_id(), 0);
  assert.deepEqual(sent(page.page_hello(20, 1, 0, 0)), bytes(golden["hello again"]));
  const address = page.page_input(16);
  new Uint8Array(page.memory.buffer).set(new Uint8Array(16).fill(9), address);
  page.page_set_token_from_input();
  assert.deepEqual([...sent(page.page_hello(60, 0, 0, 0)).slice(6)], Array(16).fill(9));
});

test("a receipt changes nothing that is shown", async () => {
  await fresh();
  assert.equal(receive(bytes(golden.receipt)), 0x89);
  assert.equal(page.page_event_count(), 0);
  assert.equal(page.page_notice_code(), 0);
});

test("people and notices are listed", async () => {
  await fresh();
  assert.equal(receive(bytes(golden.people)), 0x87);
  assert.equal(page.page_people_count(), 2);
  assert.equal(page.page_people_listed(), 2);
  assert.equal(page.page_person_id(1), 2);
  assert.equal(page.page_person_colour(1), 0x2060c0);
  assert.equal(text(page.page_person_name(1), page.page_person_name_length(1)), "Büffel");
  assert.equal(receive(bytes(golden.message)), 0x87);
  assert.equal(page.page_notice_code(), 1);
});

test("golden frames become stickers", async () => {
  await fresh();
  assert.equal(receive(bytes(golden.state), 1000), -5, "no keyframe yet");
  assert.equal(receive(bytes(golden.keyframe), 1000), 0x82);
  const [first, second, third] = sample(1000);
  assert.equal(first.x, 360);
  assert.equal(first.y, 50);
  assert.equal(first.cosine, 1);
  assert.equal(first.width, 40);
  assert.ok(first.age > 100, "it was there before us");
  assert.equal(second.kind, 3);
  assert.ok(Math.abs(third.sine - 1) < 1e-6, "a quarter turn");
  assert.equal(receive(bytes(golden.state), 1016), 0xc0 + (1001 % 64));
  assert.ok(Math.abs(page.page_gravity_x() - 0.5) < 1e-4);
  assert.equal(receive(bytes(golden["state 2"]), 1033), 0xc0 + (1002 % 64));
  assert.equal(page.page_tick(), 1002);
  assert.equal(page.page_frames(), 3);
  assert.equal(page.page_keyframes(), 1);
  assert.equal(page.page_gaps(), 1);
  assert.equal(page.page_skipped(), 0);
  assert.equal(receive(bytes(golden["state 2"]), 1050), -4, "a gap");
  for (let now = 1040; now < 2000; now += 16) sample(now);
  const last = sample(2000);
  assert.equal(last.length, 3);
  assert.ok(last[1].age < 1, "it came while we watched");
  assert.equal(last[2].x, 556.25);
});

test("scenery is told as it is drawn", async () => {
  await fresh();
  for (const name of ["keyframe", "state", "state 2"]) receive(bytes(golden[name]), 0);
  for (let now = 0; now < 1000; now += 16) sample(now);
  const [, , held] = sample(1000);
  assert.equal(held.slot, 4);
  assert.equal(held.holder, 7);
  assert.equal(sample(1000)[1].holder, -1);
  assert.equal(page.page_boundary_count(), 1);
  const floats = (/** @type {number} */ at, /** @type {number} */ count) =>
    [...new Float32Array(page.memory.buffer, at, count)];
  assert.deepEqual(floats(page.page_boundaries(), 5), [1, 100, 200, 300, 210]);
  assert.equal(page.page_rod_count(), 1);
  const [anchorX, anchorY, x, y] = floats(page.page_rods(), 4);
  assert.deepEqual([anchorX, anchorY], [550, 125]);
  assert.ok(Math.abs(x - (held.x - 10 * held.cosine - 5 * held.sine)) < 1e-3);
  assert.ok(Math.abs(y - (held.y - 10 * held.sine + 5 * held.cosine)) < 1e-3);
});

test("what is round is told by kind", async () => {
  await fresh();
  const corners = (/** @type {number[]} */ ...kinds) => kinds.map((kind) => page.page_corner(kind));
  assert.deepEqual(corners(0, 2, 14, 18), [1, 1, 1, 1]);
  assert.deepEqual(corners(1, 3, 15, 17, 19), [0.2, 0.2, 0.2, 0.09, 0.2].map(Math.fround));
  assert.ok(Math.abs(page.page_corner(16) - 12 / 86) < 1e-6, "the card's 12 of 172 points");
});

test("hands and words are the golden bytes", async () => {
  await fresh();
  assert.equal(page.page_scene(), 0);
  assert.equal(page.page_grab(4, 556.25, 256.25), 0, "nothing there yet");
  receive(bytes(golden.keyframe), 0);
  // Generation 0 in the keyframe, 1 in the golden bytes.
  const grab = bytes(golden.grab);
  grab[3] = 0;
  assert.deepEqual(sent(page.page_grab(4, 556.25, 256.25)), grab);
  const snap = bytes(golden.snap);
  snap[3] = 0;
  assert.deepEqual(sent(page.page_snap(4, 360, 480)), snap);
  assert.deepEqual(sent(page.page_move(4, 360, 480)), bytes(golden.move));
  assert.deepEqual(sent(page.page_release(4, 600, -1200)), bytes(golden.release));
  for (const slot of [-1, 3, 16384, 2 ** 31 - 1]) {
    assert.equal(page.page_grab(slot, 0, 0), 0);
    assert.equal(page.page_snap(slot, 0, 0), 0);
  }
  assert.equal(page.page_move(-1, 0, 0) + page.page_release(16384, 0, 0), 0);
  /** @param {Uint8Array} words */
  const say = (words) => {
    new Uint8Array(page.memory.buffer).set(words, page.page_input(words.length));
    return page.page_say(words.length);
  };
  assert.deepEqual(sent(say(new TextEncoder().encode("生日快乐!"))), bytes(golden.say));
  assert.equal(say(Uint8Array.of(0xff)), 0, "not UTF-8");
  assert.equal(say(new Uint8Array(65).fill(0x61)), 0, "too long");
  assert.equal(page.page_say(0), 0);
  assert.equal(page.page_say(-1), 0);
});

test("events wait until they are cleared", async () => {
  await fresh();
  assert.equal(page.page_event_count(), 0);
  assert.equal(receive(bytes(golden["rain events"])), 0x85);
  assert.equal(receive(bytes(golden["contact events"])), 0x85);
  assert.equal(receive(bytes(golden.refusal)), 0x85);
  const events = () => {
    const count = page.page_event_count();
    const numbers = new Int32Array(page.memory.buffer, page.page_events(), count * 6);
    return Array.from({ length: count }, (_, index) => [...numbers.slice(index * 6, index * 6 + 6)]);
  };
  assert.deepEqual(events(), [
    [4, 19, 7, 0, 0, 1002],
    [1, 0, 0, 0, 0, 1002],
    [2, 0, 0, 0, 0, 1002],
    [3, 0, 0, 0, 0, 1002],
    [5, 0, 0x8001, 800, 3200, 1002],
    [6, 0, 3, 2760, 480, 1002],
    [7, 4, 2, 0, 0, 1002],
  ]);
  page.page_events_clear();
  assert.equal(page.page_event_count(), 0);
  for (let index = 0; index < 1000; index += 1) receive(bytes(golden["rain events"]));
  assert.equal(page.page_event_count(), 256, "the oldest are gone");
  page.page_reset();
  assert.equal(page.page_event_count(), 0);
});

test("echoes give the round trip and the quality", async () => {
  await fresh();
  receive(bytes(golden.keyframe), 1000);
  sample(1000);
  const question = sent(page.page_clock(1000));
  const echo = bytes(golden["clock echo"]);
  echo.set(question.slice(1), 1);
  assert.equal(receive(echo, 1040), 0x86);
  assert.ok(Math.abs(page.page_round_trip_ms() - 40) < 0.01);
  assert.equal(page.page_quality(), 4);
  sample(9000);
  assert.equal(page.page_quality(), 0);
  assert.ok(page.page_delay_ms() > 0 && page.page_delay_ms() < 1000);
  assert.ok(page.page_jitter_ms() >= 0);
});

test("nonsense is refused, whatever it is", async () => {
  await fresh();
  assert.equal(page.page_input(-1), 0);
  assert.equal(page.page_input((1 << 20) + 1), 0);
  assert.equal(page.page_receive(99999999, 0), -1);
  assert.equal(receive(Uint8Array.of(0x42)), -3);
  assert.equal(receive(Uint8Array.of(0x81, 1)), -2);
  for (const name of Object.keys(golden)) {
    const message = bytes(golden[name]);
    for (let bit = 0; bit < message.length * 8; bit += 1) {
      const flipped = message.slice();
      flipped[bit >> 3] ^= 1 << (bit & 7);
      receive(flipped, bit);
      page.page_sample(bit);
    }
  }
  // The same bytes as the beginning of a log, and as its records.
  page.page_hello(60, 0, 1, 0);
  receive(bytes(golden.welcome));
  for (const name of Object.keys(golden)) {
    for (const type of [0x8a, 0x90, 0x92, 0x94, 0x9f]) {
      receive(bytes(golden[name]).with(0, type));
      receive(Uint8Array.of(type, ...bytes(golden[name])));
      page.page_sample(0);
    }
  }
  page.page_stream(60, 0, 0);
  for (const now of [NaN, Infinity, -Infinity, -1, 1e300]) {
    receive(bytes(golden.keyframe), now);
    page.page_sample(now);
    page.page_clock(now);
  }
});

test("a page that runs for days does not grow", async () => {
  await fresh();
  const messages = Object.keys(golden).filter((name) => bytes(golden[name])[0] > 0x80);
  const round = () => {
    page.page_reset();
    page.page_input(Math.floor(Math.random() * 10000));
    for (const name of messages) receive(bytes(golden[name]), 0);
    for (const name of ["keyframe", "state", "state 2"]) receive(bytes(golden[name]), 0);
    page.page_sample(20);
    page.page_hello(60, 1, 0, 0);
    page.page_drop(1, 2, 3);
  };
  for (let count = 0; count < 200; count += 1) round();
  const size = page.memory.buffer.byteLength;
  for (let count = 0; count < 20000; count += 1) round();
  assert.equal(page.memory.buffer.byteLength, size);
});
