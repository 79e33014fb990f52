// @ts-check
// Times the decoding of recorded messages (`stickerpit bench codec --record FILE`) in WebAssembly:
// `node wasm.mjs FILE` for the decoder alone; a browser imports `page` for all that the page does
// with a frame. Prints one JSON object, with the same hash as the native run.

/** @param {ArrayBuffer} file @returns {Uint8Array[]} */
function messagesOf(file) {
  const view = new DataView(file);
  const messages = [];
  for (let at = 0; at < file.byteLength; ) {
    const length = view.getUint32(at, true);
    messages.push(new Uint8Array(file, at + 4, length));
    at += 4 + length;
  }
  return messages;
}

/** @param {number[]} times milliseconds a message @param {number} bodies bodies in all of them */
function figures(times, bodies) {
  const total = times.reduce((a, b) => a + b, 0);
  const sorted = times.slice(1).sort((a, b) => a - b);
  return {
    messages: times.length,
    decode_ns_per_body: (total * 1e6) / bodies,
    p50_us: sorted[sorted.length >> 1] * 1000,
    p99_us: sorted[Math.floor(sorted.length * 0.99)] * 1000,
  };
}

/** The decoder of bench.wasm. @param {ArrayBuffer} wasm @param {ArrayBuffer} file */
export async function decoder(wasm, file) {
  const { instance } = await WebAssembly.instantiate(wasm, {});
  const bench = /** @type {any} */ (instance.exports);
  const messages = messagesOf(file);
  const input = bench.codec_input(Math.max(...messages.map((message) => message.length)));
  const times = [];
  let bodies = 0;
  bench.codec_new();
  for (const message of messages) {
    new Uint8Array(bench.memory.buffer, input, message.length).set(message);
    const start = performance.now();
    const count = bench.codec_decode(message.length);
    times.push(performance.now() - start);
    if (count < 0) throw new Error("a frame was refused");
    bodies += count;
  }
  const hash = BigInt.asUintN(64, bench.codec_hash()).toString(16);
  return { ...figures(times, bodies), hash };
}

/**
 * The page's module, as connection.js uses it. `bodies` is how many there are in each frame.
 * @param {ArrayBuffer} wasm @param {ArrayBuffer} file @param {number} bodies
 */
export async function page(wasm, file, bodies) {
  const { instance } = await WebAssembly.instantiate(wasm, {});
  const page = /** @type {any} */ (instance.exports);
  page._initialize?.();
  page.page_reset();
  const messages = messagesOf(file);
  const times = messages.map((message, index) => {
    const start = performance.now();
    const input = page.page_input(message.length);
    new Uint8Array(page.memory.buffer, input, message.length).set(message);
    const answer = page.page_receive(message.length, index * (1000 / 60));
    const took = performance.now() - start;
    if (answer < 0) throw new Error("a frame was refused");
    return took;
  });
  return figures(times, bodies * messages.length);
}

if (typeof process !== "undefined" && process.argv[2]) {
  const { readFile } = await import("node:fs/promises");
  const bytes = async (/** @type {string | URL} */ path) => {
    const read = await readFile(path);
    return read.buffer.slice(read.byteOffset, read.byteOffset + read.byteLength);
  };
  const wasm = await bytes(new URL("../../.build-wasm/bench.wasm", import.meta.url));
  console.log(JSON.stringify(await decoder(wasm, await bytes(process.argv[2]))));
}
