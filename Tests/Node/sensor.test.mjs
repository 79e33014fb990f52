// @ts-check
// When a phone is said to tell no motion.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {any} */ let MotionSensor;

before(async () => {
  ({ MotionSensor } = await (await scripts())("input/sensor.js"));
  const phone = {
    isSecureContext: true,
    window: { DeviceOrientationEvent: {} },
    DeviceOrientationEvent: { requestPermission: async () => "granted" },
    navigator: { maxTouchPoints: 5, languages: [] },
    screen: {},
    matchMedia: () => ({ matches: true }),
    addEventListener() {},
  };
  phone.window.DeviceOrientationEvent = phone.DeviceOrientationEvent;
  for (const [name, value] of Object.entries(phone)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
});

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
