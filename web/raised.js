// @ts-check
import { INSTANCE_FLOATS, INSTANCE_SLOT } from "./wire.js";

/**
 * What is held lies above the rest.
 * @param {Float32Array} instances
 */
export function raised(instances) {
  const held = [];
  for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
    if (instances[at + INSTANCE_SLOT + 1] >= 0) held.push(at);
  }
  if (held.length === 0) return instances;
  const raised = new Float32Array(instances.length);
  let end = 0;
  const put = (/** @type {number} */ from, /** @type {number} */ to) => {
    raised.set(instances.subarray(from, to), end);
    end += to - from;
  };
  let next = 0;
  for (const at of held) {
    put(next, at);
    next = at + INSTANCE_FLOATS;
  }
  put(next, instances.length);
  for (const at of held) put(at, at + INSTANCE_FLOATS);
  return raised;
}
