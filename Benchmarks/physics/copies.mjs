// @ts-check
// Times of a whole pit in WebAssembly: saved, restored, copied, hashed, and copied with a tick.
//     node copies.mjs [--tilt] 331 1000 4000
// Prints one JSON line for each number of stickers, times in microseconds. With --tilt somebody
// turns the pit by a quarter every second before, so that everything moves. Medians of 200 rounds,
// after 100 in which V8 compiles with its optimising compiler what it began with its fast one.
import { readFile } from "node:fs/promises";

const wasm = await readFile(new URL("../../.build-wasm/bench.wasm", import.meta.url));
const kinds = ["save_us", "restore_us", "assign_us", "hash_us", "assign_and_tick_us"];
const times = 10;
const words = process.argv.slice(2);
const isTilted = words.includes("--tilt");
const full = 16384;
const quarters = [[0, full], [full, 0], [0, -full], [-full, 0]];

for (const bodies of words.filter((word) => word !== "--tilt").map(Number)) {
  const { instance } = await WebAssembly.instantiate(wasm, {});
  const bench = /** @type {any} */ (instance.exports);
  if (bench.bench_pit(bodies, 16384, 7) !== 1) throw new Error("no such pit");
  for (let tick = 0; tick < 600; tick += 1) {
    if (isTilted) bench.bench_tilt(1, ...quarters[Math.floor(tick / 60) % 4]);
    bench.bench_tick();
  }
  const count = bench.pit_save();
  if (bench.pit_restore(count) !== 1) throw new Error("the pit's own snapshot was refused");
  /** @type {Record<string, number>} */
  const result = { bodies: bench.bench_body_count(), bytes: count };
  kinds.forEach((name, kind) => {
    const rounds = Array.from({ length: 300 }, () => {
      const start = performance.now();
      bench.pit_work(kind, times);
      return ((performance.now() - start) * 1000) / times;
    });
    const warm = rounds.slice(100).sort((a, b) => a - b);
    result[name] = Number(warm[100].toFixed(1));
  });
  console.log(JSON.stringify(result));
}
