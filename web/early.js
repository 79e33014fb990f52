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

// By now the code has run, or could not be loaded.
addEventListener("load", () => {
  const main = urlOf("main.js");
  import(main).catch(async () => (await import("./core/version.js")).reloadIfGone(main));
});
