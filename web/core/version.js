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

/**
 * Whether the server makes the same worlds of the same records as this page's module; true also if
 * it does not tell. A page that does not find out goes on: it compares hashes anyway.
 * @param {string} core the module's own, 16 hexadecimal digits
 */
export async function fitsServer(core) {
  try {
    const url = new URL("./api/version", document.baseURI);
    const answer = await fetch(url, { cache: "no-store" });
    const told = answer.ok ? await answer.json() : {};
    if (typeof told.core === "string" && told.core !== core) return false;
    sessionStorage.removeItem(KEY);
    return true;
  } catch {
    return true;
  }
}
