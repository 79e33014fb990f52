// @ts-check

/** Where a tab remembers that it was reloaded to get another version. */
const KEY = "stickerpit.reloaded";

/**
 * Reloads the page because the server has another version, but only once: a page that stays as old as
 * it is would reload for ever.
 * @returns {boolean} false if that has been tried, or can't be remembered
 */
export function reloadOnce() {
  try {
    if (sessionStorage.getItem(KEY) !== null) return false;
    sessionStorage.setItem(KEY, "yes");
  } catch {
    return false; // storage is forbidden here
  }
  location.reload();
  return true;
}

/**
 * Reloads the page, once, if the server has its build no longer: then one of its files is gone.
 * @param {string} file the address of any
 */
export async function reloadIfGone(file) {
  const answer = await fetch(file, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.status === 404) reloadOnce();
}

/** How often a screen that nobody attends tries to reload, ms. */
const RELOAD_AFTER = 20_000;

/** Reloads a screen that nobody attends as soon as the server answers. Without an answer the browser
 * would show its own error page, and nobody would be there to try again. */
export function reloadLater() {
  setTimeout(async () => {
    try {
      const page = await fetch(location.href, { cache: "no-store" });
      if (page.ok) return location.reload();
    } catch {
      // The server is not back yet.
    }
    reloadLater();
  }, RELOAD_AFTER);
}

/** The server's version when it was first asked: another one means that there is a newer page. */
let firstServer = "";

/**
 * Whether the server makes the same worlds of the same records as this page's module; true also if it
 * doesn't say, because the page compares hashes anyway. If the server's version has changed since the
 * first answer, the page is reloaded all the same.
 * @param {string} core the module's own, 16 hexadecimal digits
 */
export async function fitsServer(core) {
  try {
    const url = new URL("./api/version", document.baseURI);
    const answer = await fetch(url, { cache: "no-store" });
    const told = answer.ok ? await answer.json() : {};
    if (typeof told.core === "string" && told.core !== core) return false;
    const server = told.server ?? firstServer;
    firstServer ||= server;
    if (server !== firstServer && reloadOnce()) return true;
    sessionStorage.removeItem(KEY);
    return true;
  } catch {
    return true;
  }
}
