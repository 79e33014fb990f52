// @ts-check

/** Where a tab remembers that it was loaded anew for the sake of another version. */
const KEY = "stickerpit.reloaded";

/**
 * Loads the page anew because the server is of another version, once: a page that is no newer then
 * would load for ever.
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

/** What only loading anew helps against is tried again after so long, ms. */
const RELOAD_AFTER = 20_000;

/** Loads a screen that nobody attends anew as soon as it is served: one that is loaded in vain shows the
 * browser's own complaint, and nobody is there to try again. */
export function reloadLater() {
  setTimeout(async () => {
    try {
      const page = await fetch(location.href, { cache: "no-store" });
      if (page.ok) return location.reload();
    } catch {
      // It is not there yet.
    }
    reloadLater();
  }, RELOAD_AFTER);
}

/** The server's version when it was asked first: newer ones have a newer page, too. */
let firstServer = "";

/**
 * Whether the server makes the same worlds of the same records as this page's module; true also if
 * it does not tell. A page that does not find out goes on: it compares hashes anyway. One that fits a
 * server that is of another version than before loads itself anew all the same.
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
