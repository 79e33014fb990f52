// @ts-check
// The page's connection and its real module against a server of golden bytes: a frame that does not
// fit is mended on the same connection, and only what stays unmended is given up.
import assert from "node:assert/strict";
import { before, beforeEach, mock, test } from "node:test";
import { FakeSocket } from "./fakesocket.mjs";
import { bytes, json, load, scripts } from "./module.mjs";

/** @type {any} */ let golden;
/** @type {any[]} */ let stream;
/** @type {any} */ let Connection;
/** @type {any} */ let PageModule;
let now = 0;

before(async () => {
  golden = await json("Tests/WireTests/Golden/messages.json");
  ({ frames: stream } = await json("Tests/WireTests/Golden/streams/strict-skips.json"));
  Object.assign(globalThis, {
    WebSocket: FakeSocket,
    document: { visibilityState: "visible", documentElement: {}, addEventListener() {} },
    addEventListener() {},
  });
  mock.method(performance, "now", () => now);
  const script = await scripts();
  ({ Connection } = await script("connection/connection.js"));
  ({ PageModule } = await script("core/module.js"));
});

/** @type {any} */ let connection;
/** @type {any} */ let page;
/** How often the page was told that the device is too slow. */ let fallBacks = 0;
/** What else the page was told. @type {any[][]} */ let told = [];
/** @type {FakeSocket} */ let socket;

/** By then a lost connection is tried again: the longest first wait of `Backoff`, in ms. */
const SPREAD = 3000;

/** @param {number} milliseconds */
function pass(milliseconds) {
  for (let step = 0; step < milliseconds; step += 100) {
    now += 100;
    mock.timers.tick(100);
  }
}

/** Lets seconds pass in which the server is heard. @param {number} seconds */
function listen(seconds) {
  for (let second = 0; second < seconds; second += 1) {
    pass(1000);
    socket.receive(bytes(golden.people));
  }
}

/** A page that has joined. @param {number} kind of stream @param {boolean} insists
 * @param {boolean} isWatching */
async function join(kind, insists = false, isWatching = false) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  now = 0;
  FakeSocket.all = [];
  page = new PageModule(await load("web/pit.wasm"));
  fallBacks = 0;
  told = [];
  const listener = { happened() {}, fellBack: () => (fallBacks += 1) };
  for (const name of ["stateChanged", "welcomed", "peopleChanged", "noticed", "hostDecided", "renamed", "captainChanged", "tiltsChanged"]) {
    Object.assign(listener, { [name]: (/** @type {any} */ ...values) => told.push([name, ...values]) });
  }
  connection = new Connection(page, "ws://pit/ws", listener, kind, insists, isWatching);
  connection.start();
  [socket] = FakeSocket.all;
  socket.onopen();
  socket.receive(bytes(golden.welcome));
  assert.equal(connection.state, "online");
}

/** A world of the pit as the server sends it. */
async function snapshot() {
  const [run] = await json("Tests/SimulationTests/Golden/joins.json");
  return Uint8Array.of(0x8a, ...Buffer.from(run.snapshot, "base64"));
}

beforeEach(async () => {
  await join(0);
  for (const { bytes: frame } of stream.slice(0, 3)) socket.receive(bytes(frame));
});

/** A catch-up frame of the stream with its content turned over. @param {number} index */
const broken = (index) => bytes(stream[index].bytes).map((byte, at) => (at < 8 ? byte : ~byte));

/** A keyframe of the stream's end, and what follows it. */
const healing = () => {
  const keyframe = stream.findIndex((frame, index) => index > 0 && frame.keyframe);
  return stream.slice(keyframe).map((frame) => bytes(frame.bytes));
};

test("a corrupted frame heals without a new connection", () => {
  const { tick } = page;
  const shown = page.sample(now).length;
  assert.ok(shown > 0);
  socket.receive(broken(3));
  assert.equal(socket.requests, 1, "a keyframe is asked for");
  assert.deepEqual(socket.sent.at(-1), page.stream(60, 0));
  assert.equal(page.tick, tick, "the last world stays");
  assert.equal(page.sample(now).length, shown, "and is shown");
  for (let count = 0; count < 20; count += 1) socket.receive(bytes(stream[3].bytes));
  assert.equal(socket.requests, 1, "once");
  for (const frame of healing()) socket.receive(frame);
  assert.ok(page.tick > tick);
  assert.deepEqual([connection.state, FakeSocket.all.length], ["online", 1]);
  // All is forgotten: nothing is asked for later.
  for (let second = 0; second < 9; second += 1) {
    pass(1000);
    socket.receive(bytes(golden.people));
  }
  assert.deepEqual([connection.state, socket.requests], ["online", 1]);
});

test("without a keyframe it asks again, and connects anew in the end", () => {
  socket.receive(broken(3));
  const later = [];
  for (let second = 1; second <= 6 && connection.state === "online"; second += 1) {
    pass(1000);
    if (connection.state === "online") socket.receive(bytes(golden.people));
    later.push(socket.requests);
  }
  assert.deepEqual(later.slice(0, 4), [1, 2, 2, 3]);
  assert.equal(connection.state, "waiting");
  assert.equal(connection.lastClose, "no keyframe");
  assert.ok(socket.isClosed);
  pass(3000);
  assert.equal(FakeSocket.all.length, 2, "a new connection");
});

test("what is no frame and can't be read ends the connection", () => {
  socket.receive(Uint8Array.of(0x81, 3));
  assert.deepEqual([connection.state, socket.requests], ["waiting", 0]);
});

test("a device that is too slow asks for states, once, on the same connection", async () => {
  await join(1);
  const spent = mock.method(page, "spent", () => false);
  connection.spent(5, now);
  assert.deepEqual([fallBacks, socket.requests, page.following === null], [0, 0, false]);
  spent.mock.mockImplementation(() => true);
  connection.spent(5, now);
  assert.deepEqual([fallBacks, page.following], [1, null]);
  assert.deepEqual(socket.sent.at(-1), page.stream(60, 0));
  spent.mock.restore();
  connection.spent(5, now);
  for (const { bytes: frame } of stream.slice(0, 3)) socket.receive(bytes(frame));
  assert.deepEqual([fallBacks, socket.requests, FakeSocket.all.length], [1, 1, 1]);
  assert.ok(page.sample(now).length > 0);
});

test("a page that insists on the log keeps to it", async () => {
  await join(1, true);
  mock.method(page, "spent", () => true);
  connection.spent(5, now);
  assert.deepEqual([fallBacks, socket.requests, page.following === null], [0, 0, false]);
});

test("a server that does not offer the log is asked for states from then on", async () => {
  await join(1);
  socket.onclose({ code: 4001, reason: "" });
  assert.equal(connection.state, "waiting");
  pass(SPREAD);
  const [, second] = FakeSocket.all;
  second.onopen();
  assert.equal(second.sent[0][3], 0, "the kind in its hello");
  // Refused again, it gives up instead of asking for ever.
  second.onclose({ code: 4001, reason: "" });
  assert.equal(connection.state, "refused");
});

test("on a line that brings no world for long the page asks for positions", async () => {
  for (const insists of [false, true]) {
    await join(1, insists);
    for (let second = 0; second < 13 && connection.state === "online"; second += 1) {
      pass(1000);
      socket.receive(bytes(golden.people));
    }
    assert.equal(fallBacks, insists ? 0 : 1);
    assert.equal(connection.fellBack, !insists);
    assert.equal(socket.requests, insists ? 0 : 1);
  }
});

test("while it falls back the last picture stays", async () => {
  await join(1);
  socket.receive(await snapshot());
  assert.ok(connection.hasWorld && page.sample(now).length > 0);
  page.spent = () => true;
  connection.spent(1, now);
  assert.deepEqual([connection.hasWorld, connection.fellBack, fallBacks], [false, true, 1]);
  for (const { bytes: frame } of stream.slice(0, 1)) socket.receive(bytes(frame));
  assert.ok(connection.hasWorld, "a frame is a world");
});

/** The device turns out to be too slow. */
function fallBack() {
  const { spent } = page;
  page.spent = () => true;
  connection.spent(1, now);
  page.spent = spent;
  assert.deepEqual([connection.fellBack, connection.hasWorld], [true, false]);
}

test("a screen that fell back asks for the log again, more and more seldom", async () => {
  await join(1, false, true);
  const world = await snapshot();
  socket.receive(world);
  const minutes = [];
  for (let round = 0; round < 7; round += 1) {
    fallBack();
    socket.receive(world);
    assert.equal(connection.hasWorld, false, "a message of the log that was on its way is no picture");
    const since = now;
    socket.receive(bytes(stream[0].bytes));
    assert.ok(connection.hasWorld);
    while (connection.fellBack && now - since < 4_000_000) listen(1);
    minutes.push((now - since) / 60_000);
    assert.deepEqual(socket.sent.filter(([type]) => type === 0x0b).at(-1), page.stream(60, 1));
    socket.receive(bytes(stream[1].bytes));
    assert.equal(connection.hasWorld, false, "nor is a frame, now that it waits for the log");
    socket.receive(world);
    assert.ok(connection.hasWorld && page.following && page.sample(now).length > 0);
  }
  assert.deepEqual(minutes, [3, 6, 12, 24, 48, 60, 60]);
  assert.equal(FakeSocket.all.length, 1);
});

test("a screen that gets no world of the log then is told positions again", async () => {
  await join(1, false, true);
  fallBack();
  while (connection.fellBack && now < 200_000) listen(1);
  listen(11);
  assert.equal(connection.fellBack, false);
  listen(1);
  assert.deepEqual([connection.fellBack, fallBacks], [true, 2]);
});

test("a person's page that fell back asks for the log with a later connection", async () => {
  await join(1);
  fallBack();
  const kindOfNext = () => {
    loseLine();
    return comeAgain();
  };
  assert.equal(kindOfNext(), 0, "at once it would be too slow again");
  listen(200);
  assert.equal(socket.requests, 0, "nothing stands still under somebody's fingers");
  assert.equal(kindOfNext(), 1);
  assert.equal(connection.fellBack, false);
});

/** The line says nothing until the page gives it up. */
function fallSilent() {
  for (const since = now; connection.state === "online" && now - since < 10_000; ) pass(100);
  assert.equal(connection.lastClose, "silence");
}

/** The page comes back and is welcomed.
 * @returns {number} the kind of stream that its hello asks for */
function comeAgain() {
  pass(SPREAD);
  socket = /** @type {FakeSocket} */ (FakeSocket.all.at(-1));
  socket.onopen();
  socket.receive(bytes(golden.welcome));
  return socket.sent[0][3];
}

const loseLine = () => socket.onclose({ code: 1006, reason: "" });

test("a line that ends before it has brought a world of the log is told positions the next time", async () => {
  for (const end of [fallSilent, loseLine]) {
    await join(1);
    end();
    assert.deepEqual([connection.state, connection.fellBack, fallBacks], ["waiting", true, 1]);
    assert.equal(comeAgain(), 0);
    // Of positions nothing is shorter.
    end();
    assert.equal(fallBacks, 1);
    assert.equal(comeAgain(), 0);
  }
});

test("so it is when the page asks for the log again, and it waits for twice as long then", async () => {
  await join(1);
  fallSilent();
  assert.equal(comeAgain(), 0);
  listen(181);
  loseLine();
  assert.equal(comeAgain(), 1);
  fallSilent();
  assert.equal(fallBacks, 2);
  assert.equal(comeAgain(), 0);
  listen(181);
  loseLine();
  assert.equal(comeAgain(), 0);
  listen(181);
  loseLine();
  assert.equal(comeAgain(), 1);
});

test("a screen that asks for the log again on a silent line is told positions the next time", async () => {
  await join(1, false, true);
  fallBack();
  while (connection.fellBack && now < 200_000) listen(1);
  fallSilent();
  assert.deepEqual([comeAgain(), fallBacks], [2, 2]);
});

test("who insists on the log, or had a world of it, asks for it again", async () => {
  await join(1, true);
  fallSilent();
  assert.deepEqual([comeAgain(), fallBacks], [1, 0]);
  await join(1);
  socket.receive(await snapshot());
  fallSilent();
  assert.deepEqual([comeAgain(), fallBacks], [1, 0]);
});

test("the world outlives an attempt to come back that failed", async () => {
  await join(1);
  socket.receive(await snapshot());
  for (const attempt of [1, 2]) {
    socket.onclose({ code: 1006, reason: "" });
    pass(SPREAD);
    socket = /** @type {FakeSocket} */ (FakeSocket.all.at(-1));
    socket.onopen();
    assert.equal(socket.sent[0].length, 26, `attempt ${attempt} names the tick that it knows`);
  }
});

/** The server's farewell. @param {number} milliseconds */
const comeBack = (milliseconds) => Uint8Array.of(0x8b, milliseconds & 255, milliseconds >> 8);

test("a server that ends is left, and found again when it said so", async () => {
  const { token } = page;
  socket.receive(comeBack(4200));
  assert.deepEqual([connection.state, socket.isClosed], ["restarting", true]);
  assert.ok(page.sample(now).length > 0, "the last picture stays");
  pass(4100);
  assert.equal(FakeSocket.all.length, 1);
  pass(100);
  assert.equal(FakeSocket.all.length, 2);
  const [, second] = FakeSocket.all;
  second.onopen();
  assert.deepEqual(second.sent[0].slice(6, 22), token, "with the token");
  second.receive(bytes(golden.welcome));
  assert.equal(connection.state, "online");
  // Another end is told as the first one was.
  second.receive(comeBack(0));
  pass(100);
  assert.equal(FakeSocket.all.length, 3);
});

test("who finds nobody yet tries again, and more and more seldom", () => {
  socket.receive(comeBack(1000));
  const tries = [];
  for (let step = 0; step < 700; step += 1) {
    pass(100);
    const last = /** @type {FakeSocket} */ (FakeSocket.all.at(-1));
    if (FakeSocket.all.length === tries.length + 1 || last.isClosed) continue;
    tries.push(now);
    last.onclose({ code: 1006, reason: "" });
    assert.equal(connection.state, "restarting");
  }
  const waits = tries.slice(1).map((time, index) => time - tries[index]);
  assert.equal(tries[0], 1000);
  assert.ok(waits[0] >= 200 && waits[0] <= 600, `${waits}`);
  assert.ok(waits.every((wait) => wait <= 8100), "so all are back soon after it is");
  assert.ok(waits.slice(5).every((wait) => wait >= 3900), `${waits}`);
});

test("a world doesn't outlive its server", async () => {
  await join(1);
  socket.receive(await snapshot());
  assert.ok(page.sample(now).length > 0);
  const known = () => /** @type {any} */ (FakeSocket.all.at(-1)).sent[0].length;
  // A lost line: the hello names the world that is kept.
  socket.onclose({ code: 1006, reason: "" });
  pass(SPREAD);
  FakeSocket.all[1].onopen();
  assert.equal(known(), 26);
  FakeSocket.all[1].receive(bytes(golden.welcome));
  FakeSocket.all[1].receive(comeBack(500));
  pass(500);
  FakeSocket.all[2].onopen();
  assert.equal(known(), 22);
});

test("a second welcome begins another world on the same connection", async () => {
  await join(1);
  socket.receive(await snapshot());
  assert.ok(connection.hasWorld);
  pass(1000);
  told = [];
  socket.sent = [];
  for (let begun = 0; begun < 3; begun += 1) socket.receive(bytes(golden.welcome));
  assert.deepEqual(told, Array(3).fill(["welcomed", true]));
  assert.deepEqual([connection.state, connection.hasWorld, FakeSocket.all.length], ["online", false, 1]);
  assert.equal(page.sample(now).length, 0, "the old world is forgotten");
  // The clock is kept as before: at first more often, then once a second.
  pass(500);
  const clocks = () => socket.sent.filter(([type]) => type === 0x05).length;
  assert.equal(clocks(), 9);
  for (let second = 0; second < 4; second += 1) {
    pass(1000);
    socket.receive(bytes(golden.people));
  }
  assert.equal(clocks(), 9 + 4);
});

test("the patience for a world begins anew with each world", async () => {
  await join(1);
  socket.receive(await snapshot());
  for (const seconds of [11, 11]) {
    socket.receive(bytes(golden.welcome));
    for (let second = 0; second < seconds; second += 1) {
      pass(1000);
      socket.receive(bytes(golden.people));
    }
    assert.equal(fallBacks, 0);
  }
  pass(1000);
  assert.equal(fallBacks, 1);
});

test("each notice is told as what it is, and once", () => {
  told = [];
  for (const name of ["message", "people", "host", "renamed", "a captain", "two tilts", "people"]) {
    socket.receive(bytes(golden[name]));
  }
  assert.deepEqual(told, [
    ["noticed", 1], ["peopleChanged"], ["hostDecided"], ["renamed"], ["captainChanged"], ["tiltsChanged"], ["peopleChanged"],
  ]);
  assert.deepEqual([page.isFrozen, page.isLocked], [true, true]);
  assert.equal(page.announcement, "Pause ☕");
});

test("whom the host has removed stays away until they join as somebody new", () => {
  told = [];
  socket.onclose({ code: 4003, reason: "removed by the host" });
  assert.deepEqual(told, [["stateChanged", "removed", "You were removed by the host."]]);
  assert.deepEqual(page.token, new Uint8Array(16));
  pass(20_000);
  assert.equal(FakeSocket.all.length, 1);
  connection.joinAgain();
  connection.joinAgain();
  assert.equal(FakeSocket.all.length, 2);
  const [, second] = FakeSocket.all;
  second.onopen();
  assert.equal(second.sent[0].length, 6, "without a token");
  told = [];
  second.onclose({ code: 4003, reason: "this address may join again in 9 minutes" });
  assert.deepEqual(told, [["stateChanged", "removed", "This address may join again in 9 minutes."]]);
});

test("before a locked door it tries again, and says what it waits for", () => {
  told = [];
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const last = /** @type {FakeSocket} */ (FakeSocket.all.at(-1));
    last.onclose({ code: 1013, reason: attempt < 4 ? "joining is locked" : "" });
    assert.equal(connection.state, attempt < 4 ? "locked" : "waiting");
    const since = now;
    while (FakeSocket.all.length === attempt && now - since < 9000) pass(100);
    assert.equal(FakeSocket.all.length, attempt + 1, "with the backoff");
  }
});

test("a page that slept itself comes back at once, without the wait of those who lost a server", (t) => {
  // The wait after a loss is any part of a spread: here most of it, so that it is not over too soon.
  t.mock.method(Math, "random", () => 0.9);
  pass(1000);
  socket.receive(bytes(golden.people));
  now += 60_000;
  mock.timers.tick(1000);
  assert.equal(socket.isClosed, true);
  assert.deepEqual([connection.state, FakeSocket.all.length], ["connecting", 2]);
  // A server that is silent while the page runs is waited for.
  const [, second] = FakeSocket.all;
  second.onopen();
  second.receive(bytes(golden.welcome));
  pass(6100);
  assert.deepEqual([connection.state, FakeSocket.all.length], ["waiting", 2]);
});
