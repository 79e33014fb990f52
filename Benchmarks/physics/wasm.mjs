// @ts-check
// Times the physics in WebAssembly under node: `node wasm.mjs KIND BODIES WARMUP STEPS` with KIND 0
// (pit) or 1 (settled); prints one JSON object with the same hash as the native run.
import { readFile } from "node:fs/promises";

const [kind, bodies, warmup, steps] = process.argv.slice(2).map(Number);
const path = new URL("../../.build-wasm/bench.wasm", import.meta.url);
const { instance } = await WebAssembly.instantiate(await readFile(path), {});
const bench = /** @type {any} */ (instance.exports);
if (bench.scene_new(kind, 0, bodies, 0) !== 1) throw new Error("no such scene");
bench.scene_step(warmup);
const times = [];
for (let step = 0; step < steps; step += 1) {
  const start = performance.now();
  bench.scene_step(1);
  times.push(performance.now() - start);
}
const mean = times.reduce((a, b) => a + b, 0) / steps;
times.sort((a, b) => a - b);
console.log(
  JSON.stringify({
    engine: "stickerpit-wasm",
    bodies,
    steps,
    mean_ms: mean,
    p50_ms: times[steps >> 1],
    hash: BigInt.asUintN(64, bench.scene_hash()).toString(16),
  }),
);
