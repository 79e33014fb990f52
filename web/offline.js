// @ts-check

/** Keeping the page begins so late, ms, because the first pictures are more urgent. */
const LATER = 4000;

/** Has the browser keep the page, so that it opens without a server: see `worker.js`. Browsers allow
 * it over https and on this machine; elsewhere the page is as ever, and needs its server. */
export function keepForLater() {
  if (!("serviceWorker" in navigator)) return;
  setTimeout(() => {
    const url = new URL("./worker.js", import.meta.url);
    // Forbidden here, or the server has no list of its files: nothing is kept.
    navigator.serviceWorker.register(url, { updateViaCache: "none" }).catch(() => {});
  }, LATER);
}
