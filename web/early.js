// @ts-check
// The server has this file for the page of any build, because no build is in its address.

const styles = /** @type {HTMLLinkElement} */ (document.querySelector("link[href$='style/page.css']"));
/** @param {string} name of a file of the page's build */
const urlOf = (name) => new URL(`../${name}`, styles.href).href;

// The largest file, asked for while the code still comes. The monitor has no use for it.
if (!/\bview=monitor\b/.test(location.search)) {
  const [rel, as, crossOrigin, href] = ["preload", "fetch", "anonymous", urlOf("pit.wasm")];
  document.head.append(Object.assign(document.createElement("link"), { rel, as, crossOrigin, href }));
}

/** If what reloads does not come either, how long until it is asked for again, ms, more or less by half: all
 * who wait for a server would else come in the same moment. */
const AGAIN = 5000;
/** How long it takes until all have loaded their pages when it is back, ms. */
const SPREAD = 3000;

/** Makes up for code that could not be loaded: as soon as the server answers, the page is loaded anew,
 * once. A browser remembers that a script failed for as long as the page is there, so nothing less helps,
 * whether the server has the same build or another one by then.
 * @param {number} [tries] made so far */
async function recover(tries = 0) {
  try {
    // Each new try has another address, because this failure would be remembered, too.
    /** @type {typeof import("./core/version.js")} */
    const { reloadLater, reloadOnce } = await import(`./core/version.js?again=${tries}`);
    if (tries > 0) await new Promise((done) => setTimeout(done, SPREAD * Math.random()));
    if (reloadOnce()) return;
    // A screen for a room, which nobody attends, goes on trying by itself.
    if (new URLSearchParams(location.search).has("view")) reloadLater();
  } catch {
    setTimeout(recover, AGAIN * (0.5 + Math.random()), tries + 1);
  }
  sayFailure();
}

/** What says so otherwise could not be loaded either. */
function sayFailure() {
  const [status, button] = ["status", "reload"].map((id) => document.getElementById(id));
  if (!status || !button) return;
  status.classList.add("failure");
  status.hidden = button.hidden = false;
  button.onclick = () => location.reload();
}

// By now the code has run, or could not be loaded.
addEventListener("load", () => {
  import(urlOf("main.js")).catch(() => recover());
});
