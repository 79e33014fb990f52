// @ts-check
import { text } from "../strings/language.js";
import { button, make } from "../ui/dom.js";

/** Milliseconds between the two downloads: of two at once some browsers keep only the last. */
const APART = 500;
/** Milliseconds after which a download has surely begun. */
const BEGUN = 60_000;

/** A button that saves both worlds of the last divergence, a file each, for whoever looks for the fault.
 * @param {() => import("../core/exports.js").Divergence | null} divergence */
export function saveButton(divergence) {
  const save = () => {
    const worlds = divergence();
    if (!worlds) return;
    download(`pit-${worlds.tick}-page.bin`, worlds.mine);
    setTimeout(download, APART, `pit-${worlds.tick}-server.bin`, worlds.servers);
  };
  const made = button(text("debug.save"), save);
  // The panel around it lets touches through.
  Object.assign(made.style, { display: "block", pointerEvents: "auto" });
  return made;
}

/** @param {string} name
 * @param {Uint8Array<ArrayBuffer>} bytes */
function download(name, bytes) {
  const href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), BEGUN);
}
