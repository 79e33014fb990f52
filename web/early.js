// @ts-check
// The server has this file for the page of any build, because no build is in its address.

const sheet = /** @type {HTMLLinkElement} */ (document.querySelector("link[href$='style/page.css']"));
/** @param {string} name of a file of the page's build */
const urlOf = (name) => new URL(`../${name}`, sheet.href).href;

// The largest file, asked for while the code still comes. The monitor has no use for it.
if (!/\bview=monitor\b/.test(location.search)) {
  const [rel, as, crossOrigin, href] = ["preload", "fetch", "anonymous", urlOf("pit.wasm")];
  document.head.append(Object.assign(document.createElement("link"), { rel, as, crossOrigin, href }));
}

/** If what reloads does not come either, it is asked for again after so long, ms. */
const AGAIN = 5000;

/** Makes up for code that could not be loaded.
 * @param {string} main the code's address
 * @param {number} [tries] made so far */
async function recover(main, tries = 0) {
  try {
    // Browsers remember a failure by the address, so each new try has another address.
    /** @type {typeof import("./core/version.js")} */
    const { reloadIfGone, reloadLater } = await import(`./core/version.js?again=${tries}`);
    await reloadIfGone(main);
    // A screen for a room, which nobody attends: if that did not help it goes on trying by itself.
    if (new URLSearchParams(location.search).has("view")) reloadLater();
  } catch {
    setTimeout(recover, AGAIN, main, tries + 1);
  }
}

// By now the code has run, or could not be loaded.
addEventListener("load", () => {
  const main = urlOf("main.js");
  import(main).catch(() => recover(main));
});
