// @ts-check
// What is fetched only when it is needed. The server may be away just then: what has failed is tried again.
import { reloadIfGone } from "./version.js";

/** What nobody waits for, and has failed, is tried again: after how long, ms. */
const AGAIN = 5000;

/** How often loading has failed. Browsers remember a failure by the address, so each new try has
 * another address. */
let failures = 0;

/** Loads a module of the page.
 * @param {string} path
 * @param {string} from the address of the module that asks
 * @returns {Promise<any>} */
export async function importLater(path, from) {
  const { href } = new URL(path, from);
  try {
    return await import(href);
  } catch {
    failures += 1;
    return import(`${href}?again=${failures}`).catch((error) => {
      reloadIfGone(from);
      throw error;
    });
  }
}

/** Makes a function that does its work once, however often it is called; after a failure the next
 * call tries again.
 * @template T
 * @param {() => Promise<T>} work */
export function once(work) {
  /** @type {Promise<T> | null} */ let done = null;
  return () =>
    (done ??= work().catch((error) => {
      done = null;
      throw error;
    }));
}

/** Does something that nobody waits for, and tries again until it succeeds.
 * @param {() => Promise<unknown>} work */
export function untilDone(work) {
  work().catch((error) => {
    console.warn(error);
    setTimeout(untilDone, AGAIN, work);
  });
}
