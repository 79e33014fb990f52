// @ts-check
// The page's connection and its real module against a server of golden bytes: a frame that does not
// fit is mended on the same connection, and only what stays unmended is given up.
import assert from "node:assert/strict";
import { before, beforeEach, mock, test } from "node:test";
import { bytes, json, load, scripts } from "./module.mjs";

/** What the page finds in a browser, as far as its connection asks for it. */
class FakeSocket {
  static OPEN = 1;
  /** @type {FakeSocket[]} */ static all = [];
  readyState = 1;
  /** @type {Uint8Array[]} */ sent = [];
  isClosed = false;
  /** @type {any} */ onopen;
  /** @type {any} */ onmessage;
  /** @type {any} */ onclose;

  constructor() {
    FakeSocket.all.push(this);
  }

  /** @param {Uint8Array} message */
  send(message) {
    this.sent.push(message);
  }

  close() {
    this.isClosed = true;
  }

  /** @param {Uint8Array} message */
  receive(message) {
    this.onmessage({ data: message.slice().buffer });
  }

  /** How often the page asked for a keyframe. */
  get requests() {
    return this.sent.filter(([type]) => type === 0x0b).length;
  }
}

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
    document: { visibilityState: "visible", addEventListener() {} },
    addEventListener() {},
  });
  mock.method(performance, "now", () => now);
  const script = await scripts();
  ({ Connection } = await script("connection.js"));
  ({ PageModule } = await script("module.js"));
});

/** @type {any} */ let connection;
/** @type {any} */ let page;
/** @type {FakeSocket} */ let socket;

/** @param {number} milliseconds */
function pass(milliseconds) {
  for (let step = 0; step < milliseconds; step += 100) {
    now += 100;
    mock.timers.tick(100);
  }
}

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  now = 0;
  FakeSocket.all = [];
  page = new PageModule(await load("web/pit.wasm"));
  const listener = { stateChanged() {}, welcomed() {}, peopleChanged() {}, noticed() {}, happened() {},
    fellBack() {} };
  connection = new Connection(page, "ws://pit/ws", listener, 0);
  connection.start();
  [socket] = FakeSocket.all;
  socket.onopen();
  socket.receive(bytes(golden.welcome));
  assert.equal(connection.state, "online");
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
