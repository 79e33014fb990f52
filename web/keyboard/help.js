// @ts-check
import { letterKeys, withKeyHelp } from "../input/keys.js";
import { laterWords, text } from "../strings/language.js";
import { button, loadStyles, make } from "../ui/dom.js";
import { byId } from "../ui/hud.js";

/** @typedef {import("../play/scenes.js").SceneInfo} SceneInfo */

/** What the keys do in a scene: which they are, and in words.
 * @param {SceneInfo} scene
 * @returns {[string[], string][]} */
function rows({ tilts, drops, places }) {
  /** @type {[boolean, string[], string][]} */
  const all = [
    [tilts, ["←", "↑", "↓", "→"], text("keys.tilt")],
    [true, ["I", "J", "K", "L"], text("keys.aim")],
    [true, ["N"], text("keys.next")],
    [drops, ["Enter"], text("keys.drop")],
    [places, ["Enter"], text("keys.call")],
    [drops, ["Q", "E"], text("keys.kind")],
    [true, ["G"], text("keys.take")],
    [true, ["T"], text("keys.throw")],
    [true, ["X"], text("keys.straighten")],
    [true, ["Esc"], text("keys.away")],
    [true, ["?"], text("keys.help")],
  ];
  return all.filter(([isThere]) => isThere).map(([, keys, words]) => [keys, words]);
}

/** Has the page name the keys that are characters only while they are keys: in the titles of buttons, and
 * in what the pit is called.
 * @param {SceneInfo} scene */
export function nameKeys(scene) {
  byId("pit").setAttribute("aria-label", withKeyHelp(text(scene.label)));
  for (const id of ["rewind", "mute", "help"]) {
    const named = byId(id);
    // What is a key there is checked by a test, not by types.
    const key = /** @type {"sound.hint"} */ (named.dataset.title);
    named.title = letterKeys.value ? text(key) : (named.getAttribute("aria-label") ?? "");
  }
}

/** Switches off the keys that are characters; without them there are still the arrow keys, Enter, the
 * space bar and Esc, and this list by its button.
 * @param {SceneInfo} scene */
function letterSwitch(scene) {
  const box = make("input", { type: "checkbox", checked: letterKeys.value });
  box.addEventListener("change", () => {
    letterKeys.value = box.checked;
    nameKeys(scene);
  });
  return make("label", {}, box, text("keys.letters"));
}

/** Shows what the keys do, until somebody closes it.
 * @param {SceneInfo} scene
 * @param {() => void} closed */
export async function showKeys(scene, closed) {
  await Promise.all([loadStyles(new URL("./aim.css", import.meta.url)), laterWords()]);
  // Somebody may have asked twice meanwhile.
  if (document.getElementById("keys-help")) return;
  const list = make("dl");
  for (const [keys, words] of rows(scene)) {
    const caps = keys.map((key) => make("kbd", { textContent: key }));
    list.append(make("dt", {}, ...caps), make("dd", { textContent: words }));
  }
  const title = make("h2", { id: "keys-title", textContent: text("keys.title") });
  const dialog = make("dialog", { id: "keys-help", "aria-labelledby": "keys-title" }, title, list);
  const close = button(text("keys.close"), () => dialog.close(), { autofocus: true });
  dialog.append(letterSwitch(scene), close);
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  // The same key closes it.
  dialog.addEventListener("keydown", ({ key, repeat }) => {
    if (key === "?" && !repeat) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
