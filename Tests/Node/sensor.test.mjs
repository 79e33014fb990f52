// @ts-check
// When a phone is said to tell no motion, and that its sensor can be switched off.
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let MotionSensor;
/** @type {Record<string, (event: any) => void>} */ const listeners = {};
/** @type {Map<string, string>} */ const stored = new Map();
let asked = 0;

before(async () => {
  ({ MotionSensor } = await (await scripts())("input/sensor.js"));
  const phone = {
    isSecureContext: true,
    window: { DeviceOrientationEvent: {} },
    DeviceOrientationEvent: { requestPermission: async () => (asked++, "granted") },
    navigator: { maxTouchPoints: 5, languages: [] },
    screen: {},
    matchMedia: () => ({ matches: true }),
    addEventListener: (/** @type {string} */ kind, /** @type {any} */ listener) => (listeners[kind] = listener),
    localStorage: {
      getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
      setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
    },
  };
  phone.window.DeviceOrientationEvent = phone.DeviceOrientationEvent;
  for (const [name, value] of Object.entries(phone)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
});

beforeEach(() => {
  stored.clear();
  asked = 0;
});

/** The phone is held on its right edge, a little more or less. */
function turn() {
  listeners.deviceorientation({ beta: 0, gamma: 80 + Math.random() });
}

/** A sensor that somebody listens to. */
async function listening() {
  const sensor = new MotionSensor(() => {});
  await sensor.listen();
  return sensor;
}

test("a sensor that may tell is silent when somebody has listened for four seconds, and not before", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const sensor = new MotionSensor(() => {});
  assert.equal(sensor.state, "asking");
  await sensor.ask();
  context.mock.timers.tick(60_000);
  assert.equal(sensor.state, "absent");
  await sensor.listen();
  context.mock.timers.tick(3900);
  assert.equal(sensor.state, "absent");
  context.mock.timers.tick(200);
  assert.equal(sensor.state, "silent");
});

test("a sensor that is switched off tells nothing until it is switched on again", async () => {
  const sensor = await listening();
  turn();
  assert.equal(sensor.state, "live");
  assert.ok(sensor.gravity.x > 0.9);
  sensor.isOn = false;
  turn();
  assert.deepEqual([sensor.state, sensor.gravity], ["off", null]);
  sensor.isOn = true;
  assert.equal(sensor.state, "live");
  assert.ok(sensor.gravity.x > 0.9);
});

test("it is still off at the next visit, and asks for nothing before somebody wants it", async () => {
  const first = await listening();
  turn();
  first.isOn = false;
  const sensor = await listening();
  await sensor.ask(false);
  assert.deepEqual([asked, sensor.state], [0, "asking"]);
  turn();
  assert.deepEqual([sensor.state, sensor.gravity], ["off", null]);
  // Whoever asks for it by the button for that has it on.
  await sensor.ask();
  turn();
  assert.deepEqual([asked, sensor.state], [1, "live"]);
});
