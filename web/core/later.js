// @ts-check
// What is fetched only when it is needed. The server may be away just then: what has failed is tried again.

/** What nobody waits for is tried again after so long, ms. */
const AGAIN = 5000;

/** Browsers remember that a module could not be loaded, by its address. */
let failures = 0;

/** Loads a module of the page.
 * @param {string} path @param {string} from the address of the module that asks
 * @returns {Promise<any>} */
export async function importLater(path, from) {
  const { href } = new URL(path, from);
  try {
    return await import(href);
  } catch {
    failures += 1;
    return import(`${href}?again=${failures}`);
  }
}

/** Does something once, however often it is asked for; what has failed is done anew.
 * @template T @param {() => Promise<T>} work */
export function once(work) {
  /** @type {Promise<T> | null} */ let done = null;
  return () =>
    (done ??= work().catch((error) => {
      done = null;
      throw error;
    }));
}

/** Does what nobody waits for, as often as it takes.
 * @param {() => Promise<unknown>} work */
export function untilDone(work) {
  work().catch((error) => {
    console.warn(error);
    setTimeout(untilDone, AGAIN, work);
  });
}
