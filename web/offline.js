// @ts-check

/** Has the browser keep the page, so that it opens without a server: see `worker.js`. Where browsers allow
 * no service workers nobody asks for this file, and the page needs its server. */
export async function keepForLater() {
  const url = new URL("./worker.js", document.baseURI);
  // Forbidden here, or the server has no list of its files: nothing is kept.
  await navigator.serviceWorker.register(url, { updateViaCache: "none" }).catch(() => {});
}
